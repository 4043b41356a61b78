#include "trellis/learn/online/sgd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/learn/frame/nonnegative.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/learn/online/online.h"
#include "trellis/learn/online/running_mean.h"

namespace trellis {
namespace {

// The item of the random stream (seed, item) that the judges of η are drawn from.
constexpr std::uint64_t kSampleStream = 2;
constexpr Index kSampleSize = 1000;
constexpr std::array kCandidates = {0.001, 0.01, 0.1, 1.0, 10.0, 100.0};  // for η

class SgdRule final : public OnlineRule {
 public:
  SgdRule(const Oracle& oracle, const SgdOptions& options, double eta, std::span<double> w)
      : oracle_(oracle),
        lambda_(options.lambda),
        eta_(eta),
        v_(w),
        scratch_(oracle.make_scratch()) {
    if (options.average) mean_.emplace(oracle.dimension());
  }

  Visit visit(Index i) override {
    const double loss = oracle_.evaluate(i, v_, *scratch_, cut_);
    const double epochs =
        static_cast<double>(num_visits_) / static_cast<double>(oracle_.num_examples());
    const double step = eta_ / (1 + epochs);
    ++num_visits_;
    if (mean_) mean_->count(scale_);
    cut_.slope.add_to(v_, -step / scale_);
    if (mean_) mean_->step(cut_.slope, -step / scale_);
    clip_touched(oracle_.nonnegative(), cut_.slope, v_, [this](Index j, double by) {
      if (mean_) mean_->step(j, by);
    });
    handed_out_ += cut_.slope.num_stored();
    if (lambda_ > 0) {
      scale_ /= 1 + step * lambda_;
      if (handed_out_ >= v_.size() || scale_ < kSmallestScale) fold();
    }
    return {loss, &cut_, lambda_ > 0 || cut_.slope.squared_norm() > 0, 0, scratch_.get()};
  }

  void end_epoch() override { fold(); }

  std::span<const double> result() override {
    if (!mean_ && scale_ == 1) return v_;
    result_.resize(v_.size());
    if (mean_) {
      mean_->write(v_, scale_, result_);
      clip(oracle_.nonnegative(), result_);  // the mean of weights >= 0, up to rounding
    } else {
      for (Index j = 0; j < v_.size(); ++j) result_[j] = scale_ * v_[j];
    }
    return result_;
  }

  void save(Checkpoint& checkpoint) const override {
    checkpoint.put("sgd/v", v_);
    checkpoint.put("sgd/scale", std::span<const double>(&scale_, 1));
    const std::uint64_t counters[] = {num_visits_, handed_out_};
    checkpoint.put_integers("sgd/counters", counters);
    if (mean_) mean_->save(checkpoint);
  }
  void load(const Checkpoint& checkpoint) override {
    checkpoint.get("sgd/v", v_);
    checkpoint.get("sgd/scale", std::span<double>(&scale_, 1));
    std::uint64_t counters[2];
    checkpoint.get_integers("sgd/counters", counters);
    num_visits_ = counters[0];
    handed_out_ = counters[1];
    if (mean_) mean_->load(checkpoint);
  }

 private:
  // Far above underflow, and never reached by sensible rates.
  static constexpr double kSmallestScale = 1e-9;

  void fold() {
    handed_out_ = 0;
    if (scale_ == 1) return;
    if (mean_) mean_->fold(v_);
    for (double& value : v_) value *= scale_;
    scale_ = 1;
  }

  const Oracle& oracle_;
  double lambda_;
  double eta_;
  std::span<double> v_;  // the weights are scale_ · v_
  double scale_ = 1;
  std::optional<RunningMean> mean_;
  std::vector<double> result_;
  std::unique_ptr<Scratch> scratch_;
  Cut cut_;
  Index num_visits_ = 0;
  Index handed_out_ = 0;  // coordinates of the slopes since the last fold
};

class Sgd {
 public:
  // `cuts` and `estimates` are the oracle, or null.
  Sgd(const Oracle& oracle, const CutOracle* cuts, const ApproximateOracle* estimates,
      const SgdOptions& options, std::span<double> w, const LearnControl& control)
      : oracle_(oracle),
        cuts_(cuts),
        estimates_(estimates),
        options_(options),
        w_(w),
        control_(control) {}

  SgdSummary run() {
    SgdSummary summary;
    summary.eta = options_.eta;
    if (options_.eta == 0 && !choose_eta(summary)) return summary;
    static_cast<LearnSummary&>(summary) = descend(summary.eta, options_.max_epochs, control_);
    if (summary.termination == Termination::kInterrupted) save_choice(summary, {});
    return summary;
  }

 private:
  LearnSummary descend(double eta, Index max_epochs, const LearnControl& control) {
    SgdRule rule(oracle_, options_, eta, w_);
    OnlineSetup setup{
        oracle_,
        cuts_,
        options_.lambda,
        max_epochs,
        options_.order,
        fmt::format("sgd eta={:a} lambda={:a} average={}", eta, options_.lambda, options_.average)};
    setup.estimates = estimates_;
    LearnSummary summary = run_online(setup, rule, control);
    const std::span<const double> result = rule.result();
    if (result.data() != w_.data()) std::copy(result.begin(), result.end(), w_.begin());
    return summary;
  }

