#include "trellis/learn/dual/dca.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/learn/dual/stored_dual.h"
#include "trellis/learn/frame/nonnegative.h"
#include "trellis/learn/online/online.h"
#include "trellis/learn/online/running_mean.h"

namespace trellis {
namespace {

class OnlineDual final : public OnlineRule {
 public:
  OnlineDual(const Oracle& oracle, const DcaOptions& options, std::span<double> w)
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
    if (!(loss > 0) || !(squared_norm > 0)) return {loss, &cut_, false, 0, scratch_.get()};
    const double step = std::min(largest_step_, loss / squared_norm);
    cut_.slope.add_to(w_, -step);
    if (mean_) mean_->step(cut_.slope, -step);
    return {loss, &cut_, true, 0, scratch_.get()};
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
  const Oracle& oracle_;
  double largest_step_;
  std::span<double> w_;
  std::optional<RunningMean> mean_;
  std::vector<double> averaged_;
  std::unique_ptr<Scratch> scratch_;
  Cut cut_;
};

class StoredRule final : public OnlineRule {
 public:
  StoredRule(const CutOracle& oracle, const DcaOptions& options, std::span<double> w)
      : oracle_(oracle), scratch_(oracle.make_scratch()), dual_(oracle, options.lambda, 0, w) {}

  bool start(const std::stop_token& stop) override { return dual_.start(*scratch_, stop); }

  Visit visit(Index i) override {
    const double loss = oracle_.evaluate(i, dual_.point().weights(), *scratch_, cut_);
    const double gap = loss - dual_.evaluate(i);
    // A cut with the same slope can only be lower or higher by rounding.
    return {loss, &cut_, gap > 0 && dual_.step_towards(i, cut_, gap)};
  }

  void end_epoch() override { dual_.refresh(); }
  double bound() const override { return dual_.point().bound(); }
  std::span<const double> result() override { return dual_.point().weights(); }
  void deliver() {}
  void save(Checkpoint& checkpoint) const override { dual_.save(checkpoint); }
  void load(const Checkpoint& checkpoint) override { dual_.load(checkpoint); }

 private:
  const CutOracle& oracle_;
  std::unique_ptr<Scratch> scratch_;
  StoredDual dual_;
  Cut cut_;
};

// `cuts` or `estimates` is the oracle, and the other one null.
template <class Rule, class OracleType>
LearnSummary run_rule(const OracleType& oracle, const CutOracle* cuts,
                      const ApproximateOracle* estimates, const DcaOptions& options,
                      std::span<double> w, const LearnControl& control) {
  Rule rule(oracle, options, w);
  OnlineSetup setup{oracle,
                    cuts,
                    options.lambda,
                    options.max_epochs,
                    options.order,
                    fmt::format("dca dual={} lambda={:a} average={}",
                                static_cast<int>(options.dual), options.lambda, options.average)};
  setup.estimates = estimates;
  LearnSummary summary = run_online(setup, rule, control);
  rule.deliver();
  return summary;
}

void check_dca(const Oracle& oracle, const DcaOptions& options, std::span<const double> w) {
  require_dimension(oracle, w);
  if (!(options.lambda >= 0)) throw UsageError("DCA needs lambda >= 0");
  if (options.dual == DcaDual::kOnline) require_unrestricted(oracle, "DCA without a stored dual");
}

}  // namespace

LearnSummary dca(const ApproximateOracle& oracle, const DcaOptions& options, std::span<double> w,
                 const LearnControl& control) {
  check_dca(oracle, options, w);
  if (options.dual == DcaDual::kStored) {
    throw UsageError("DCA with a stored dual needs convex losses: these are estimates or bounds");
  }
  return run_rule<OnlineDual>(oracle, nullptr, &oracle, options, w, control);
}

LearnSummary dca(const CutOracle& oracle, const DcaOptions& options, std::span<double> w,
                 const LearnControl& control) {
  check_dca(oracle, options, w);
  if (options.dual == DcaDual::kOnline) {
    return run_rule<OnlineDual>(oracle, &oracle, nullptr, options, w, control);
  }
  if (options.lambda == 0) throw UsageError("DCA with a stored dual needs lambda > 0");
  clip(oracle.nonnegative(), w);
  return run_rule<StoredRule>(oracle, &oracle, nullptr, options, w, control);
}

}  // namespace trellis
