#include "trellis/learn/saddle_point/example_game.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/learn/dual/dual_point.h"
#include "trellis/learn/frame/nonnegative.h"
#include "trellis/learn/frame/part_pass.h"
#include "trellis/learn/frame/trace.h"
#include "trellis/learn/saddle_point/entropic_moves.h"
#include "trellis/learn/saddle_point/euclidean_moves.h"
#include "trellis/learn/saddle_point/extragradient_gap.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// The item of the random streams (seed, item, epoch) of the permutations.
constexpr std::uint64_t kGameOrderStream = 1;

WeightBallOptions penalty_alone(double lambda) {
  WeightBallOptions options;
  options.lambda = lambda;
  return options;
}

template <class Moves>
class ExampleGame {
 public:
  ExampleGame(Moves& moves, std::string_view geometry, const ExampleGameOptions& options,
              std::span<double> w, const LearnControl& control)
      : moves_(moves),
        oracle_(moves.oracle()),
        options_(options),
        control_(control),
        w_(w),
        trace_(control,
               fmt::format("example_game {} lambda={:a} epochs={} step={:a} every={} "
                           "n={} d={}",
                           geometry, options.lambda, options.max_epochs, options.step_scale,
                           options.gap_every, oracle_.num_examples(), oracle_.dimension())),
        scratch_(oracle_.make_scratch()),
        pass_(oracle_, control.threads, control.stop),
        gap_(oracle_, penalty_alone(options.lambda), pass_),
        dual_(oracle_.nonnegative(), oracle_.num_examples(), options.lambda, w),
        mean_(w.size()),
        eta_(oracle_.num_examples(), 0.0),
        wait_(oracle_.num_examples(), 0),
        patience_(oracle_.num_examples(), 0),
        rest_(Moves::kCarries ? oracle_.num_examples() : 0, 0) {
    dual_.keep_mean();
  }

  LearnSummary run() {
    if (trace_.resume()) load(*control_.checkpoint);
    if (!started_ && !start()) return interrupted();
    dual_.write_mean(mean_);
    while (epoch_ < options_.max_epochs) {
      if (!visit_all()) return interrupted();
      if ((epoch_ + 1) % kRefreshEvery == 0) refresh();
      EpochRecord record = describe_epoch();
      if (!certify(record)) return interrupted();
      dual_.write_mean(mean_);
      const std::optional<Termination> end = trace_.record(record, mean_);
      begin_next_epoch();
      if (end) return finish(*end);
      if (at_rest()) return finish(Termination::kConverged);
    }
    return finish(Termination::kMaxEpochs);
  }

 private:
  static constexpr Index kRefreshEvery = 8;       // epochs: often enough for rounding
  static constexpr double kTaken = 0.6;           // the least τ of a step that is taken
  static constexpr double kShorter = 0.25;        // what η changes by at most: down
  static constexpr double kLonger = 4;            // … and up
  static constexpr double kFarthest = 1e6;        // of η s: beyond, steps are all the same
  static constexpr Index kMostLooks = 40;         // η shrinks to 1e-24 by then
  static constexpr double kNegligible = 1e-14;    // of the terms of ρ
  static constexpr double kSmallShare = 0.01;     // of a mean rise: then an example waits
  static constexpr std::uint64_t kMostWait = 7;   // epochs
  static constexpr double kPromise = 0.1;         // of the gap, for an epoch's rise of D
  static constexpr Index kSparse = 8;             // epochs are 1/8 more before it is believed again
  static constexpr Index kCarryFrom = 8;          // epochs: by then each η is what it should be
  static constexpr std::uint64_t kCarryRest = 1;  // visits without, after one that failed

  // Computes the initial z and its best w. False if stop was requested: then w does not change.
  bool start() {
    clip(oracle_.nonnegative(), w_);
    const bool from_weights =
        std::any_of(w_.begin(), w_.end(), [](double weight) { return weight != 0; });
    for (Index i = 0; i < oracle_.num_examples(); ++i) {
      if (control_.stop.stop_requested()) return false;
      resize(oracle_.num_parts(i));
      oracle_.target(i, y_);
      if (from_weights) score(i);
      moves_.begin(i, y_, from_weights ? std::span<const double>(s_) : std::span<const double>(),
                   *scratch_);
    }
    refresh();
    if (from_weights) draw_back();
    started_ = true;
    return true;
  }

