#include "trellis/learn/dca.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/learn/online.h"
#include "trellis/learn/risk.h"
#include "trellis/learn/running_mean.h"

namespace trellis {
namespace {

class OnlineDual final : public OnlineRule {
 public:
  OnlineDual(const ConvexOracle& oracle, const DcaOptions& options, std::span<double> w)
      : oracle_(oracle),
        largest_step_(options.lambda > 0
                          ? 1 / (options.lambda * static_cast<double>(oracle.num_examples()))
                          : std::numeric_limits<double>::infinity()),
        w_(w),
        scratch_(oracle.make_scratch()) {
    if (options.average) mean_.emplace(oracle.dimension());
  }

  Visit visit(Index i) override {
    const double loss = oracle_.evaluate(i, w_, *scratch_, cut_);
    const double squared_norm = cut_.slope.squared_norm();
    if (mean_) mean_->count();
    if (!(loss > 0) || !(squared_norm > 0)) return {loss, &cut_, false};
    const double step = std::min(largest_step_, loss / squared_norm);
    cut_.slope.add_to(w_, -step);
    if (mean_) mean_->step(cut_.slope, -step);
    return {loss, &cut_, true};
  }

  std::span<const double> result() override {
    if (!mean_) return w_;
    averaged_.resize(w_.size());
    mean_->write(w_, 1, averaged_);
    return averaged_;
  }

  void save(Checkpoint& checkpoint) const override {
    checkpoint.put("dca/w", w_);
    if (mean_) mean_->save(checkpoint);
  }
  void load(const Checkpoint& checkpoint) override {
    checkpoint.get("dca/w", w_);
    if (mean_) mean_->load(checkpoint);
  }

  // The caller's weights become the result; no visit may follow.
  void deliver() {
    if (mean_) mean_->write(w_, 1, w_);
  }

 private:
  const ConvexOracle& oracle_;
  double largest_step_;
  std::span<double> w_;
  std::optional<RunningMean> mean_;
  std::vector<double> averaged_;
  std::unique_ptr<Scratch> scratch_;
  Cut cut_;
};

class StoredDual final : public OnlineRule {
 public:
  StoredDual(const ConvexOracle& oracle, const DcaOptions& options, std::span<double> w)
      : oracle_(oracle),
        lambda_(options.lambda),
        num_examples_(static_cast<double>(oracle.num_examples())),
        w_(w),
        scratch_(oracle.make_scratch()),
        slopes_(oracle.num_examples()),
        offsets_(oracle.num_examples(), 0.0) {}

  // The dual that belongs to a start other than 0: all cuts there, times the s in [0, 1] that
  // maximises D = s b̄ − s² ‖ā‖²/2λ (0 is the trivial cut).
  bool start(const std::stop_token& stop) override {
    if (std::all_of(w_.begin(), w_.end(), [](double value) { return value == 0; })) return true;
    for (Index i = 0; i < slopes_.size(); ++i) {
      if (stop.stop_requested()) return false;
      oracle_.evaluate(i, w_, *scratch_, cut_);
      slopes_[i] = cut_.slope;
      offsets_[i] = cut_.offset;
    }
    end_epoch();
    // w = −ā/λ now, so that ‖ā‖²/λ = λ ‖w‖².
    const double curvature = lambda_ * squared_norm_;
    const double scale = curvature > 0 ? std::clamp(mean_offset_ / curvature, 0.0, 1.0) : 1.0;
    for (Index i = 0; i < slopes_.size(); ++i) {
      slopes_[i].scale(scale);
      offsets_[i] *= scale;
    }
    end_epoch();
    return true;
  }

  Visit visit(Index i) override {
    const double loss = oracle_.evaluate(i, w_, *scratch_, cut_);
    const double gap = loss - (offsets_[i] + slopes_[i].dot(w_));
    change_ = cut_.slope;
    change_.add(slopes_[i], -1);
    const double squared_norm = change_.squared_norm();
    const double lambda_n = lambda_ * num_examples_;
    // A cut with the same slope can only be lower or higher by rounding.
    if (!(gap > 0) || !(squared_norm > 0)) return {loss, &cut_, false};
    const double fraction = std::min(1.0, lambda_n * gap / squared_norm);
    slopes_[i].add(change_, fraction);
    offsets_[i] += fraction * (cut_.offset - offsets_[i]);
    change_.add_to(w_, -fraction / lambda_n);
    return {loss, &cut_, true};
  }

  // w and D afresh from the stored cuts, so that rounding does not pile up over the epochs.
  void end_epoch() override {
    std::fill(w_.begin(), w_.end(), 0.0);
    const double share = -1 / (lambda_ * num_examples_);
    double offset_sum = 0;
    for (Index i = 0; i < slopes_.size(); ++i) {
      slopes_[i].add_to(w_, share);
      offset_sum += offsets_[i];
    }
    squared_norm_ = inner_product(w_, w_);
    mean_offset_ = offset_sum / num_examples_;
  }

  double bound() const override { return mean_offset_ - lambda_ / 2 * squared_norm_; }
  std::span<const double> result() override { return w_; }
  void deliver() {}

  void save(Checkpoint& checkpoint) const override {
    checkpoint.put("dca/w", w_);
    checkpoint.put_sparse("dca/slopes", slopes_);
    checkpoint.put("dca/offsets", offsets_);
  }
  void load(const Checkpoint& checkpoint) override {
    checkpoint.get("dca/w", w_);
    checkpoint.get_sparse("dca/slopes", w_.size(), slopes_);
    checkpoint.get("dca/offsets", offsets_);
  }

 private:
  const ConvexOracle& oracle_;
  double lambda_;
  double num_examples_;
  std::span<double> w_;
  std::unique_ptr<Scratch> scratch_;
  std::vector<SparseVector> slopes_;  // a_i
  std::vector<double> offsets_;       // b_i
  double squared_norm_ = 0;           // ‖w‖² and (1/n) Σ b_i at the end of the last epoch
  double mean_offset_ = 0;
  Cut cut_;
  SparseVector change_;  // Δa
};

template <class Rule>
LearnSummary run_rule(const ConvexOracle& oracle, const DcaOptions& options, std::span<double> w,
                      const LearnControl& control) {
  Rule rule(oracle, options, w);
  const OnlineSetup setup{
      oracle,
      &oracle,
      options.lambda,
      options.max_epochs,
      options.order,
      fmt::format("dca dual={} lambda={:a} average={}", static_cast<int>(options.dual),
                  options.lambda, options.average)};
  LearnSummary summary = run_online(setup, rule, control);
  rule.deliver();
  return summary;
}

}  // namespace

LearnSummary dca(const ConvexOracle& oracle, const DcaOptions& options, std::span<double> w,
                 const LearnControl& control) {
  require_dimension(oracle, w);
  if (!(options.lambda >= 0)) throw UsageError("DCA needs lambda >= 0");
  if (options.dual == DcaDual::kOnline) return run_rule<OnlineDual>(oracle, options, w, control);
  if (options.lambda == 0) throw UsageError("DCA with a stored dual needs lambda > 0");
  return run_rule<StoredDual>(oracle, options, w, control);
}

}  // namespace trellis
