#include "trellis/topics/embedding/affinities.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

constexpr int kMostSteps = 100;
constexpr double kEntropyTolerance = 1e-5;

// p_j = exp(−β (d_j − d_min)) / Σ, and its entropy: H = log Σ exp + β E[d − d_min].
double gibbs(std::span<const float> distances, double beta, std::span<double> p) {
  const double least = static_cast<double>(distances[0]);
  for (Index j = 0; j < p.size(); ++j) p[j] = -beta * (static_cast<double>(distances[j]) - least);
  exp_shifted(p, 0, p);
  const double total = sum(p);
  scale(1 / total, p);
  double mean = 0;
  for (Index j = 0; j < p.size(); ++j) mean += p[j] * (static_cast<double>(distances[j]) - least);
  return portable_log(total) + beta * mean;
}

// Row i of the matrix before its entries of the same j are added: (j, p_{j|i}) of its neighbours,
// and (j, p_{i|j}) of those whose neighbour it is.
struct HalfRows {
  using Entry = std::pair<std::uint32_t, double>;
  std::vector<std::uint64_t> begin;
  std::vector<Entry> entries;

  Index size() const { return begin.size() - 1; }
  std::span<Entry> operator[](Index i) {
    return std::span(entries).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

HalfRows half_rows(const Neighbours& neighbours, std::span<const double> conditional) {
  const Index k = neighbours.per_point, n = neighbours.ids.size() / k;
  HalfRows rows;
  rows.begin.assign(n + 1, k);
  rows.begin[0] = 0;
  for (const std::uint32_t j : neighbours.ids) ++rows.begin[j + 1];
  std::partial_sum(rows.begin.begin(), rows.begin.end(), rows.begin.begin());
  rows.entries.resize(rows.begin[n]);
  std::vector<std::uint64_t> at(rows.begin.begin(), rows.begin.end() - 1);
  for (Index i = 0; i < n; ++i) {
    for (Index r = 0; r < k; ++r) {
      const std::uint32_t j = neighbours.ids[i * k + r];
      const double p = conditional[i * k + r];
      rows.entries[at[i]++] = {j, p};
      rows.entries[at[j]++] = {static_cast<std::uint32_t>(i), p};
    }
  }
  return rows;
}

// Adds up what has the same j and multiplies by `share`; returns how many remain, in front.
Index merge_equal(std::span<HalfRows::Entry> row, double share) {
  // By value as well, so that both p_ij and p_ji are the same sum.
  std::sort(row.begin(), row.end());
  Index kept = 0;
  for (const auto& [id, value] : row) {
    if (kept > 0 && row[kept - 1].first == id) {
      row[kept - 1].second += share * value;
    } else {
      row[kept++] = {id, share * value};
    }
  }
  return kept;
}

}  // namespace

double calibrate(std::span<const float> distances, double perplexity, std::span<double> p) {
  const double wanted = portable_log(perplexity);
  const double spread = static_cast<double>(distances.back()) - static_cast<double>(distances[0]);
  if (!(spread > 0) || perplexity >= static_cast<double>(p.size())) {
    std::fill(p.begin(), p.end(), 1 / static_cast<double>(p.size()));
    return 0;
  }
  // Entropy falls with β. Doubled until it is too low, then halved in between.
  double low = 0, high = kInfinity, beta = 1 / spread;
  for (int step = 0; step < kMostSteps; ++step) {
    const double entropy = gibbs(distances, beta, p);
    if (std::abs(entropy - wanted) < kEntropyTolerance) break;
    (entropy > wanted ? low : high) = beta;
    beta = high == kInfinity ? 2 * beta : (low + high) / 2;
  }
  return beta;
}

Affinities affinities(const Neighbours& neighbours, double perplexity, int threads) {
  const Index k = neighbours.per_point;
  const Index n = neighbours.ids.size() / k;
  std::vector<double> conditional(n * k);
  parallel_for(n, threads, [&](Index i, int) {
    calibrate(neighbours.distances_of(i), perplexity, std::span(conditional).subspan(i * k, k));
  });

  HalfRows rows = half_rows(neighbours, conditional);
  std::vector<Index> sizes(n);
  const double share = 0.5 / static_cast<double>(n);
  parallel_for(n, threads, [&](Index i, int) { sizes[i] = merge_equal(rows[i], share); });

  Affinities out;
  out.begin.assign(n + 1, 0);
  for (Index i = 0; i < n; ++i) out.begin[i + 1] = out.begin[i] + sizes[i];
  out.ids.reserve(out.begin[n]);
  out.values.reserve(out.begin[n]);
  for (Index i = 0; i < n; ++i) {
    for (const auto& [id, value] : rows[i].first(sizes[i])) {
      out.ids.push_back(id);
      out.values.push_back(static_cast<float>(value));
    }
  }
  return out;
}

}  // namespace trellis::topics