  // Fills summary.eta and leaves the start in w. False if the run was interrupted before the choice
  // was complete; the summary then states that.
  bool choose_eta(SgdSummary& summary) {
    std::vector<double> start(w_.begin(), w_.end());
    summary.eta = kUnknown;
    load_choice(summary, start);
    if (!std::isnan(summary.eta)) return true;
    LearnControl trial = control_;
    trial.certify = false;
    trial.gap_tolerance = 0;
    trial.observer = nullptr;
    while (summary.eta_scores.size() < kCandidates.size()) {
      std::copy(start.begin(), start.end(), w_.begin());
      const double eta = kCandidates[summary.eta_scores.size()];
      static_cast<LearnSummary&>(summary) = descend(eta, 1, trial);
      if (summary.termination != Termination::kInterrupted) summary.eta_seconds += summary.seconds;
      if (summary.termination == Termination::kInterrupted) {
        save_choice(summary, start);
        return false;
      }
      summary.eta_scores.push_back(score());
    }
    const auto best = std::max_element(summary.eta_scores.begin(), summary.eta_scores.end());
    summary.eta = kCandidates[static_cast<Index>(best - summary.eta_scores.begin())];
    std::copy(start.begin(), start.end(), w_.begin());
    return true;
  }

  // Weights that have run away to infinity or beyond score lowest.
  double score() const {
    constexpr double kWorst = -std::numeric_limits<double>::infinity();
    if (!std::all_of(w_.begin(), w_.end(), [](double x) { return std::isfinite(x); }))
      return kWorst;
    const double value = options_.held_out ? options_.held_out(w_) : -sampled_objective();
    return std::isnan(value) ? kWorst : value;
  }

  double sampled_objective() const {
    std::vector<Index> sample =
        random_permutation(oracle_.num_examples(), Random(control_.seed, kSampleStream));
    sample.resize(std::min(sample.size(), kSampleSize));
    Risk risk(oracle_, control_.threads);
    return penalty(w_, options_.lambda, 0) + risk.evaluate(w_, sample);
  }

  void save_choice(const SgdSummary& summary, std::span<const double> start) const {
    if (control_.checkpoint == nullptr || options_.eta != 0) return;
    control_.checkpoint->put("sgd/eta", std::span<const double>(&summary.eta, 1));
    control_.checkpoint->put("sgd/eta_scores", summary.eta_scores);
    control_.checkpoint->put("sgd/eta_seconds", std::span<const double>(&summary.eta_seconds, 1));
    control_.checkpoint->put("sgd/start", start);
  }

  // A choice that is made or half made is taken over from the checkpoint.
  void load_choice(SgdSummary& summary, std::vector<double>& start) const {
    const Checkpoint* checkpoint = control_.checkpoint;
    if (checkpoint == nullptr || !checkpoint->has("sgd/eta")) return;
    checkpoint->get("sgd/eta", std::span<double>(&summary.eta, 1));
    summary.eta_scores = checkpoint->doubles("sgd/eta_scores");
    checkpoint->get("sgd/eta_seconds", std::span<double>(&summary.eta_seconds, 1));
    if (std::isnan(summary.eta)) checkpoint->get("sgd/start", start);
    if (summary.eta_scores.size() > kCandidates.size()) {
      throw UsageError("the checkpoint belongs to a run with more candidates for eta");
    }
  }

  const Oracle& oracle_;
  const CutOracle* cuts_;
  const ApproximateOracle* estimates_;
  const SgdOptions& options_;
  std::span<double> w_;
  const LearnControl& control_;
};

void validate(const Oracle& oracle, const SgdOptions& options, std::span<const double> w) {
  require_dimension(oracle, w);
  if (!(options.lambda >= 0)) throw UsageError("SGD needs lambda >= 0");
  if (!(options.eta >= 0)) throw UsageError("SGD needs a learning rate eta >= 0 (0: automatic)");
}

}  // namespace

SgdSummary sgd(const CutOracle& oracle, const SgdOptions& options, std::span<double> w,
               const LearnControl& control) {
  validate(oracle, options, w);
  clip(oracle.nonnegative(), w);
  return Sgd(oracle, &oracle, nullptr, options, w, control).run();
}

SgdSummary sgd(const ApproximateOracle& oracle, const SgdOptions& options, std::span<double> w,
               const LearnControl& control) {
  validate(oracle, options, w);
  clip(oracle.nonnegative(), w);
  return Sgd(oracle, nullptr, &oracle, options, w, control).run();
}

SgdSummary sgd(const Oracle& oracle, const SgdOptions& options, std::span<double> w,
               const LearnControl& control) {
  validate(oracle, options, w);
  clip(oracle.nonnegative(), w);
  return Sgd(oracle, nullptr, nullptr, options, w, control).run();
}

}  // namespace trellis
