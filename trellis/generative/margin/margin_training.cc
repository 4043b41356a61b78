#include "trellis/generative/margin/margin_training.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/generative/margin/proximal_dual.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kFallOfCentre = 0.25;  // δ̄, as a share of P(θⁿ) − Qₙ
constexpr double kSolved = 0.01;        // δ_m, as a share of the gap that is asked for
constexpr double kMostMass = 1e-9;      // log Σ exp θ_i of a distribution, up to rounding
constexpr double kMasterShare = 0.05;   // of the last promise: how well master problems are solved

class MarginTrainer {
 public:
  MarginTrainer(const ConvexOracle& losses, const Distributions& distributions,
                std::span<const double> c, std::span<const double> start,
                const MarginOptions& options)
      : options_(options),
        num_sets_(std::clamp<Index>(losses.num_examples(), 1, options.working_sets)),
        risk_(losses, options.eta, options.penalty, num_sets_ * options.directions,
              options.threads),
        dual_(distributions, options.divergence, c, options.gamma),
        master_(dual_, online() ? 1 : num_sets_, options.vertices),
        bound_(distributions, options.divergence, c),
        active_(master_.num_sets(), options.order == WorkingSets::kInTurn ? 0 : 1),
        theta_(start.begin(), start.end()),
        mu_(start.size()),
        part_(start.size()) {}

  void begin() {
    const Stopwatch watch;
    // The origin is a point of 𝒟: no example counts.
    for (Index set = 0; set < master_.num_sets(); ++set) master_.add(set, mu_, 0);
    dual_.set_centre(theta_);
    centre_value_ = objective_everywhere();
    best_ = theta_;
    last_.objective = centre_value_;
    last_.bound = bound_.value();
    tolerance_ = centre_value_ - last_.bound;
    last_.seconds_directions += watch.seconds();
  }

  void resume(const MarginState& state) {
    dual_.set_centre(state.centre);
    best_ = state.best;
    centre_value_ = state.centre_value;
    tolerance_ = state.tolerance;
    last_ = state.last;
    bound_.restore(state.bound);
    master_.restore(state.sets, state.lambda);
  }

  MarginState state() const {
    MarginState state;
    state.centre.assign(dual_.centre().begin(), dual_.centre().end());
    state.best = best_;
    state.lambda = master_.minimum().lambda;
    state.centre_value = centre_value_;
    state.tolerance = tolerance_;
    state.last = last_;
    state.bound = bound_.state();
    for (Index set = 0; set < master_.num_sets(); ++set) {
      const auto vertices = master_.vertices(set);
      state.sets.emplace_back(vertices.begin(), vertices.end());
    }
    return state;
  }

  const MarginIteration& last() const { return last_; }
  std::vector<double> take_best() { return std::move(best_); }

  void iterate() {
    solve_master();
    find_directions();
    const Stopwatch watch;
    bound_.update(master_.mu(), master_.omega());
    last_.bound = bound_.value();
    last_.seconds_centre += watch.seconds();
    ++last_.iteration;
    last_.vertices = master_.num_vertices();
  }

 private:
  bool online() const { return options_.order == WorkingSets::kOnline; }
  bool together() const { return options_.order == WorkingSets::kTogether; }
  Index set_now() const { return last_.iteration / options_.set_steps % num_sets_; }
  bool round_ends() const { return (last_.iteration + 1) % (options_.set_steps * num_sets_) == 0; }

  void solve_master() {
    const Stopwatch watch;
    if (options_.order == WorkingSets::kInTurn) {
      std::fill(active_.begin(), active_.end(), std::uint8_t{0});
      active_[set_now()] = 1;
    }
    last_.proximal_lower = master_.maximize(active_, kMasterShare * tolerance_);
    theta_ = master_.minimum().theta;
    shift_to_feasible(dual_.distributions(), theta_);
    last_.seconds_master += watch.seconds();
  }

  // The risk of a set at θ; its slope is left in mu_. The parts that it is made of are seen one by
  // one.
  template <class See>
  double tangent(Index set, const See& see) {
    double risk = 0;
    std::fill(mu_.begin(), mu_.end(), 0.0);
    for (Index part = 0; part < options_.directions; ++part) {
      const Index piece = set + part * num_sets_;
      if (piece >= risk_.num_sets()) break;
      const double value = risk_.cut(piece, theta_, part_);
      see(value);
      risk += value;
      axpy(1, part_, mu_);
    }
    return risk;
  }
  double tangent(Index set) {
    return tangent(set, [](double) {});
  }

  // Adds the tangent of a set's risk at θ to its hull; returns the risk. What the vertex promises,
  // beyond what the hull has, is added to `promise`. Each part alone is a point of 𝒟 as well, and
  // joins where it, too, is an ascent direction (sec. 2.2.2).
  double expand(Index set, double& promise) {
    const Index hull = online() ? 0 : set;
    const double reached = master_.combined(hull, theta_);
    const double risk = tangent(set, [&](double value) {
      if (options_.directions > 1 && value > reached) {
        master_.add(hull, part_, value - dot(part_, theta_));
      }
    });
    promise += risk - reached;
    if (risk > reached) master_.add(hull, mu_, risk - dot(mu_, theta_));
    return risk;
  }