  // Moves to the highest D between the targets and the current z: t D'(0) − t² λ/2 ‖w‖².
  void draw_back() {
    const double square = options_.lambda * dual_.squared_norm();
    const double share = square > 0 ? std::clamp(dual_.mean_offset() / square, 0.0, 1.0) : 1.0;
    bool moved = false;
    for (Index i = 0; i < oracle_.num_examples(); ++i) {
      resize(oracle_.num_parts(i));
      oracle_.target(i, y_);
      moved = moves_.draw_back(i, y_, share);
    }
    if (moved) refresh();
  }

  // Recomputes u and D from z, so that rounding errors do not accumulate.
  void refresh() {
    dual_.begin_sum();
    for (Index i = 0; i < oracle_.num_examples(); ++i) {
      resize(oracle_.num_parts(i));
      oracle_.target(i, y_);
      oracle_.costs(i, c_);
      set_change(moves_.point(i), y_);
      oracle_.features(i, change_, 1, *scratch_, slope_);
      dual_.add(slope_, dot(c_, change_));
    }
    dual_.end_sum();
  }

  // The remaining visits of this epoch. False if stop was requested before the last one.
  bool visit_all() {
    const std::vector<Index> order =
        random_permutation(oracle_.num_examples(), Random(control_.seed, kGameOrderStream, epoch_));
    for (; position_ < order.size(); ++position_) {
      if (control_.stop.stop_requested()) return false;
      const Index i = order[position_];
      if (wait_[i] > 0) {
        --wait_[i];
        ++waiting_;
        continue;
      }
      const double rise = visit(i);
      rise_sum_ += rise;
      if (std::exchange(mean_is_over_, false)) dual_.keep_mean();
      dual_.count();
      patience_[i] = rise <= small_rise_ ? std::min(kMostWait, 2 * patience_[i] + 1) : 0;
      wait_[i] = patience_[i];
    }
    return true;
  }

  // The gain of a look: ρ, and the share τ of the step that maximises D; 0 if u is no better.
  struct Look {
    double rise = 0;
    double share = 0;
  };

  // Returns the increase of n D.
  double visit(Index i) {
    resize(oracle_.num_parts(i));
    score(i);
    if (eta_[i] == 0 && !set_first_step(i, moves_.point(i))) return 0;
    double largest = 0;
    for (const double score : s_) largest = std::max(largest, std::abs(score));
    eta_[i] = std::min(eta_[i], kFarthest / largest);
    if constexpr (Moves::kCarries) {
      if (const std::optional<double> rise = carry_on(i)) return *rise;
    }
    for (Index k = 0; k < kMostLooks; ++k) {
      const Look look = judge(i, moves_.look(i, s_, eta_[i], *scratch_));
      if (look.share == 0) return 0;
      eta_[i] *= std::max(kShorter, look.share);
      if (!Moves::kWhole || look.share >= kTaken) return take(i, look);
    }
    return 0;
  }

  // The step that repeats a share of the example's last change; none if it is not acceptable, or
  // was not recently.
  std::optional<double> carry_on(Index i) {
    if (epoch_ < kCarryFrom) return std::nullopt;
    if (rest_[i] > 0) {
      --rest_[i];
      return std::nullopt;
    }
    const Look look = judge(i, moves_.look_on(i, s_, eta_[i], *scratch_));
    if (look.share < kTaken) {
      rest_[i] = kCarryRest;
      return std::nullopt;
    }
    eta_[i] *= look.share;
    return take(i, look);
  }

  // Evaluates the last u. Leaves u − z_i and its features.
  Look judge(Index i, std::span<const double> u) {
    set_change(u, moves_.point(i));
    Look look;
    double terms = 0;
    for (Index p = 0; p < s_.size(); ++p) {
      look.rise += s_[p] * change_[p];
      terms += std::abs(s_[p] * change_[p]);
    }
    if (!(look.rise > kNegligible * terms)) return {};
    oracle_.features(i, change_, 1, *scratch_, slope_);
    look.share = dual_.best_step(slope_, look.rise, kLonger);
    return look;
  }

  double take(Index i, const Look& look) {
    const double step = Moves::kWhole ? 1.0 : std::min(1.0, look.share);
    dual_.move(slope_, dot(c_, change_), step);
    moves_.take(i, step);
    ++updates_;
    touched_ += slope_.num_stored();
    return look.rise * step * (1 - 0.5 * step / look.share);
  }

