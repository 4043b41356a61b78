#include "trellis/learn/batch/lbfgs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/learn/batch/lbfgs_memory.h"
#include "trellis/learn/frame/blocks.h"
#include "trellis/learn/frame/certificate.h"
#include "trellis/learn/frame/nonnegative.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/learn/frame/trace.h"
#include "trellis/learn/online/online.h"
#include "trellis/solve/line_search.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kPairs = 10;      // m
constexpr Index kPeriod = 10;     // of the second stopping rule, in iterations
constexpr Index kMaxTrials = 20;  // of one line search

// The coordinate of ◇P that belongs to weight w and derivative g of the smooth part
// (Andrew & Gao 2007, Eq. 4).
double pseudo_gradient(double w, double g, double rho) {
  if (w > 0) return g + rho;
  if (w < 0) return g - rho;
  if (g < -rho) return g + rho;
  if (g > rho) return g - rho;
  return 0;
}

class Lbfgs {
 public:
  Lbfgs(const SmoothOracle& oracle, bool convex, const ApproximateOracle* estimates,
        const LbfgsOptions& options, std::span<double> w, const LearnControl& control)
      : options_(options),
        control_(control),
        num_examples_(static_cast<double>(oracle.num_examples())),
        orthant_wise_(options.rho > 0),
        trace_(control, identity(oracle, options)),
        risk_(oracle, control.threads, estimates),
        blocks_(w.size(), control.threads),
        memory_(w.size(), kPairs, control.threads),
        w_(w),
        gradient_(w.size()),
        direction_(w.size()) {
    if (!control.certify) return;
    if (!convex) throw UsageError("a certificate needs convex losses, and these are not");
    certificate_.emplace(w.size(), options.lambda, options.rho);
  }

  LearnSummary run() {
    if (trace_.resume()) load(*control_.checkpoint);
    if (!started_ && !evaluate_start()) return interrupted();
    while (true) {
      if (!searching_) {
        if (const auto end = ended()) return finish(*end);
        begin_search();
      }
      const std::optional<LineSearchStatus> found = search();
      if (!found) return interrupted();
      if (*found == LineSearchStatus::kFailed) {
        back_to_start_of_search();
        if (steepest_) return finish(Termination::kStalled);
        memory_.forget();
      } else if (const auto end = end_iteration()) {
        return finish(*end);
      }
    }
  }

 private:
  struct Values {  // at w
    double objective = 0;
    double risk = 0;
    double squared_norm = 0;           // ‖w‖²
    double gradient_squared_norm = 0;  // ‖g‖², or ‖◇P‖²
  };

  static std::string identity(const SmoothOracle& oracle, const LbfgsOptions& options) {
    return fmt::format("lbfgs lambda={:a} rho={:a} n={} d={}", options.lambda, options.rho,
                       oracle.num_examples(), oracle.dimension());
  }

  // Fills gradient_ (of the smooth part) and now_ at w. False if stop was requested meanwhile.
  bool evaluate() {
    const std::optional<double> risk = risk_.evaluate(w_, gradient_, control_.stop);
    if (!risk) return false;
    ++passes_;
    const double lambda = options_.lambda;
    const double rho = options_.rho;
    const auto [ww, w1, gg] = blocks_.sums<3>([&](Block b) {
      axpy(lambda, b.of(w_), b.of(gradient_));
      const double squared = squared_norm(b.of(w_));
      if (!orthant_wise_) return std::array<double, 3>{squared, 0, squared_norm(b.of(gradient_))};
      const double absolute = b.sum([&](Index j) { return std::abs(w_[j]); });
      const double pseudo = b.sum([&](Index j) {
        const double g = pseudo_gradient(w_[j], gradient_[j], rho);
        return g * g;
      });
      return std::array<double, 3>{squared, absolute, pseudo};
    });
    now_ = {*risk + lambda / 2 * ww + rho * w1, *risk, ww, gg};
    return true;
  }

  bool evaluate_start() {
    if (!evaluate()) return false;
    started_ = true;
    start_objective_ = now_.objective;
    add_cut();
    return true;
  }

  // Why the run ends between two iterations, if it does.
  std::optional<Termination> ended() const {
    if (!std::isfinite(now_.objective)) return Termination::kStalled;
    const double norm = std::sqrt(now_.gradient_squared_norm);
    if (norm == 0) return Termination::kConverged;
    if (num_examples_ * norm < options_.epsilon * std::max(1.0, std::sqrt(now_.squared_norm))) {
      return Termination::kConverged;
    }
    if (fell_too_little()) return Termination::kConverged;
    if (trace_.history().size() >= options_.max_iterations) return Termination::kMaxEpochs;
    return std::nullopt;
  }

  bool fell_too_little() const {
    const std::vector<EpochRecord>& history = trace_.history();
    if (options_.delta == 0 || history.size() < kPeriod) return false;
    const Index then = history.size() - kPeriod;
    const double before = then == 0 ? start_objective_ : history[then - 1].objective;
    return before - now_.objective < options_.delta * std::abs(now_.objective);
  }

