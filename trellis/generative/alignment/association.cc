#include "trellis/generative/alignment/association.h"

#include <algorithm>
#include <numeric>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

double dice(double both, double e, double f) {
  return 2 * both / (e + f);
}

double log_likelihood_ratio(double both, double e, double f, double total) {
  if (both * total <= e * f) return 0;  // no more often than by chance
  const auto cell = [&](double observed, double row, double column) {
    return observed > 0 ? observed * portable_log(observed * total / (row * column)) : 0;
  };
  const double sum = cell(both, e, f) + cell(e - both, e, total - f) +
                     cell(f - both, total - e, f) +
                     cell(total - e - f + both, total - e, total - f);
  return std::max(2 * sum, 0.0);
}

double total_of(const std::vector<std::uint32_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

}  // namespace

std::vector<double> associations(const Cooccurrence& found, Association measure) {
  const double total = std::max(total_of(found.source_counts), total_of(found.target_counts));
  std::vector<double> scores(found.size());
  for (Index e = 0; e + 1 < found.row_begin.size(); ++e) {
    for (Index x = found.row_begin[e]; x < found.row_begin[e + 1]; ++x) {
      const double both = found.counts[x], of_e = found.source_counts[e];
      const double of_f = found.target_counts[found.targets[x]];
      scores[x] = measure == Association::kDice ? dice(both, of_e, of_f)
                                                : log_likelihood_ratio(both, of_e, of_f, total);
    }
  }
  return scores;
}

}  // namespace trellis
