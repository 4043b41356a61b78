#include "trellis/generative/alignment/association.h"

#include <algorithm>
#include <numeric>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

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

double dice(double both, double e, double f) {
  return e + f > 0 ? 2 * both / (e + f) : 0;
}

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

void set_associations(std::span<const double> scores, Lexicon& lexicon) {
  const double floor = lexicon.options().floor, largest = std::max(max_value(scores), 1e-300);
  std::vector<float> logs(scores.size());
  for (Index x = 0; x < scores.size(); ++x) {
    logs[x] = static_cast<float>(portable_log(std::max(scores[x] / largest, floor)));
  }
  const auto none = static_cast<float>(portable_log(floor));
  const std::vector<float> targets(lexicon.target_words(), none);
  const std::vector<float> sources(lexicon.source_words(), none);
  LexiconView values = lexicon.view();
  values.forward = values.reverse = logs;
  values.null_forward = values.unseen_reverse = targets;
  values.null_reverse = values.unseen_forward = sources;
  lexicon.set(values);
}

}  // namespace trellis
