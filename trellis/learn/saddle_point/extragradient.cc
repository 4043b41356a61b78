#include "trellis/learn/saddle_point/extragradient.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/learn/frame/blocks.h"
#include "trellis/learn/frame/part_pass.h"
#include "trellis/learn/frame/trace.h"
#include "trellis/learn/saddle_point/extragradient_gap.h"
#include "trellis/learn/saddle_point/extragradient_parts.h"
#include "trellis/learn/saddle_point/extragradient_start.h"
#include "trellis/learn/saddle_point/extragradient_weights.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kStepGrowth = 1.07;
constexpr double kStepCut = 1.5;
// The factors by which σ may be wrong.
constexpr double kTooSmall = 3;
constexpr double kTooLarge = 20;
// The iterations after which σ may change.
constexpr std::array<Index, 3> kBalancings = {32, 128, 512};
constexpr double kRounding = 1e-12;  // of the terms of Q

// The uses of the vectors of PartMemory.
enum : Index { kTarget, kCosts, kDual, kState, kPoint, kDifference };

// s_z, z̄ and the last u_z of all examples, for the stored form.
class StoredParts {
 public:
  explicit StoredParts(const PartOracle& oracle) {
    for (Index i = 0; i < oracle.num_examples(); ++i) {
      begin_.push_back(begin_.back() + oracle.num_parts(i));
    }
    for (auto* parts : {&dual, &mean, &last}) parts->assign(begin_.back(), 0.0);
  }
  std::span<double> of(std::vector<double>& parts, Index i) const {
    return std::span(parts).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

  std::vector<double> dual, mean, last;

 private:
  std::vector<Index> begin_ = {0};
};

template <class PartSteps>
class DualExtragradient {
 public:
  DualExtragradient(const PartSteps& parts, bool proven, const ExtragradientOptions& options,
                    std::span<double> w, const LearnControl& control)
      : parts_(parts),
        oracle_(parts.oracle()),
        proven_(proven),
        options_(options),
        control_(control),
        lambda_n_(options.lambda * static_cast<double>(oracle_.num_examples())),
        trace_(control, identity()),
        pass_(oracle_, control.threads, control.stop),
        gap_(oracle_, options, pass_),
        blocks_(w.size(), control.threads),
        mean_(w) {
    if (options.form == ExtragradientForm::kStored) stored_.emplace(oracle_);
  }

  LearnSummary run() {
    if (trace_.resume()) load(*control_.checkpoint);
    if (!steps_) set_center();
    if (!started_ && !start()) return interrupted();
    while (true) {
      if (unrecorded_) {
        EpochRecord record;
        if (!describe(record)) return interrupted();
        unrecorded_ = false;
        if (const auto end = trace_.record(record, mean_)) return trace_.finish(*end);
      }
      if (iteration_ >= options_.max_iterations) return trace_.finish(Termination::kMaxEpochs);
      if (!iterate()) return interrupted();
    }
  }

 private:
  std::string identity() const {
    return fmt::format(
        "extragradient {} iterations={} form={} step={:a} adaptive={} accelerate={} balance={:a} "
        "every={} entropic={} n={} d={}",
        options_.identity(), options_.max_iterations, static_cast<int>(options_.form),
        options_.step_scale, options_.adaptive, options_.accelerate, options_.balance,
        options_.gap_every, !proven_, oracle_.num_examples(), oracle_.dimension());
  }

  void set_center() {
    WeightSet(oracle_, options_).project(mean_);
    std::vector<double> center;
    if (std::any_of(mean_.begin(), mean_.end(), [](double weight) { return weight != 0; })) {
      if (options_.ball == WeightBall::kL1) {
        throw UsageError("extragradient with a ball of the 1-norm always starts from w = 0");
      }
      center.assign(mean_.begin(), mean_.end());
    }
    steps_ = make_weight_steps(oracle_, options_, std::move(center));
  }

  // Call it after start() has released its own vectors.
  void allocate() {
    for (auto* vector : {&dual_, &v_, &sum_at_v_, &sum_at_u_}) vector->resize(mean_.size(), 0.0);
  }