  // False if the example is already optimal.
  bool set_first_step(Index i, std::span<const double> z) {
    const double best = oracle_.maximize(i, s_, *scratch_, y_);
    if (!(best - dot(s_, z) > kNegligible * (1 + std::abs(best)))) return false;
    set_change(y_, z);
    oracle_.features(i, change_, 1, *scratch_, slope_);
    const double curvature = slope_.squared_norm() / dual_.lambda_n();
    eta_[i] = options_.step_scale * (curvature > 0 ? Moves::first_step(change_, curvature) : 1.0);
    return true;
  }

  void resize(Index parts) {
    for (std::vector<double>* vector : {&s_, &c_, &y_, &change_}) vector->resize(parts);
  }
  // s ← F_iᵀ w + c_i
  void score(Index i) {
    oracle_.costs(i, c_);
    oracle_.scores(i, w_, *scratch_, s_);
    axpy(1, c_, s_);
  }
  void set_change(std::span<const double> to, std::span<const double> from) {
    for (Index p = 0; p < change_.size(); ++p) change_[p] = to[p] - from[p];
  }

  EpochRecord describe_epoch() {
    EpochRecord record;
    record.epoch = epoch_ + 1;
    record.updates = updates_;
    record.weights_touched = touched_;
    record.passes = 1;
    record.bound = best_bound_ = std::max(best_bound_, dual_.bound());
    return record;
  }

  // w ← the mean, which was certified.
  LearnSummary finish(Termination termination) {
    std::copy(mean_.begin(), mean_.end(), w_.begin());
    return trace_.finish(termination);
  }

  // Whether the current rate of D makes it likely that the gap meets the tolerance: then the pass
  // that proves it is worth its cost.
  bool seems_converged() const {
    const double rise = rise_sum_ / static_cast<double>(oracle_.num_examples());
    return rise <= kPromise * control_.gap_tolerance * best_bound_;
  }

  // Certifies if it is due. False if stop was requested meanwhile.
  bool certify(EpochRecord& record) {
    const Index epochs = epoch_ + 1;
    const bool due = epochs % options_.gap_every == 0 || epochs == options_.max_epochs ||
                     (epochs >= next_guess_ && seems_converged());
    if (!control_.certify || !due) return true;
    next_guess_ = epochs + epochs / kSparse;
    slope_sum_.resize(w_.size());
    dual_.write_slope_sum(slope_sum_);
    const double costs = dual_.mean_offset() * static_cast<double>(oracle_.num_examples());
    ++record.passes;
    dual_.write_mean(mean_);
    if (!gap_.evaluate(mean_, slope_sum_, costs, record)) return false;
    record.bound = std::max(record.bound, dual_.bound_of_mean());
    record.bound = best_bound_ = std::max(best_bound_, record.bound);
    return true;
  }

  // Whether all examples have been visited since the last step.
  bool at_rest() const { return quiet_ > kMostWait; }

  void begin_next_epoch() {
    // An epoch without waiting examples visits all examples.
    quiet_ = updates_ > 0 ? 0 : waiting_ == 0 ? kMostWait + 1 : quiet_ + 1;
    const Index visited = std::max<Index>(1, oracle_.num_examples() - waiting_);
    small_rise_ = kSmallShare * rise_sum_ / static_cast<double>(visited);
    ++epoch_;
    if (2 * epoch_ >= 3 * mean_since_) {
      mean_since_ = epoch_;
      mean_is_over_ = true;
    }
    position_ = updates_ = touched_ = waiting_ = 0;
    rise_sum_ = 0;
  }

  LearnSummary interrupted() {
    if (control_.checkpoint != nullptr) save(*control_.checkpoint);
    if (!started_) return trace_.finish(Termination::kInterrupted);
    dual_.write_mean(mean_);
    return finish(Termination::kInterrupted);
  }

  void save(Checkpoint& checkpoint) const {
    const std::uint64_t counts[] = {epoch_, position_, updates_,    touched_,    waiting_,
                                    quiet_, started_,  next_guess_, mean_since_, mean_is_over_};
    checkpoint.put_integers("game/counts", counts);
    const double numbers[] = {best_bound_, rise_sum_, small_rise_};
    checkpoint.put("game/numbers", numbers);
    checkpoint.put("game/eta", eta_);
    checkpoint.put_integers("game/wait", wait_);
    checkpoint.put_integers("game/patience", patience_);
    checkpoint.put_integers("game/rest", rest_);
    moves_.save(checkpoint);
    dual_.save(checkpoint);
    gap_.save(checkpoint);
  }

