#include "trellis/topics/disclda/calibration.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {

double log_likelihood(const CalibrationDocuments& documents, double correlation) {
  std::vector<double> row(documents.classes);
  double total = 0;
  for (Index d = 0; d < documents.labels.size(); ++d) {
    const auto own = documents.log_posterior.subspan(d * row.size(), row.size());
    std::copy(own.begin(), own.end(), row.begin());
    calibrate(correlation, documents.tokens[d], row);
    total += row[documents.labels[d]];
  }
  return total;
}

double fit_correlation(const CalibrationDocuments& documents) {
  const Index size = documents.labels.size();
  const auto unknown = [&](std::uint32_t label) { return label >= documents.classes; };
  if (size == 0 || documents.tokens.size() != size ||
      documents.log_posterior.size() != size * documents.classes ||
      std::any_of(documents.labels.begin(), documents.labels.end(), unknown)) {
    throw UsageError("calibration needs documents with lengths, labels and log-probabilities");
  }
  std::vector<double> grid = {0};
  for (double correlation = 0x1p-20; correlation <= 1; correlation *= 2) {
    grid.push_back(correlation);
  }
  std::vector<double> values;
  for (const double correlation : grid) values.push_back(log_likelihood(documents, correlation));
  const auto best =
      static_cast<Index>(std::max_element(values.begin(), values.end()) - values.begin());
  if (best == 0) return 0;
  constexpr double kGolden = 0.6180339887498949;
  double low = grid[best - 1], high = grid[std::min(best + 1, grid.size() - 1)];
  double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  double of_left = log_likelihood(documents, left), of_right = log_likelihood(documents, right);
  for (int section = 0; section < 40; ++section) {
    if (of_left >= of_right) {
      high = std::exchange(right, left);
      of_right = of_left;
      left = high - kGolden * (high - low);
      of_left = log_likelihood(documents, left);
    } else {
      low = std::exchange(left, right);
      of_left = of_right;
      right = low + kGolden * (high - low);
      of_right = log_likelihood(documents, right);
    }
  }
  const double found = low + (high - low) / 2;
  // The bounds themselves are never looked at in between.
  return log_likelihood(documents, found) > values[best] ? found : grid[best];
}

void calibrate(double correlation, Index tokens, std::span<double> log_posterior) {
  const double others = tokens > 0 ? static_cast<double>(tokens - 1) : 0;
  scale(1 / (1 + correlation * others), log_posterior);
  const double log_total = log_sum_exp(log_posterior);
  for (double& value : log_posterior) value -= log_total;
}

}  // namespace trellis::topics