  void begin_search() {
    steepest_ = memory_.empty();
    double slope = choose_direction();
    if (!(slope < 0) && !steepest_) {
      // Rounding can cost a nearly singular H its definiteness.
      memory_.forget();
      steepest_ = true;
      slope = choose_direction();
    }
    memory_.begin_pair(w_, gradient_);
    before_ = now_;
    const double first_step = steepest_ ? 1 / std::sqrt(now_.gradient_squared_norm) : 1.0;
    if (orthant_wise_) {
      backtracking_ = BacktrackingSearch(now_.objective, first_step, kMaxTrials);
    } else {
      wolfe_ = WolfeSearch(now_.objective, slope, first_step, kMaxTrials);
    }
    searching_ = true;
  }

  // direction_ ← −H g, confined to the orthant of −◇P for OWL-QN. Returns the slope of P along it.
  double choose_direction() {
    const double rho = options_.rho;
    blocks_.each([&](Block b) {
      for (Index j = b.begin; j < b.end; ++j) {
        direction_[j] = orthant_wise_ ? -pseudo_gradient(w_[j], gradient_[j], rho) : -gradient_[j];
      }
    });
    memory_.multiply(direction_);
    return blocks_.sum([&](Block b) {
      if (!orthant_wise_) return dot(b.of(gradient_), b.of(direction_));
      return b.sum([&](Index j) {
        const double g = pseudo_gradient(w_[j], gradient_[j], rho);
        if (direction_[j] * g >= 0) direction_[j] = 0;
        return direction_[j] * g;
      });
    });
  }

  // Follows the line until a point is accepted, which then is w, or until the search fails.
  // Nothing if stop was requested meanwhile.
  std::optional<LineSearchStatus> search() {
    LineSearchStatus status = LineSearchStatus::kEvaluate;
    while (status == LineSearchStatus::kEvaluate) {
      orthant_wise_ ? move_within_orthant(backtracking_.step()) : move(wolfe_.step());
      if (!evaluate()) return std::nullopt;
      status = orthant_wise_ ? backtracking_.feed(now_.objective, expected_change())
                             : wolfe_.feed(now_.objective, directional_derivative());
    }
    searching_ = false;
    return status;
  }

  // w ← x + t d, where x is the point that the search started from.
  void move(double step) {
    const std::span<const double> x = memory_.point();
    blocks_.each([&](Block b) {
      for (Index j = b.begin; j < b.end; ++j) w_[j] = x[j] + step * direction_[j];
    });
  }

  double directional_derivative() const {
    return blocks_.sum([&](Block b) { return dot(b.of(gradient_), b.of(direction_)); });
  }

  // The same, with 0 for coordinates that leave the orthant of x (of −◇P where x_j = 0).
  void move_within_orthant(double step) {
    const std::span<const double> x = memory_.point();
    const std::span<const double> g = memory_.gradient();
    const double rho = options_.rho;
    blocks_.each([&](Block b) {
      for (Index j = b.begin; j < b.end; ++j) {
        const double sign = x[j] != 0 ? x[j] : -pseudo_gradient(0, g[j], rho);
        const double moved = x[j] + step * direction_[j];
        w_[j] = moved * sign > 0 ? moved : 0.0;
      }
    });
  }

  // ⟨◇P(x), w − x⟩
  double expected_change() const {
    const std::span<const double> x = memory_.point();
    const std::span<const double> g = memory_.gradient();
    return blocks_.sum([&](Block b) {
      return b.sum(
          [&](Index j) { return pseudo_gradient(x[j], g[j], options_.rho) * (w_[j] - x[j]); });
    });
  }

  std::optional<Termination> end_iteration() {
    memory_.end_pair(w_, gradient_);
    add_cut();
    EpochRecord record;
    record.epoch = trace_.history().size() + 1;
    record.objective = now_.objective;
    if (certificate_) record.bound = certificate_->bound();
    record.loss = now_.risk;
    record.updates = 1;
    record.weights_touched = w_.size();
    record.passes = passes_;
    record.inference = std::exchange(risk_.inference(), {});
    passes_ = 0;
    return trace_.record(record, w_);
  }

  // The tangent of the risk at w joins the certificate. direction_ is free between two searches.
  void add_cut() {
    if (!certificate_) return;
    blocks_.each([&](Block b) {
      for (Index j = b.begin; j < b.end; ++j) {
        direction_[j] = gradient_[j] - options_.lambda * w_[j];
      }
    });
    certificate_->add_cut(direction_, now_.risk - inner_product(direction_, w_));
  }

  // Undoes a search that failed or was cut short.
  void back_to_start_of_search() {
    const std::span<const double> x = memory_.point();
    const std::span<const double> g = memory_.gradient();
    std::copy(x.begin(), x.end(), w_.begin());
    std::copy(g.begin(), g.end(), gradient_.begin());
    now_ = before_;
  }