  // P(θ) by a pass over all sets, whose tangents become vertices where each has a hull of its own.
  double objective_everywhere() {
    double risk = 0, promise = 0;
    for (Index set = 0; set < num_sets_; ++set) {
      risk += online() ? tangent(set) : expand(set, promise);
    }
    return dual_.divergence(theta_) + risk;
  }

  void find_directions() {
    const Stopwatch watch;
    double promise = 0, risk = 0;
    if (together()) {
      for (Index set = 0; set < num_sets_; ++set) risk += expand(set, promise);
    } else {
      expand(set_now(), promise);
    }
    last_.seconds_directions += watch.seconds();
    tolerance_ = std::max(promise, 0.0);
    if (together()) {
      judge(dual_.divergence(theta_) + risk);
    } else if (round_ends()) {
      const Stopwatch centre;
      judge(objective_everywhere());
      last_.seconds_centre += centre.seconds();
    }
  }

  // The rule by which the centre changes.
  void judge(double objective) {
    double away = 0;
    for (Index j = 0; j < theta_.size(); ++j) {
      const double difference = theta_[j] - dual_.centre()[j];
      away += difference * difference;
    }
    last_.proximal_upper = objective + dual_.gamma() / 2 * away;
    if (objective < last_.objective) {
      last_.objective = objective;
      best_ = theta_;
    }
    const double predicted = centre_value_ - last_.proximal_lower;
    const bool falls = objective <= centre_value_ - kFallOfCentre * predicted;
    const bool solved = tolerance_ <= kSolved * options_.gap * std::abs(objective);
    if (!falls && !solved) return;
    dual_.set_centre(theta_);
    centre_value_ = objective;
    ++last_.centre_changes;
  }

  const MarginOptions& options_;
  Index num_sets_;
  MarginRisk risk_;
  ProximalDual dual_;
  MasterProblem master_;
  LowerBound bound_;
  std::vector<std::uint8_t> active_;
  std::vector<double> theta_, mu_, part_, best_;
  double centre_value_ = 0;
  double tolerance_ = 0;  // what the newest vertices promised
  MarginIteration last_;
};

void check_sizes(const ConvexOracle& losses, const Distributions& distributions,
                 std::span<const double> c, std::span<const double> start) {
  const Index dimension = distributions.dimension();
  if (losses.dimension() != dimension || c.size() != dimension || start.size() != dimension) {
    throw UsageError("the losses, the distributions and what they start from differ in size");
  }
  for (Index j = 0; j < dimension; ++j) {
    if (!(c[j] > 0) || !std::isfinite(c[j])) {
      throw UsageError("the reference distributions must have no probability of zero: smooth them");
    }
    if (!std::isfinite(start[j])) {
      throw UsageError("the starting distributions must have no probability of zero: smooth them");
    }
  }
  for (Index i = 0; i < distributions.num(); ++i) {
    const double mass = log_sum_exp(start.subspan(distributions.begin(i), distributions.size(i)));
    if (mass > kMostMass) throw UsageError("training must begin with masses of at most 1");
  }
}

}  // namespace

void MarginOptions::check() const {
  if (!(eta > 0) || !std::isfinite(eta)) throw UsageError("η must be positive");
  if (!(gap >= 0)) throw UsageError("the gap must not be negative");
  if (!(gamma > 0) || !std::isfinite(gamma)) throw UsageError("γ must be positive");
  if (vertices < 2) throw UsageError("a simplex needs two vertices or more");
  if (working_sets < 1 || set_steps < 1 || directions < 1) {
    throw UsageError("there must be at least one working set, step and direction");
  }
}

double MarginIteration::gap() const {
  return objective == bound ? 0 : (objective - bound) / std::abs(objective);
}

MarginResult train_margin(const ConvexOracle& losses, const Distributions& distributions,
                          std::span<const double> c, std::span<const double> start,
                          const MarginOptions& options, const MarginWatch& watch,
                          const MarginState* resume) {
  options.check();
  check_sizes(losses, distributions, c, start);
  MarginTrainer trainer(losses, distributions, c, start, options);
  if (resume != nullptr) {
    trainer.resume(*resume);
  } else {
    trainer.begin();
  }
  MarginResult result;
  const auto state = [&] { return trainer.state(); };
  while (trainer.last().iteration < options.max_iterations &&
         !(trainer.last().gap() <= options.gap)) {
    trainer.iterate();
    result.history.push_back(trainer.last());
    if (watch && !watch(trainer.last(), state)) {
      result.stopped = true;
      break;
    }
  }
  const MarginIteration& last = trainer.last();
  result.objective = last.objective;
  result.bound = last.bound;
  result.gap = last.gap();
  result.iterations = last.iteration;
  result.converged = result.gap <= options.gap;
  result.theta = trainer.take_best();
  return result;
}

}  // namespace trellis
