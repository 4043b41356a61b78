#include "trellis/base/random.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace trellis {
namespace {

__extension__ using Wide = unsigned __int128;

// Constants of Salmon et al. (2011), table 2 and sec. 4.3.
constexpr std::uint64_t kMultiplier0 = 0xD2E7470EE14C6C93, kMultiplier1 = 0xCA5A826395121157;
constexpr std::uint64_t kWeyl0 = 0x9E3779B97F4A7C15, kWeyl1 = 0xBB67AE8584CAA73B;
constexpr int kRounds = 10;

// log x for a normal x > 0, computed only by operations that IEEE 754 rounds exactly: the last bit
// of std::log differs between C libraries, and between processors with the same library. log x = e
// log 2 + 2 atanh f with f = (m − 1)/(m + 1), |f| < 0.172: error of at most 3 ulp.
double portable_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<double>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000);
  if (m > 1.4142135623730951) m /= 2, exponent += 1;
  const double f = (m - 1) / (m + 1), square = f * f;
  double series = 0;
  for (int k = 21; k >= 3; k -= 2) series = (series + 1.0 / k) * square;
  return exponent * 0.6931471805599453 + 2 * f * (1 + series);
}

}  // namespace

std::array<std::uint64_t, 4> philox4x64(std::array<std::uint64_t, 4> c,
                                        std::array<std::uint64_t, 2> key) {
  for (int round = 0; round < kRounds; ++round) {
    const Wide a = static_cast<Wide>(kMultiplier0) * c[0];
    const Wide b = static_cast<Wide>(kMultiplier1) * c[2];
    c = {static_cast<std::uint64_t>(b >> 64) ^ c[1] ^ key[0], static_cast<std::uint64_t>(b),
         static_cast<std::uint64_t>(a >> 64) ^ c[3] ^ key[1], static_cast<std::uint64_t>(a)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return c;
}

Random::Random(std::uint64_t seed, std::uint64_t item, std::uint64_t step)
    : seed_(seed), counter_{0, item, step, 0} {}

std::uint64_t Random::next() {
  if (used_ == block_.size()) {
    block_ = philox4x64(counter_, {seed_, 0});
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

double Random::uniform() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

// Lemire (2019), "Fast random integer generation in an interval", algorithm 5.
std::uint64_t Random::below(std::uint64_t n) {
  assert(n > 0);
  Wide product = static_cast<Wide>(next()) * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t threshold = (0 - n) % n;  // 2^64 mod n
    while (static_cast<std::uint64_t>(product) < threshold) {
      product = static_cast<Wide>(next()) * n;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

// Marsaglia's polar method; the second number of the pair is discarded, so that a draw depends only
// on the words of the stream.
double Random::normal() {
  while (true) {
    const double u = 2 * uniform() - 1, v = 2 * uniform() - 1;
    const double s = u * u + v * v;
    // Below the smallest normal square only u = v = 0 can occur: both are multiples of 2^−52.
    if (s > 0 && s < 1) return u * std::sqrt(-2 * portable_log(s) / s);
  }
}

std::vector<Index> random_permutation(Index n, Random random) {
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace trellis
