#include "trellis/learn/batch/bmrm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/learn/batch/bundle.h"
#include "trellis/learn/frame/blocks.h"
#include "trellis/learn/frame/nonnegative.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/learn/frame/trace.h"
#include "trellis/learn/online/online.h"

namespace trellis {
namespace {

class Bmrm {
 public:
  Bmrm(const CutOracle& oracle, const BmrmOptions& options, std::span<double> w,
       const LearnControl& control)
      : options_(options),
        control_(control),
        trace_(control, identity(oracle, options)),
        risk_(oracle, control.threads),
        bundle_(w.size(), options.lambda, oracle.nonnegative(), control.threads),
        best_(w),
        centre_(oracle.touches() ? 0 : w.size()),
        query_(w.begin(), w.end()),
        slope_(w.size()) {}

  LearnSummary run() {
    if (trace_.resume()) load(*control_.checkpoint);
    while (trace_.history().size() < options_.max_iterations) {
      const std::optional<LossBounds> risk = risk_.evaluate(query_, slope_, control_.stop);
      if (!risk) return interrupted();
      const double before = bound_;
      const bool lower = take_if_lower(*risk);
      const bool improved = take_if_better(*risk);
      bundle_.add(slope_, risk->value - inner_product(slope_, query_));
      bundle_.solve();
      bundle_.shrink(kMaxIdle, kMaxCuts);
      bound_ = std::max(bound_, bundle_.bound());
      idle_ = improved || lower || bound_ > before ? 0 : idle_ + 1;
      if (const auto end = record(risk->value)) return trace_.finish(*end);
      choose_query(improved);
    }
    return trace_.finish(Termination::kMaxEpochs);
  }

 private:
  // The maximum number of iterations in a row that change neither objective nor bound.
  static constexpr std::uint64_t kPatience = 10;
  // Limits of the bundle: iterations in a row in which a cut has no mass, and number of cuts.
  static constexpr Index kMaxIdle = 30;
  static constexpr Index kMaxCuts = 300;
  static constexpr double kShortestStep = 0.1;  // s

  static std::string identity(const CutOracle& oracle, const BmrmOptions& options) {
    return fmt::format("bmrm lambda={:a} line_search={} n={} d={}", options.lambda,
                       options.line_search, oracle.num_examples(), oracle.dimension());
  }

  // Whether the query has the least upper bound of P so far: then it is the current result.
  bool take_if_lower(const LossBounds& risk) {
    const double objective = penalty(query_, options_.lambda, 0) + risk.upper;
    if (!(objective < objective_)) return false;
    objective_ = objective;
    std::copy(query_.begin(), query_.end(), best_.begin());
    return true;
  }

  // Whether the found cuts make it the best point so far: then it becomes the new centre.
  bool take_if_better(const LossBounds& risk) {
    const double objective = penalty(query_, options_.lambda, 0) + risk.value;
    if (!(objective < found_)) return false;
    found_ = objective;
    if (!centre_.empty()) std::copy(query_.begin(), query_.end(), centre_.begin());
    return true;
  }

  // w_b. If cuts touch, it is the current result.
  std::span<const double> centre() const {
    return centre_.empty() ? std::span<const double>(best_) : centre_;
  }

  std::optional<Termination> record(double risk) {
    EpochRecord record;
    record.epoch = trace_.history().size() + 1;
    record.objective = objective_;
    record.bound = bound_;
    record.missed = objective_ - found_;
    record.loss = risk;
    record.updates = 1;
    record.weights_touched = query_.size();
    record.passes = 1;
    if (const auto end = trace_.record(record, best_)) return end;
    if (record.gap() == 0) return Termination::kConverged;
    if (!std::isfinite(objective_) || idle_ == kPatience) return Termination::kStalled;
    return std::nullopt;
  }

  void choose_query(bool improved) {
    step_ = improved ? std::min(1.0, 2 * step_) : std::max(kShortestStep, step_ / 2);
    const double s = options_.line_search ? step_ : 1.0;
    const std::span<const double> minimizer = bundle_.minimizer();
    const std::span<const double> from = centre();
    Blocks(query_.size(), control_.threads).each([&](Block b) {
      for (Index j = b.begin; j < b.end; ++j) {
        query_[j] = s == 1 ? minimizer[j] : from[j] + s * (minimizer[j] - from[j]);
      }
    });
  }

  // A run can only be interrupted during a pass over the data, which takes nearly all the time: the
  // state is that before the pass.
  LearnSummary interrupted() {
    if (control_.checkpoint != nullptr) save(*control_.checkpoint);
    return trace_.finish(Termination::kInterrupted);
  }

  void save(Checkpoint& checkpoint) const {
    const double numbers[] = {objective_, found_, bound_, step_};
    checkpoint.put("bmrm/numbers", numbers);
    checkpoint.put_integers("bmrm/idle", std::span<const std::uint64_t>(&idle_, 1));
    checkpoint.put("bmrm/best", best_);
    checkpoint.put("bmrm/centre", centre_);
    checkpoint.put("bmrm/query", query_);
    bundle_.save(checkpoint);
  }

  void load(const Checkpoint& checkpoint) {
    double numbers[4];
    checkpoint.get("bmrm/numbers", numbers);
    objective_ = numbers[0];
    found_ = numbers[1];
    bound_ = numbers[2];
    step_ = numbers[3];
    checkpoint.get_integers("bmrm/idle", std::span<std::uint64_t>(&idle_, 1));
    checkpoint.get("bmrm/best", best_);
    checkpoint.get("bmrm/centre", centre_);
    checkpoint.get("bmrm/query", query_);
    bundle_.load(checkpoint);
  }

  const BmrmOptions& options_;
  const LearnControl& control_;
  Trace trace_;
  CutRisk risk_;
  Bundle bundle_;
  std::span<double> best_;      // of the least upper bound
  std::vector<double> centre_;  // w_b, if it is not best_
  std::vector<double> query_;   // q
  std::vector<double> slope_;
  double objective_ = std::numeric_limits<double>::infinity();  // P(w_b), or above it
  double found_ = std::numeric_limits<double>::infinity();      // P(w_b) by the cuts found
  double bound_ = 0;
  double step_ = 1;         // s
  std::uint64_t idle_ = 0;  // iterations that changed neither objective nor bound
};

}  // namespace

LearnSummary bmrm(const CutOracle& oracle, const BmrmOptions& options, std::span<double> w,
                  const LearnControl& control) {
  require_dimension(oracle, w);
  if (!(options.lambda > 0)) throw UsageError("BMRM needs lambda > 0");
  clip(oracle.nonnegative(), w);
  return Bmrm(oracle, options, w, control).run();
}

}  // namespace trellis
