#include "trellis/learn/batch/newton.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/base/stopwatch.h"
#include "trellis/solve/vectors/lane_kernels.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kLanes = kLaneCount;
constexpr double kForcing = 0.2;    // of the gradient, where conjugate gradients end
constexpr Index kMostInner = 250;   // steps of theirs
constexpr double kSettled = 10;     // times the gap: what a step leaves is far less than it brought
constexpr double kDecrease = 0.01;  // of what the slope promises, for a step to be taken
constexpr Index kMostHalvings = 40;     // then the objective stands still at this precision
constexpr Index kTermsOfProduct = 512;  // of numbers in [1, 2], whose product is below 2^1023

// A number for each lane, and arrays of them.
using Lanes = std::array<double, kLanes>;
using LaneArray = std::vector<Lanes>;

double* table_of(LaneArray& array) {
  return array.empty() ? nullptr : array.front().data();
}

class LaneBlock {
 public:
  LaneBlock(const FeatureRows& rows, std::span<const BinaryTask> tasks,
            const NewtonOptions& options, const LearnControl& control,
            const std::function<void(Index, LearnSummary)>& done, std::atomic<Index>& next)
      : rows_(rows),
        tasks_(tasks),
        options_(options),
        control_(control),
        done_(done),
        next_(next),
        margin_(rows.num_rows()),
        slope_(rows.num_rows()),
        curvature_(rows.num_rows()),
        product_(rows.num_rows()),
        moved_(rows.num_rows()),
        weight_(rows.width()),
        gradient_(rows.width()),
        diagonal_(rows.width()),
        residual_(rows.width()),
        step_(rows.width()),
        direction_(rows.width()),
        tried_(rows.num_rows()),
        exponent_(rows.num_rows()) {}

  void run() {
    for (Index l = 0; l < kLanes; ++l) take(l);
    while (std::any_of(lanes_.begin(), lanes_.end(),
                       [](const Lane& lane) { return lane.phase != Phase::kIdle; })) {
      if (control_.stop.stop_requested()) return;
      pass();
      advance();
    }
  }

 private:
  enum class Phase : std::uint8_t {
    kIdle,
    kStart,     // the direction is the start: its margins are asked for
    kGradient,  // the gradient at the weights
    kInner,     // H times the direction
  };
  struct Lane {
    Phase phase = Phase::kIdle;
    Index task = 0;
    double c = 1;
    double objective = 0;  // f
    double loss = 0;       // Σ L
    double square = 0;     // ‖θ‖²
    double gap = 0;        // ½‖∇f‖²
    double slope = 0;      // ∇f·d of the step so far
    double residual = 0;   // r·M⁻¹r of the inner steps, and where they end
    double residual_end = 0;
    Index inner = 0;
    Index epochs = 0;
    Stopwatch watch;
  };

  // The next label for a lane, or none.
  void take(Index l) {
    Lane& lane = lanes_[l];
    lane = Lane();
    lane.task = next_.fetch_add(1);
    for (Index k = 0; k < weight_.size(); ++k) weight_[k][l] = direction_[k][l] = 0;
    if (lane.task >= tasks_.size()) {
      for (Index i = 0; i < slope_.size(); ++i) slope_[i][l] = curvature_[i][l] = 0;
      return;
    }
    const BinaryTask& task = tasks_[lane.task];
    lane.c = task.c;
    const bool started =
        std::any_of(task.theta.begin(), task.theta.end(), [](double w) { return w != 0; });
    for (Index i = 0; i < margin_.size(); ++i) {
      margin_[i][l] = moved_[i][l] = slope_[i][l] = curvature_[i][l] = 0;
    }
    if (!started) return set_out(l, task);
    for (Index k = 0; k < task.width; ++k) direction_[k][l] = weight_[k][l] = task.theta[k];
    lane.square = squared_norm(task.theta);
    lane.phase = Phase::kStart;
  }

  // From 0, or where a constant feature alone is best: instances that have the label are few.
  void set_out(Index l, const BinaryTask& task) {
    const bool mixed = !task.instances.empty() && task.instances.size() < margin_.size();
    if (options_.constant && *options_.constant < task.width && mixed && !margin_.empty()) {
      double value = 0;
      rows_.for_each(0, [&](Index k, double x) {
        if (k == *options_.constant) value = x;
      });
      const double share =
          static_cast<double>(task.instances.size()) / static_cast<double>(margin_.size());
      const double margin = options_.loss == BinaryLoss::kSquaredHinge
                                ? 2 * share - 1
                                : portable_log(share) - portable_log(1 - share);
      weight_[*options_.constant][l] = margin / value;
      lanes_[l].square = margin / value * (margin / value);
      for (Index i = 0; i < margin_.size(); ++i) margin_[i][l] = margin;
    }
    evaluate(l, 0);
    accept(l, 0);
  }

