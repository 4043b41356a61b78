#include "trellis/learn/dual/bcfw.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/learn/dual/stored_dual.h"
#include "trellis/learn/frame/nonnegative.h"
#include "trellis/learn/online/online.h"

namespace trellis {
namespace {

// The item of the random streams (seed, item, visit) that select the examples to revisit.
constexpr std::uint64_t kRevisitStream = 4;

class BcfwRule final : public OnlineRule {
 public:
  BcfwRule(const CutOracle& oracle, const BcfwOptions& options, std::uint64_t seed,
           std::span<double> w)
      : oracle_(oracle),
        options_(options),
        seed_(seed),
        w_(w),
        scratch_(oracle.make_scratch()),
        dual_(oracle, options.lambda, options.cache_size, w),
        gaps_(oracle.num_examples(), std::numeric_limits<double>::infinity()),
        skipped_calls_(oracle.num_examples(), 0) {
    if (averages()) dual_.point().keep_mean();
  }

  bool start(const std::stop_token& stop) override { return dual_.start(*scratch_, stop); }

  Visit visit(Index i) override {
    Visit visit = visit_cached(i) ? Visit{dual_.highest(i), &cut_, true} : call_oracle(i);
    visit.changed = revisit() || visit.changed;
    visit.touched = dual_.take_touched();
    ++num_visits_;
    if (averages()) dual_.point().count();
    return visit;
  }

  void end_epoch() override {
    // Often enough that rounding errors do not accumulate; the number of visits gives the epoch,
    // since this may be called twice.
    if (epoch() % kRefreshEvery == 0) dual_.refresh();
    bound_ = std::max(bound_, dual_.point().bound());
    if (averages()) bound_ = std::max(bound_, dual_.point().bound_of_mean());
  }

  double bound() const override { return bound_; }

  // Whether the sum of the visits' gaps meets the tolerance.
  bool seems_converged(double gap_tolerance) const override {
    const double gap =
        std::accumulate(gaps_.begin(), gaps_.end(), 0.0) / static_cast<double>(gaps_.size());
    return gap <= gap_tolerance * std::abs(bound_ + gap);
  }

  std::span<const double> result() override {
    if (!averages()) return w_;
    averaged_.resize(w_.size());
    dual_.point().write_mean(averaged_);
    return averaged_;
  }

  // Writes the result to the caller's weights; no visit may follow.
  void deliver() {
    const std::span<const double> w = result();
    if (w.data() != w_.data()) std::copy(w.begin(), w.end(), w_.begin());
  }

  void save(Checkpoint& checkpoint) const override {
    dual_.save(checkpoint);
    checkpoint.put("bcfw/gaps", gaps_);
    checkpoint.put("bcfw/bound", std::span<const double>(&bound_, 1));
    checkpoint.put_integers("bcfw/visits", std::span<const std::uint64_t>(&num_visits_, 1));
    checkpoint.put_integers("bcfw/skipped_calls", skipped_calls_);
  }
  void load(const Checkpoint& checkpoint) override {
    dual_.load(checkpoint);
    checkpoint.get("bcfw/gaps", gaps_);
    checkpoint.get("bcfw/bound", std::span<double>(&bound_, 1));
    checkpoint.get_integers("bcfw/visits", std::span<std::uint64_t>(&num_visits_, 1));
    checkpoint.get_integers("bcfw/skipped_calls", skipped_calls_);
  }

 private:
  static constexpr Index kRefreshEvery = 8;
  static constexpr double kWorthAStep = 0.1;
  static constexpr Index kInnerSteps = 30;        // of a visit
  static constexpr Index kCachedVisits = 4;       // after each visit
  static constexpr double kCacheThreshold = 0.5;  // of g_i, for a step without the oracle
  static constexpr Index kMaxSkippedCalls = 10;   // in a row

  bool averages() const { return options_.average == BcfwAverage::kWeighted; }
  Index epoch() const { return num_visits_ / gaps_.size(); }

  // Leaves the value of the example's combination in value_.
  bool visit_cached(Index i) {
    value_ = dual_.evaluate(i);
    if (options_.cache_size == 0 || skipped_calls_[i] >= kMaxSkippedCalls) return false;
    const double gap = dual_.highest(i) - value_;
    if (!(gap > 0) || !(gap >= kCacheThreshold * gaps_[i])) return false;
    ++skipped_calls_[i];
    return shift(i, gap);
  }

  // Lets other examples adapt to the step, with their cached cuts. Returns whether one has moved.
  bool revisit() {
    bool moved = false;
    if (options_.cache_size == 0) return moved;
    Random random(seed_, kRevisitStream, num_visits_);
    for (Index k = 0; k < kCachedVisits; ++k) {
      const Index i = random.below(gaps_.size());
      const double value = dual_.evaluate(i);
      const double gap = dual_.highest(i) - value;
      if (gap > 0) moved = shift(i, gap) || moved;
    }
    return moved;
  }

  Visit call_oracle(Index i) {
    const double loss = oracle_.evaluate(i, dual_.point().weights(), *scratch_, cut_);
    const double gap = std::max(0.0, loss - value_);
    gaps_[i] = gap;
    skipped_calls_[i] = 0;
    if (!(gap > 0)) return {loss, &cut_, false};
    if (options_.cache_size == 0) return {loss, &cut_, dual_.step_towards(i, cut_, gap)};
    dual_.insert(i, cut_, loss);
    return {loss, &cut_, shift(i, gap)};
  }

  // Pairwise steps of example i, whose values at w are known, until the cached cuts promise only a
  // small share of the gain that the visit promised.
  bool shift(Index i, double gap) { return dual_.shift(i, kWorthAStep * gap, kInnerSteps); }

  const CutOracle& oracle_;
  const BcfwOptions& options_;
  std::uint64_t seed_;
  std::span<double> w_;
  std::unique_ptr<Scratch> scratch_;
  StoredDual dual_;
  std::vector<double> gaps_;                  // g_i at the last oracle call
  std::vector<std::uint64_t> skipped_calls_;  // since the last one that was made
  std::vector<double> averaged_;
  Cut cut_;
  double value_ = 0;
  double bound_ = 0;
  std::uint64_t num_visits_ = 0;
};

void validate(const BcfwOptions& options) {
  if (!(options.lambda > 0)) throw UsageError("BCFW needs lambda > 0");
  if (options.gap_every == 0) throw UsageError("BCFW needs gap_every >= 1");
}

std::string identity(const BcfwOptions& options) {
  return fmt::format("bcfw lambda={:a} average={} cache={} every={}", options.lambda,
                     static_cast<int>(options.average), options.cache_size, options.gap_every);
}

}  // namespace

LearnSummary bcfw(const CutOracle& oracle, const BcfwOptions& options, std::span<double> w,
                  const LearnControl& control) {
  require_dimension(oracle, w);
  validate(options);
  clip(oracle.nonnegative(), w);
  BcfwRule rule(oracle, options, control.seed, w);
  OnlineSetup setup{oracle,        &oracle,          options.lambda, options.max_epochs,
                    options.order, identity(options)};
  setup.certify_every = options.gap_every;
  setup.visits_certify = false;
  LearnSummary summary = run_online(setup, rule, control);
  rule.deliver();
  return summary;
}

}  // namespace trellis