  void load(const Checkpoint& checkpoint) {
    std::uint64_t counts[10];
    checkpoint.get_integers("game/counts", counts);
    epoch_ = counts[0];
    position_ = counts[1];
    updates_ = counts[2];
    touched_ = counts[3];
    waiting_ = counts[4];
    quiet_ = counts[5];
    started_ = counts[6] != 0;
    next_guess_ = counts[7];
    mean_since_ = counts[8];
    mean_is_over_ = counts[9] != 0;
    double numbers[3];
    checkpoint.get("game/numbers", numbers);
    best_bound_ = numbers[0];
    rise_sum_ = numbers[1];
    small_rise_ = numbers[2];
    checkpoint.get("game/eta", eta_);
    checkpoint.get_integers("game/wait", wait_);
    checkpoint.get_integers("game/patience", patience_);
    checkpoint.get_integers("game/rest", rest_);
    moves_.load(checkpoint);
    dual_.load(checkpoint);
    gap_.load(checkpoint);
  }

  Moves& moves_;
  const PartOracle& oracle_;
  const ExampleGameOptions& options_;
  const LearnControl& control_;
  std::span<double> w_;
  Trace trace_;
  std::unique_ptr<Scratch> scratch_;
  PartPass pass_;
  SaddleGap gap_;
  DualPoint dual_;
  std::vector<double> mean_;             // of the weights, since mean_since_
  std::vector<double> eta_;              // by example: η; 0: not set yet
  std::vector<std::uint64_t> wait_;      // by example: epochs that it is left out of
  std::vector<std::uint64_t> patience_;  // by example: how long it waited the last time
  std::vector<std::uint64_t> rest_;      // by example: visits that do not carry on
  std::vector<double> slope_sum_;        // for the certificate
  double best_bound_ = 0;
  double rise_sum_ = 0;    // of n D, by this epoch's visits
  double small_rise_ = 0;  // of a visit after which an example waits

  bool started_ = false;
  Index epoch_ = 0;     // completed epochs
  Index position_ = 0;  // visits of this epoch that are done
  Index updates_ = 0;
  Index touched_ = 0;
  Index waiting_ = 0;          // examples that this epoch has left out
  Index quiet_ = 0;            // epochs without a step
  Index mean_since_ = 1;       // the epoch since which the mean is kept
  bool mean_is_over_ = false;  // the next visit begins another one
  Index next_guess_ = 0;       // the epoch from which seems_converged() is asked again

  // Memory of a visit.
  std::vector<double> s_, c_, y_, change_;
  SparseVector slope_;  // F_i (u − z_i)
};

void validate_game(const PartOracle& oracle, const ExampleGameOptions& options,
                   std::span<const double> w) {
  if (oracle.num_examples() == 0) throw UsageError("there are no examples to learn from");
  if (w.size() != oracle.dimension()) {
    throw UsageError(fmt::format("the weights have {} entries, the problem has {}", w.size(),
                                 oracle.dimension()));
  }
  if (!(options.lambda > 0 && std::isfinite(options.lambda))) {
    throw UsageError("extragradient by examples needs a finite lambda > 0");
  }
  if (!(options.step_scale > 0)) throw UsageError("extragradient needs a step scale above 0");
  if (options.gap_every == 0) throw UsageError("gap_every must be at least 1");
  if (oracle.implicit_features()) {
    throw UsageError(
        "extragradient by examples needs features, and a kernel gives only their products");
  }
}

}  // namespace

LearnSummary example_game(const EuclideanPartOracle& oracle, const ExampleGameOptions& options,
                          std::span<double> w, const LearnControl& control) {
  validate_game(oracle, options, w);
  EuclideanMoves moves(oracle);
  return ExampleGame(moves, "euclidean", options, w, control).run();
}

LearnSummary example_game(const EntropicPartOracle& oracle, const ExampleGameOptions& options,
                          std::span<double> w, const LearnControl& control) {
  validate_game(oracle, options, w);
  EntropicMoves moves(oracle);
  return ExampleGame(moves, "entropic", options, w, control).run();
}

}  // namespace trellis