  // Through the rows: X p and, of its lanes that want it, Xᵀ D X p; of the others Xᵀ slope, and,
  // where a label begins, the diagonal of H, which is good enough for all its steps.
  void pass() {
    bool diagonal = false;
    for (Index l = 0; l < kLanes; ++l) {
      const Lane& lane = lanes_[l];
      inner_[l] = lane.phase == Phase::kInner ? 1 : 0;
      outer_[l] = lane.phase == Phase::kGradient ? 1 : 0;
      fresh_[l] = lane.phase == Phase::kGradient && lane.epochs == 0 ? 1 : 0;
      diagonal = diagonal || fresh_[l] != 0;
    }
    std::fill(gradient_.begin(), gradient_.end(), Lanes{});
    if (diagonal) {
      for (Lanes& one : diagonal_) {
        for (Index l = 0; l < kLanes; ++l) one[l] *= 1 - fresh_[l];
      }
    }
    for (Index i = 0; i < margin_.size(); ++i) pass_row(i, row(i), diagonal);
  }

  LaneRow row(Index i) const {
    if (rows_.is_dense()) return {nullptr, rows_.dense_row(i).data(), rows_.width()};
    const std::span<const std::uint32_t> ids = rows_.ids(i);
    return {ids.data(), rows_.values(i).data(), ids.size()};
  }

  void pass_row(Index i, const LaneRow& row, bool diagonal) {
    lane_sums(row, table_of(direction_), product_[i].data());
    Lanes factor;
    for (Index l = 0; l < kLanes; ++l) {
      factor[l] = inner_[l] * (curvature_[i][l] * product_[i][l]) + outer_[l] * slope_[i][l];
    }
    add_to_lanes(row, factor.data(), false, table_of(gradient_));
    if (!diagonal) return;
    for (Index l = 0; l < kLanes; ++l) factor[l] = fresh_[l] * curvature_[i][l];
    add_to_lanes(row, factor.data(), true, table_of(diagonal_));
  }

  void advance() {
    inner_step();
    for (Index l = 0; l < kLanes; ++l) {
      switch (lanes_[l].phase) {
        case Phase::kStart:
          start(l);
          break;
        case Phase::kGradient:
          begin_step(l);
          break;
        case Phase::kInner:
          if (lanes_[l].inner >= kMostInner || lanes_[l].residual <= lanes_[l].residual_end) {
            finish_step(l);
          }
          break;
        case Phase::kIdle:
          break;
      }
    }
  }

  void start(Index l) {
    for (Index i = 0; i < margin_.size(); ++i) margin_[i][l] = product_[i][l];
    for (Index k = 0; k < direction_.size(); ++k) direction_[k][l] = 0;
    evaluate(l, 0);
    accept(l, 0);
  }

  // The loss at margins moved by `size`, in lane.loss; accept() takes what it leaves behind.
  void evaluate(Index l, double size) {
    for (Index i = 0; i < margin_.size(); ++i) tried_[i] = margin_[i][l] + size * moved_[i][l];
    const std::span<const std::uint32_t> instances = tasks_[lanes_[l].task].instances;
    const bool hinge = options_.loss == BinaryLoss::kSquaredHinge;
    lanes_[l].loss = std::max(0.0, hinge ? hinge_loss(instances) : logistic_loss(instances));
  }

