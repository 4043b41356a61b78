#include "trellis/generative/network/network_file.h"

#include <fmt/format.h>

#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/generative/network/bif.h"
#include "trellis/generative/network/net_file.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// The double whose logarithm is θ, where there is one: exp is a few units in the last place off.
double probability_of(double theta) {
  const double p = portable_exp(theta);
  double below = p, above = p;
  for (int step = 0; step < 16; ++step) {
    if (portable_log(above) == theta) return above;
    if (portable_log(below) == theta) return below;
    above = std::nextafter(above, 1.0);
    below = std::nextafter(below, 0.0);
  }
  return p;
}

}  // namespace

BayesNetwork NetworkFile::network() const {
  if (!theta) throw UsageError("the network has no probability tables");
  return {graph, *theta};
}

NetworkFile read_network(const std::string& path) {
  std::string_view name = path;
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  if (name.ends_with(".bif")) return read_bif(InputFile(path));
  return read_net(InputFile(path));
}

void take_logarithms(std::string_view file, Index line, std::string_view whose,
                     std::span<double> probabilities) {
  double sum = 0;
  for (const double p : probabilities) {
    if (p < 0) throw InputError(file, line, fmt::format("{}: {} is not a probability", whose, p));
    sum += p;
  }
  if (!(std::abs(sum - 1) <= 1e-3)) {
    throw InputError(file, line, fmt::format("{}: the probabilities sum to {}", whose, sum));
  }
  const double total = std::abs(sum - 1) <= 1e-12 ? 1 : sum;
  for (double& p : probabilities) {
    const double share = p / total;
    p = share < BayesNetwork::kSmallest ? -kInfinity : portable_log(share);
  }
}

std::vector<double> file_probabilities(std::span<const double> theta) {
  double mass = 0;
  for (const double value : theta) mass += portable_exp(value);
  const bool whole = std::abs(mass - 1) <= BayesNetwork::kMassTolerance;
  std::vector<double> p;
  for (const double value : theta) {
    p.push_back(whole ? probability_of(value) : portable_exp(value) / mass);
  }
  return p;
}

}  // namespace trellis