  // Computes the constants of the steps. False if it was stopped.
  bool start() {
    sum_at_v_.resize(mean_.size());
    const std::optional<SaddleStart> start =
        measure_start(oracle_, options_, mean_, control_, pass_, sum_at_v_);
    if (!start) return false;
    const auto constant =
        pass_.sum([&](Index i, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
          const Index size = oracle_.num_parts(i);
          const std::span<double> y = memory.get(kTarget, size);
          oracle_.target(i, y);
          terms.numbers[0] = parts_.center_constant(i, y, memory.get(kState, size),
                                                    memory.get(kPoint, size), scratch);
        });
    if (!constant) return false;
    center_constant_ = (*constant)[0];
    // Without features the players are independent, and any step is right.
    proven_lipschitz_ = start->norm > 0 ? start->norm * steps_->lipschitz_scale() : 1.0;
    lipschitz_ = proven_lipschitz_ / options_.step_scale;
    scale_.sigma = options_.balance;
    if (scale_.sigma == 0) {
      // On the simplex of the 1-norm ball divergences are of the order of 1.
      const double reach = options_.ball == WeightBall::kL1 ? 1.0 : start->weight_reach;
      scale_.sigma = balance_of(reach, start->part_distance);
    }
    allocate();
    started_ = true;
    return true;
  }

  // s ← F_iᵀ w + c_i
  void augmented_scores(Index i, std::span<const double> w, PartMemory& memory, Scratch& scratch,
                        std::span<double> s) const {
    const std::span<double> c = memory.get(kCosts, s.size());
    oracle_.costs(i, c);
    oracle_.scores(i, w, scratch, s);
    axpy(1, c, s);
  }

  // √(bσ)/L, with b the modulus of S in w
  double step() const {
    const double growth = options_.accelerate ? 1 + scale_.sigma * lambda_n_ * scale_.mass : 1.0;
    return std::sqrt(growth) / lipschitz_;
  }

  bool iterate() {
    if (next_sigma_ > 0) begin_again();
    const double weight_minimum = steps_->from_center(dual_, scale_, v_);
    const double a = step();
    const std::span<double> sums[] = {sum_at_v_, sum_at_u_};
    const auto totals =
        pass_.sum(sums, [&](Index i, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
          move_parts(i, a, memory, scratch, terms);
        });
    if (!totals) return false;
    const auto [part_minimum, linear, cost] = *totals;
    const double minimum = weight_minimum + part_minimum + scale_.sigma * center_constant_;
    // σ d(ẑ, v_z): the minimum over z, without its linear term.
    const double part_distance = minimum - weight_minimum + linear;
    govern(minimum, part_distance);
    rebalance(weight_minimum, part_distance);
    advance(a, cost);
    ++iteration_;
    unrecorded_ = true;
    return true;
  }

  // v_z and u_z of one example: their slopes, and the minimum over z_i of its part of S, s·(v_z −
  // z(y_i)) and c_i·(u_z − z(y_i)).
  void move_parts(Index i, double a, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
    const Index size = oracle_.num_parts(i);
    const std::span<double> y = memory.get(kTarget, size);
    const std::span<double> s = memory.get(kDual, size);
    const std::span<double> state = memory.get(kState, size);
    const std::span<double> z = memory.get(kPoint, size);
    oracle_.target(i, y);
    dual_of(i, memory, scratch, s);
    terms.numbers[0] = parts_.from_center(i, y, s, scale_.sigma, scratch, state, z);
    const std::span<double> difference = memory.get(kDifference, size);
    for (Index p = 0; p < size; ++p) difference[p] = z[p] - y[p];
    terms.numbers[1] = dot(s, difference);
    oracle_.features(i, difference, 1, scratch, terms.slopes[0]);

    augmented_scores(i, v_, memory, scratch, s);
    parts_.from_point(i, z, s, a / scale_.sigma, scratch, state, z);
    for (Index p = 0; p < size; ++p) difference[p] = z[p] - y[p];
    oracle_.features(i, difference, 1, scratch, terms.slopes[1]);
    terms.numbers[2] = dot(memory.get(kCosts, size), difference);
    if (stored_) std::copy(z.begin(), z.end(), stored_->of(stored_->last, i).begin());
  }

  // s_z of example i: from memory, or A (F_iᵀ w̄ + c_i).
  void dual_of(Index i, PartMemory& memory, Scratch& scratch, std::span<double> s) {
    if (stored_) {
      const std::span<const double> kept = stored_->of(stored_->dual, i);
      std::copy(kept.begin(), kept.end(), s.begin());
    } else if (scale_.mass == 0) {
      std::fill(s.begin(), s.end(), 0.0);
    } else {
      augmented_scores(i, mean_, memory, scratch, s);
      scale(scale_.mass, s);
    }
  }

  // Changes the step according to the change of Q. `minimum` is that of S, and `budget` the
  // decrease of Q that steps may cause by being too long; ⟨A(u), u − (0, z(y))⟩ is −c·(u_z − z(y)),
  // because the bilinear terms cancel.
  void govern(double minimum, double budget) {
    const double q = minimum + cost_ - penalty_;
    const double fall = last_q_ - q;
    last_q_ = q;
    if (!options_.adaptive || scale_.mass == 0) return;
    if (fall > kRounding * (std::abs(minimum) + std::abs(cost_))) {
      lost_ += fall;
      lipschitz_ *= kStepCut;
      if (proven_) lipschitz_ = std::min(lipschitz_, proven_lipschitz_);
    } else if (lost_ <= budget) {
      lipschitz_ /= kStepGrowth;
    }
  }