  double logistic_loss(std::span<const std::uint32_t> instances) {
    const Index n = tried_.size();
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      exponent_[i] = -std::abs(tried_[i]);
      sum += std::max(tried_[i], 0.0);
    }
    exp_shifted(exponent_, 0, exponent_);
    for (Index begin = 0; begin < n; begin += kTermsOfProduct) {
      double product = 1;
      const Index end = std::min(begin + kTermsOfProduct, n);
      for (Index i = begin; i < end; ++i) product *= 1 + exponent_[i];
      sum += portable_log(product);
    }
    for (const std::uint32_t i : instances) sum -= tried_[i];
    return sum;
  }

  // All as if they did not have the label, and then those that have it.
  double hinge_loss(std::span<const std::uint32_t> instances) const {
    const auto square = [](double violation) {
      return violation > 0 ? violation * violation : 0.0;
    };
    double sum = 0;
    for (const double margin : tried_) sum += square(1 + margin);
    for (const std::uint32_t i : instances) sum += square(1 - tried_[i]) - square(1 + tried_[i]);
    return sum;
  }

  // First and second derivatives, times C.
  void differentiate(Index l, double c, std::span<const std::uint32_t> instances) {
    if (options_.loss == BinaryLoss::kSquaredHinge) {
      const auto put = [&](Index i, double sign) {
        const double violation = 1 + sign * tried_[i];
        slope_[i][l] = violation > 0 ? 2 * c * sign * violation : 0;
        curvature_[i][l] = violation > 0 ? 2 * c : 0;
      };
      for (Index i = 0; i < tried_.size(); ++i) put(i, 1);
      for (const std::uint32_t i : instances) put(i, -1);
      return;
    }
    for (Index i = 0; i < tried_.size(); ++i) {
      const double e = exponent_[i];
      const double share = 1 / (1 + e);
      slope_[i][l] = c * (tried_[i] >= 0 ? share : e * share);
      curvature_[i][l] = c * (e * share) * share;
    }
    for (const std::uint32_t i : instances) slope_[i][l] -= c;
  }

  void accept(Index l, double size) {
    Lane& lane = lanes_[l];
    const double c = lane.c;
    for (Index i = 0; i < margin_.size(); ++i) margin_[i][l] = tried_[i];
    differentiate(l, c, tasks_[lane.task].instances);
    if (size != 0) {
      const Index width = tasks_[lane.task].width;
      double square = 0;
      for (Index k = 0; k < width; ++k) {
        weight_[k][l] += size * step_[k][l];
        square += weight_[k][l] * weight_[k][l];
      }
      lane.square = square;
    }
    for (Index k = 0; k < direction_.size(); ++k) direction_[k][l] = 0;
    lane.objective = lane.square / 2 + c * lane.loss;
    lane.phase = Phase::kGradient;
  }

  // With the gradient at hand: the end, or the first direction of a step.
  void begin_step(Index l) {
    Lane& lane = lanes_[l];
    const Index width = tasks_[lane.task].width;
    double square = 0;
    double rz = 0;
    for (Index k = 0; k < width; ++k) {
      const double r = -(weight_[k][l] + gradient_[k][l]);
      residual_[k][l] = r;
      square += r * r;
      if (lane.epochs == 0) diagonal_[k][l] = 1 / (1 + diagonal_[k][l]);
      rz += r * r * diagonal_[k][l];
      direction_[k][l] = r * diagonal_[k][l];
      step_[k][l] = 0;
    }
    for (Index k = width; k < direction_.size(); ++k) {
      residual_[k][l] = diagonal_[k][l] = direction_[k][l] = step_[k][l] = 0;
    }
    lane.epochs += 1;
    lane.gap = square / 2;
    if (lane.gap <= control_.gap_tolerance * lane.objective)
      return finish(l, Termination::kConverged);
    if (lane.epochs >= options_.max_epochs) return finish(l, Termination::kMaxEpochs);
    lane.slope = 0;
    lane.residual = rz;
    lane.residual_end = kForcing * kForcing * rz;
    lane.inner = 0;
    for (Index i = 0; i < moved_.size(); ++i) moved_[i][l] = 0;
    lane.phase = Phase::kInner;
  }

  // One step of conjugate gradients in each lane that is in them.
  void inner_step() {
    if (std::none_of(lanes_.begin(), lanes_.end(),
                     [](const Lane& lane) { return lane.phase == Phase::kInner; })) {
      return;
    }
    Lanes curved{};
    for (Index k = 0; k < direction_.size(); ++k) {
      for (Index l = 0; l < kLanes; ++l) {
        gradient_[k][l] += inner_[l] * direction_[k][l];
        curved[l] += direction_[k][l] * gradient_[k][l];
      }
    }
    Lanes alpha{};
    for (Index l = 0; l < kLanes; ++l) {
      Lane& lane = lanes_[l];
      if (lane.phase != Phase::kInner) continue;
      alpha[l] = curved[l] > 0 ? lane.residual / curved[l] : 0;
      lane.slope -= alpha[l] * lane.residual;  // as directions are conjugate
      lane.inner += 1;
    }
    Lanes rz{};
    for (Index k = 0; k < direction_.size(); ++k) {
      for (Index l = 0; l < kLanes; ++l) {
        step_[k][l] += alpha[l] * direction_[k][l];
        residual_[k][l] -= alpha[l] * gradient_[k][l];
        rz[l] += residual_[k][l] * residual_[k][l] * diagonal_[k][l];
      }
    }
    Lanes beta{};
    for (Index l = 0; l < kLanes; ++l) {
      Lane& lane = lanes_[l];
      if (lane.phase != Phase::kInner) continue;
      beta[l] = rz[l] / lane.residual;
      lane.residual = rz[l];
    }
    for (Index k = 0; k < direction_.size(); ++k) {
      for (Index l = 0; l < kLanes; ++l) {
        direction_[k][l] =
            inner_[l] * (residual_[k][l] * diagonal_[k][l] + beta[l] * direction_[k][l]);
      }
    }
    for (Index i = 0; i < moved_.size(); ++i) {
      for (Index l = 0; l < kLanes; ++l) moved_[i][l] += alpha[l] * product_[i][l];
    }
  }

  // As much of the step as lets the objective fall.
  void finish_step(Index l) {
    Lane& lane = lanes_[l];
    const Index width = tasks_[lane.task].width;
    double across = 0;
    double square = 0;
    for (Index k = 0; k < width; ++k) {
      across += weight_[k][l] * step_[k][l];
      square += step_[k][l] * step_[k][l];
    }
    const double loss = lane.loss;
    double size = 1;
    for (Index halving = 0; halving < kMostHalvings; ++halving, size /= 2) {
      evaluate(l, size);
      const double objective =
          (lane.square + size * (2 * across + size * square)) / 2 + lane.c * lane.loss;
      if (objective > lane.objective + kDecrease * size * lane.slope) continue;
      const bool settled =
          size == 1 && -lane.slope / 2 <= kSettled * control_.gap_tolerance * objective;
      accept(l, size);
      if (settled && !control_.certify) finish(l, Termination::kConverged);
      return;
    }
    lane.loss = loss;
    finish(l, Termination::kStalled);
  }

  // Hands the label over, and its lane to the next one.
  void finish(Index l, Termination termination) {
    const Lane& lane = lanes_[l];
    const BinaryTask& task = tasks_[lane.task];
    for (Index k = 0; k < task.width; ++k) task.theta[k] = weight_[k][l];
    LearnSummary summary;
    const double scale = 1 / (lane.c * static_cast<double>(margin_.size()));
    summary.termination = termination;
    summary.objective = lane.objective * scale;
    summary.bound = summary.objective - lane.gap * scale;
    summary.epochs = lane.epochs;
    summary.seconds = lane.watch.seconds();
    done_(lane.task, std::move(summary));
    take(l);
  }

  const FeatureRows& rows_;
  std::span<const BinaryTask> tasks_;
  const NewtonOptions& options_;
  const LearnControl& control_;
  const std::function<void(Index, LearnSummary)>& done_;
  std::atomic<Index>& next_;
  std::array<Lane, kLanes> lanes_;
  Lanes inner_{}, outer_{};  // 1: the lane is in that phase
  Lanes fresh_{};            // 1: it is at the start of a label
  // Of each instance
  LaneArray margin_;     // θ·x
  LaneArray slope_;      // C times the derivative of its loss
  LaneArray curvature_;  // and the second one
  LaneArray product_;    // p·x
  LaneArray moved_;      // d·x
  // Of each feature
  LaneArray weight_;     // θ
  LaneArray gradient_;   // what a pass adds up
  LaneArray diagonal_;   // M⁻¹, of the diagonal of H
  LaneArray residual_;   // r
  LaneArray step_;       // d
  LaneArray direction_;  // p
  // Of one lane
  std::vector<double> tried_, exponent_;
};

}  // namespace

void newton(const FeatureRows& rows, std::span<const BinaryTask> tasks,
            const NewtonOptions& options, const LearnControl& control,
            const std::function<void(Index v, LearnSummary summary)>& done) {
  std::atomic<Index> next = 0;
  const auto blocks = std::min<Index>(static_cast<Index>(std::max(control.threads, 1)),
                                      (tasks.size() + kLanes - 1) / kLanes);
  parallel_for(blocks, control.threads,
               [&](Index, int) { LaneBlock(rows, tasks, options, control, done, next).run(); });
}

}  // namespace trellis
