#include "trellis/generative/margin/margin_risk.h"

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

MarginRisk::MarginRisk(const ConvexOracle& losses, double eta, Penalty penalty, Index num_sets,
                       int threads)
    : losses_(&losses),
      eta_(eta),
      penalty_(penalty),
      num_sets_(std::clamp<Index>(num_sets, 1, std::max<Index>(losses.num_examples(), 1))),
      threads_(resolve_threads(threads)) {
  if (losses.num_examples() == 0) throw UsageError("there are no examples to learn from");
  for (int worker = 0; worker < threads_; ++worker) scratch_.push_back(losses.make_scratch());
  cuts_.resize(scratch_.size());
}

double MarginRisk::accumulate(Index example, std::span<const double> theta, Scratch& scratch,
                              Cut& cut, std::span<double> mu) const {
  if (penalty_ == Penalty::kLinear) return losses_->accumulate(example, theta, scratch, mu);
  const double loss = losses_->evaluate(example, theta, scratch, cut);
  cut.slope.add_to(mu, loss);
  return loss * loss / 2;
}

double MarginRisk::cut(Index set, std::span<const double> theta, std::span<double> mu) {
  const Index all = losses_->num_examples();
  const Index size = (all - set + num_sets_ - 1) / num_sets_;
  const double sum = parallel_sum(
      size, threads_, mu,
      [&](Index begin, Index end, int worker, std::span<double> partial) {
        const auto w = static_cast<Index>(worker);
        double value = 0;
        for (Index k = begin; k < end; ++k) {
          value += accumulate(set + k * num_sets_, theta, *scratch_[w], cuts_[w], partial);
        }
        return value;
      },
      buffers_);
  scale(eta_, mu);
  return eta_ * sum;
}

}  // namespace trellis
