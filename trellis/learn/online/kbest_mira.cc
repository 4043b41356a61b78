#include "trellis/learn/online/kbest_mira.h"

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/learn/frame/nonnegative.h"
#include "trellis/learn/online/online.h"
#include "trellis/learn/online/running_mean.h"
#include "trellis/solve/polytopes/hildreth.h"

namespace trellis {
namespace {

class MiraRule final : public OnlineRule {
 public:
  MiraRule(const KBestOracle& oracle, const KBestMiraOptions& options, std::span<double> w)
      : oracle_(oracle),
        k_(options.k),
        cap_(options.lambda > 0 ? 1 / (options.lambda * static_cast<double>(oracle.num_examples()))
                                : std::numeric_limits<double>::infinity()),
        w_(w),
        scratch_(oracle.make_scratch()) {
    if (options.average) mean_.emplace(oracle.dimension());
  }

  Visit visit(Index i) override {
    const double loss = oracle_.evaluate_k_best(i, w_, k_, *scratch_, cuts_);
    if (mean_) mean_->count();
    // The first cut is the highest at w: if it does not violate, none does, and w stays.
    if (!(loss > 0)) return {loss, &cuts_.front(), false};
    solve_step(loss);
    bool changed = false;
    for (Index j = 0; j < cuts_.size(); ++j) {
      // A cut without slope may hold mass: it keeps ξ from falling below its constant.
      if (alpha_[j] == 0 || gram_[j * cuts_.size() + j] == 0) continue;
      cuts_[j].slope.add_to(w_, -alpha_[j]);
      if (mean_) mean_->step(cuts_[j].slope, -alpha_[j]);
      changed = true;
    }
    if (changed) return_to_range();
    return {loss, &cuts_.front(), changed};
  }

  std::span<const double> result() override {
    if (!mean_) return w_;
    averaged_.resize(w_.size());
    mean_->write(w_, 1, averaged_);
    clip(oracle_.nonnegative(), averaged_);  // the mean of weights >= 0, up to rounding
    return averaged_;
  }

  void save(Checkpoint& checkpoint) const override {
    checkpoint.put("kbest_mira/w", w_);
    if (mean_) mean_->save(checkpoint);
  }
  void load(const Checkpoint& checkpoint) override {
    checkpoint.get("kbest_mira/w", w_);
    if (mean_) mean_->load(checkpoint);
  }

  // The caller's weights become the result; no visit may follow.
  void deliver() {
    if (mean_) mean_->write(w_, 1, w_);
    clip(oracle_.nonnegative(), w_);
  }

 private:
  // To the nearest weights that are >= 0 where they must be.
  void return_to_range() {
    if (oracle_.nonnegative().empty()) return;
    for (const Cut& cut : cuts_) {
      clip_touched(oracle_.nonnegative(), cut.slope, w_, [this](Index j, double by) {
        if (mean_) mean_->step(j, by);
      });
    }
  }

  // alpha_ ← the multipliers of the cuts. The values of the cuts at w are the residuals; the first
  // is the loss, as the oracle returned it.
  void solve_step(double loss) {
    const Index size = cuts_.size();
    gram_.resize(size * size);
    residuals_.resize(size);
    alpha_.resize(size);
    for (Index j = 0; j < size; ++j) {
      residuals_[j] = j == 0 ? loss : cuts_[j].value(w_);
      gram_[j * size + j] = cuts_[j].slope.squared_norm();
      for (Index l = 0; l < j; ++l) {
        gram_[j * size + l] = gram_[l * size + j] = cuts_[j].slope.dot(cuts_[l].slope);
      }
    }
    hildreth(gram_, residuals_, cap_, alpha_);
  }

  const KBestOracle& oracle_;
  Index k_;
  double cap_;
  std::span<double> w_;
  std::optional<RunningMean> mean_;
  std::vector<double> averaged_;
  std::unique_ptr<Scratch> scratch_;
  std::vector<Cut> cuts_;
  std::vector<double> gram_;
  std::vector<double> residuals_;
  std::vector<double> alpha_;
};

}  // namespace

LearnSummary kbest_mira(const KBestOracle& oracle, const KBestMiraOptions& options,
                        std::span<double> w, const LearnControl& control) {
  require_dimension(oracle, w);
  clip(oracle.nonnegative(), w);
  if (!(options.lambda >= 0)) throw UsageError("k-best MIRA needs lambda >= 0");
  if (options.k == 0) throw UsageError("k-best MIRA needs k >= 1");
  MiraRule rule(oracle, options, w);
  const OnlineSetup setup{oracle,
                          &oracle,
                          options.lambda,
                          options.max_epochs,
                          options.order,
                          fmt::format("kbest_mira k={} lambda={:a} average={}", options.k,
                                      options.lambda, options.average)};
  LearnSummary summary = run_online(setup, rule, control);
  rule.deliver();
  return summary;
}

}  // namespace trellis