  // d(ŵ, v_w)/σ: the minimum without the linear term and the penalty.
  double weight_distance(double weight_minimum) const {
    const double linear = oracle_.inner_product(dual_, v_);
    if (lambda_n_ == 0) return weight_minimum + linear;
    return weight_minimum + linear - scale_.mass * lambda_n_ / 2 * oracle_.inner_product(v_, v_);
  }

  // From the next iteration on, σ ← √(d(ŵ, v_w)/d(ẑ, v_z)), if it is time for it, σ is far off, and
  // a restart can still be worthwhile. A w that has moved far will move further; one that has not
  // may have started near its optimum.
  void rebalance(double weight_minimum, double part_distance) {
    const bool due =
        std::find(kBalancings.begin(), kBalancings.end(), iteration_) != kBalancings.end() &&
        options_.max_iterations >= 2 * iteration_;
    if (options_.balance > 0 || !due) return;
    const double correction = std::sqrt(weight_distance(weight_minimum) / part_distance);
    if (!std::isfinite(correction) || correction <= 0) return;
    if (correction > kTooSmall || correction < 1 / kTooLarge) {
      next_sigma_ = scale_.sigma * correction;
    }
  }

  // A new game around w̄ with another σ: the sums in S belong to the old game, and v would jump
  // with σ.
  void begin_again() {
    scale_ = {0, next_sigma_};
    next_sigma_ = 0;
    std::fill(dual_.begin(), dual_.end(), 0.0);
    if (stored_) std::fill(stored_->dual.begin(), stored_->dual.end(), 0.0);
    cost_ = penalty_ = last_q_ = lost_ = 0;
    lipschitz_ = std::max(lipschitz_, proven_lipschitz_ / options_.step_scale);
    // The centre of the simplex of the 1-norm ball never changes.
    if (options_.ball != WeightBall::kL1) set_center();
  }

  // Computes u_w, and adds it to the sums. `cost` is Σ_i c_i·(u_i − z(y_i)).
  void advance(double a, double cost) {
    const double norm = steps_->from_point(v_, dual_, sum_at_v_, a, scale_, v_);
    const std::span<const double> at_u(sum_at_u_);
    scale_.mass += a;
    const double share = a / scale_.mass;
    blocks_.each([&](Block b) {
      axpy(-a, b.of(at_u), b.of(dual_));
      for (Index j = b.begin; j < b.end; ++j) mean_[j] += share * (v_[j] - mean_[j]);
    });
    cost_ += a * cost;
    penalty_ += a * lambda_n_ / 2 * norm;
    if (stored_) store(a, share);
  }

  void store(double a, double share) {
    pass_.each([&](Index i, PartMemory& memory, Scratch& scratch) {
      const std::span<double> s = memory.get(kDual, oracle_.num_parts(i));
      augmented_scores(i, v_, memory, scratch, s);
      axpy(a, s, stored_->of(stored_->dual, i));
      const std::span<double> mean = stored_->of(stored_->mean, i);
      const std::span<const double> last = stored_->of(stored_->last, i);
      for (Index p = 0; p < mean.size(); ++p) mean[p] += share * (last[p] - mean[p]);
    });
  }

  // False if the pass of the gap was stopped.
  bool describe(EpochRecord& record) {
    record.epoch = iteration_;
    record.updates = 1;
    record.weights_touched = v_.size();
    record.passes = 1;
    const bool last = iteration_ == options_.max_iterations;
    if (!control_.certify || (iteration_ % options_.gap_every != 0 && !last)) return true;
    // Σ_i F_i (z̄_i − z(y_i)) is −s_w/A.
    const std::span<double> slope(sum_at_v_);
    for (Index j = 0; j < slope.size(); ++j) slope[j] = -dual_[j] / scale_.mass;
    ++record.passes;
    return gap_.evaluate(mean_, slope, cost_ / scale_.mass, record);
  }

  LearnSummary interrupted() {
    if (control_.checkpoint != nullptr) save(*control_.checkpoint);
    return trace_.finish(Termination::kInterrupted);
  }

