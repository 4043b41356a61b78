#include "trellis/tasks/linear_scores.h"

#include <algorithm>

#include "trellis/solve/vectors/row_kernels.h"

namespace trellis {
namespace {

// Collects rows into batches for the kernel.
class RowSum {
 public:
  RowSum(std::span<const double> weights, std::span<double> scores)
      : weights_(weights), scores_(scores) {
    std::fill(scores.begin(), scores.end(), 0.0);
  }

  void add(Index row, float value) {
    if (batch_.size == kRowBatch) flush();
    batch_.rows[batch_.size] = weights_.data() + row * scores_.size();
    batch_.values[batch_.size++] = static_cast<double>(value);
  }
  void flush() {
    if (batch_.size > 0) add_rows(batch_, scores_.data(), scores_.size());
    batch_.size = 0;
  }

 private:
  std::span<const double> weights_;
  std::span<double> scores_;
  RowBatch batch_;
};

}  // namespace

void add_up_scores(std::span<const std::uint32_t> ids, std::span<const float> values,
                   std::span<const double> weights, std::span<double> scores) {
  RowSum sum(weights, scores);
  for (Index k = 0; k < ids.size(); ++k) sum.add(ids[k], values[k]);
  sum.flush();
}

void add_up_scores(std::span<const float> values, std::span<const double> weights,
                   std::span<double> scores) {
  RowSum sum(weights, scores);
  for (Index k = 0; k < values.size(); ++k) sum.add(k, values[k]);
  sum.flush();
}

}  // namespace trellis