  LearnSummary finish(Termination termination) {
    const bool no_iteration = trace_.history().empty();
    LearnSummary summary = trace_.finish(termination);
    if (no_iteration && started_) {
      summary.objective = now_.objective;
      if (certificate_) summary.bound = certificate_->bound();
    }
    return summary;
  }

  LearnSummary interrupted() {
    if (searching_) back_to_start_of_search();
    if (control_.checkpoint != nullptr) save(*control_.checkpoint);
    return finish(Termination::kInterrupted);
  }

  // Only the passes over the data are long, so an interrupted run is either before its first one
  // or in the middle of a search; the search's starting point is part of the memory.
  void save(Checkpoint& checkpoint) const {
    const std::uint64_t counters[] = {started_, steepest_, passes_};
    checkpoint.put_integers("lbfgs/counters", counters);
    if (risk_.inference().calls > 0) {
      put_tally(risk_.inference(), "lbfgs/inference", checkpoint);
    }
    if (!started_) {
      checkpoint.put("lbfgs/w", w_);
      return;
    }
    const double values[] = {start_objective_, before_.objective, before_.risk,
                             before_.squared_norm, before_.gradient_squared_norm};
    checkpoint.put("lbfgs/values", values);
    checkpoint.put("lbfgs/direction", direction_);
    checkpoint.put("lbfgs/wolfe", wolfe_.state());
    checkpoint.put("lbfgs/backtracking", backtracking_.state());
    memory_.save(checkpoint);
    if (certificate_) certificate_->save(checkpoint, "lbfgs/certificate");
  }

  void load(const Checkpoint& checkpoint) {
    std::uint64_t counters[3];
    checkpoint.get_integers("lbfgs/counters", counters);
    started_ = searching_ = counters[0] != 0;
    steepest_ = counters[1] != 0;
    passes_ = counters[2];
    if (checkpoint.has("lbfgs/inference")) {
      risk_.inference() = get_tally("lbfgs/inference", checkpoint);
    }
    if (!started_) {
      checkpoint.get("lbfgs/w", w_);
      return;
    }
    double values[5];
    checkpoint.get("lbfgs/values", values);
    start_objective_ = values[0];
    before_ = {values[1], values[2], values[3], values[4]};
    checkpoint.get("lbfgs/direction", direction_);
    std::array<double, WolfeSearch::kStateSize> wolfe;
    checkpoint.get("lbfgs/wolfe", wolfe);
    wolfe_ = WolfeSearch::from_state(wolfe);
    std::array<double, BacktrackingSearch::kStateSize> backtracking;
    checkpoint.get("lbfgs/backtracking", backtracking);
    backtracking_ = BacktrackingSearch::from_state(backtracking);
    memory_.load(checkpoint);
    if (certificate_) certificate_->load(checkpoint, "lbfgs/certificate");
  }

  const LbfgsOptions& options_;
  const LearnControl& control_;
  double num_examples_;
  bool orthant_wise_;
  Trace trace_;
  Risk risk_;
  Blocks blocks_;
  LbfgsMemory memory_;
  std::span<double> w_;
  std::vector<double> gradient_;  // of λ/2 ‖w‖² + R(w); the L1 term is added where it is needed
  std::vector<double> direction_;
  std::optional<Certificate> certificate_;
  WolfeSearch wolfe_;
  BacktrackingSearch backtracking_;
  Values now_;
  Values before_;  // at the point where the search started
  double start_objective_ = 0;
  bool started_ = false;
  bool searching_ = false;
  bool steepest_ = false;  // the search goes down the gradient itself
  Index passes_ = 0;       // since the last record
};

void validate(const Oracle& oracle, const LbfgsOptions& options, std::span<const double> w) {
  require_dimension(oracle, w);
  require_unrestricted(oracle, "L-BFGS");
  if (!(options.lambda >= 0) || !(options.rho >= 0)) {
    throw UsageError("L-BFGS needs lambda >= 0 and rho >= 0");
  }
}

}  // namespace

LearnSummary lbfgs(const SmoothConvexOracle& oracle, const LbfgsOptions& options,
                   std::span<double> w, const LearnControl& control) {
  validate(oracle, options, w);
  return Lbfgs(oracle, true, nullptr, options, w, control).run();
}

LearnSummary lbfgs(const UpperBoundOracle& oracle, const LbfgsOptions& options, std::span<double> w,
                   const LearnControl& control) {
  validate(oracle, options, w);
  return Lbfgs(oracle, false, &oracle, options, w, control).run();
}

LearnSummary lbfgs(const SmoothOracle& oracle, const LbfgsOptions& options, std::span<double> w,
                   const LearnControl& control) {
  validate(oracle, options, w);
  return Lbfgs(oracle, false, nullptr, options, w, control).run();
}

}  // namespace trellis