  void save(Checkpoint& checkpoint) const {
    const std::uint64_t counts[] = {started_, unrecorded_, iteration_};
    checkpoint.put_integers("extragradient/counts", counts);
    const double scalars[] = {scale_.mass, scale_.sigma,     lipschitz_, proven_lipschitz_,
                              cost_,       center_constant_, penalty_,   last_q_,
                              lost_,       next_sigma_};
    checkpoint.put("extragradient/scalars", scalars);
    checkpoint.put("extragradient/center", steps_->center());
    checkpoint.put("extragradient/mean", mean_);
    if (started_) checkpoint.put("extragradient/dual", dual_);
    if (stored_) {
      checkpoint.put("extragradient/part_dual", stored_->dual);
      checkpoint.put("extragradient/part_mean", stored_->mean);
    }
    gap_.save(checkpoint);
  }

  void load(const Checkpoint& checkpoint) {
    std::uint64_t counts[3];
    checkpoint.get_integers("extragradient/counts", counts);
    started_ = counts[0] != 0;
    unrecorded_ = counts[1] != 0;
    iteration_ = counts[2];
    double scalars[10];
    checkpoint.get("extragradient/scalars", scalars);
    scale_ = {scalars[0], scalars[1]};
    lipschitz_ = scalars[2];
    proven_lipschitz_ = scalars[3];
    cost_ = scalars[4];
    center_constant_ = scalars[5];
    penalty_ = scalars[6];
    last_q_ = scalars[7];
    lost_ = scalars[8];
    next_sigma_ = scalars[9];
    const std::vector<double>& center = checkpoint.doubles("extragradient/center");
    if (!center.empty() && center.size() != mean_.size()) {
      throw InputError("checkpoint", 0, "the centre does not fit the problem");
    }
    steps_ = make_weight_steps(oracle_, options_, center);
    checkpoint.get("extragradient/mean", mean_);
    if (started_) {
      allocate();
      checkpoint.get("extragradient/dual", dual_);
    }
    if (stored_) {
      checkpoint.get("extragradient/part_dual", stored_->dual);
      checkpoint.get("extragradient/part_mean", stored_->mean);
    }
    gap_.load(checkpoint);
  }

  const PartSteps& parts_;
  const PartOracle& oracle_;
  bool proven_;  // whether proven_lipschitz_ is
  const ExtragradientOptions& options_;
  const LearnControl& control_;
  double lambda_n_;
  Trace trace_;
  PartPass pass_;
  SaddleGap gap_;
  Blocks blocks_;
  std::unique_ptr<WeightSteps> steps_;
  std::span<double> mean_;        // w̄
  std::vector<double> dual_;      // s_w
  std::vector<double> v_;         // v_w, then u_w
  std::vector<double> sum_at_v_;  // Σ F_i (v_i − z(y_i))
  std::vector<double> sum_at_u_;  // Σ F_i (u_i − z(y_i))
  std::optional<StoredParts> stored_;
  SaddleScale scale_;
  double lipschitz_ = 1;  // L, as the steps assume it
  double proven_lipschitz_ = 1;
  double center_constant_ = 0;  // Σ_i log Σ_z exp(θ̂_i·z)
  double cost_ = 0;             // Σ_k a_k Σ_i c_i·(u_i − z(y_i))
  double penalty_ = 0;          // Σ_k a_k λn/2 ‖u_w‖²
  double last_q_ = 0;
  double lost_ = 0;        // total decrease of Q
  double next_sigma_ = 0;  // the σ to begin again with, if any
  Index iteration_ = 0;
  bool started_ = false;
  bool unrecorded_ = false;  // the last iteration is not yet in the trace
};

void validate(const PartOracle& oracle, const ExtragradientOptions& options,
              std::span<const double> w) {
  options.validate(oracle, "extragradient");
  if (w.size() != oracle.dimension()) {
    throw UsageError(fmt::format("the weights have {} entries, the problem has {}", w.size(),
                                 oracle.dimension()));
  }
  if (!(options.step_scale > 0)) throw UsageError("extragradient needs a step scale above 0");
  if (!(options.balance >= 0)) throw UsageError("extragradient needs a balance of at least 0");
  if (options.gap_every == 0) throw UsageError("gap_every must be at least 1");
}

}  // namespace

LearnSummary extragradient(const EuclideanPartOracle& oracle, const ExtragradientOptions& options,
                           std::span<double> w, const LearnControl& control) {
  validate(oracle, options, w);
  const EuclideanPartSteps parts(oracle);
  return DualExtragradient(parts, true, options, w, control).run();
}

LearnSummary extragradient(const EntropicPartOracle& oracle, const ExtragradientOptions& options,
                           std::span<double> w, const LearnControl& control) {
  validate(oracle, options, w);
  const EntropicPartSteps parts(oracle);
  return DualExtragradient(parts, false, options, w, control).run();
}

}  // namespace trellis
