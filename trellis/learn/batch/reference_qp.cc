#include "trellis/learn/batch/reference_qp.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/learn/frame/risk.h"
#include "trellis/learn/frame/trace.h"
#include "trellis/solve/polytopes/convex_program.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/solve/polytopes/nearest_mix.h"

namespace trellis {
namespace {

// (2.15) without the penalty, times n so that the multipliers are the z_i themselves. Variables: w
// first, then the duals of each example.
class JointProgram {
 public:
  JointProgram(const PartOracle& oracle, const ReferenceQpOptions& options)
      : oracle_(oracle), max_nonzeros_(options.max_nonzeros), scratch_(oracle.make_scratch()) {
    for (Index j = 0; j < oracle.dimension(); ++j) add_variable(0, -kInfinity);
    for (const WeightRange& range : oracle.nonnegative()) {
      std::fill(program_.lower.begin() + static_cast<std::ptrdiff_t>(range.begin),
                program_.lower.begin() + static_cast<std::ptrdiff_t>(range.end), 0.0);
    }
    for (Index i = 0; i < oracle.num_examples(); ++i) add_example(i);
    factor_ = size_of_factor(options.max_factor_nonzeros);
    if (factor_.nonzeros > options.max_factor_nonzeros) {
      throw UsageError(fmt::format(
          "the reference QP is too large: it has {} variables and {} constraints, and the factor "
          "of its linear systems has more than {} non-zeros ({} MB); choose another learner",
          program_.num_variables, program_.rows.size(), options.max_factor_nonzeros,
          options.max_factor_nonzeros * sizeof(double) / 1'000'000));
    }
  }

  ReferenceQpSize size() const {
    return {program_.num_variables, program_.rows.size(), num_nonzeros_, factor_};
  }

  ConvexProgram with_penalty(const WeightPenalty& penalty) const {
    ConvexProgram program = program_;
    const Index d = oracle_.dimension();
    const double lambda_n = penalty.lambda * static_cast<double>(oracle_.num_examples());
    if (lambda_n > 0) {
      for (Index j = 0; j < d; ++j) program.quadratic.push_back({j, j, lambda_n});
    }
    if (penalty.radius < kInfinity) program.ball = ConvexProgram::Ball{0, d, penalty.radius};
    return program;
  }

  // Reads z_i from the multipliers of the rows.
  void read_parts(const ConvexSolution& solution, Index i, std::span<double> z) const {
    for (Index p = 0; p < z.size(); ++p) {
      const Index row = part_rows_[first_part_[i] + p];
      z[p] = row == kNoRow ? 0 : solution.row_multipliers[row];
    }
  }

 private:
  static constexpr Index kNoRow = ~Index{0};

  // The factor of the system [H Aᵀ; A −D] of an interior-point method, where H is diagonal.
  FactorSize size_of_factor(Index most_nonzeros) const {
    std::vector<std::pair<Index, Index>> places;
    places.reserve(num_nonzeros_);
    for (Index r = 0; r < program_.rows.size(); ++r) {
      for (const LinearProgram::Term& term : program_.rows[r].terms) {
        places.emplace_back(program_.num_variables + r, term.variable);
      }
    }
    return factor_size(program_.num_variables + program_.rows.size(), places, most_nonzeros);
  }

  Index add_variable(double cost, double lower) {
    program_.linear.push_back(cost);
    program_.lower.push_back(lower);
    program_.upper.push_back(kInfinity);
    return program_.num_variables++;
  }

  void add_example(Index i) {
    const LinearProgram polytope = oracle_.linear_program(i);
    const Index parts = oracle_.num_parts(i);
    // By variable of the polytope: the constraint (Aᵀy + μ − F_iᵀw)_v ≥ c_v.
    std::vector<LinearProgram::Row> rows(polytope.num_variables, {{}, 0, kInfinity});
    std::vector<double> costs(parts);
    oracle_.costs(i, costs);
    for (Index p = 0; p < parts; ++p) rows[p].lower = costs[p];
    add_duals(polytope, rows);
    add_features(i, polytope, rows);
    first_part_.push_back(part_rows_.size());
    part_rows_.resize(part_rows_.size() + parts, kNoRow);
    for (Index v = 0; v < rows.size(); ++v) {
      if (fixed(polytope, v)) continue;
      if (v < parts) part_rows_[first_part_[i] + v] = program_.rows.size();
      num_nonzeros_ += rows[v].terms.size();
      program_.rows.push_back(std::move(rows[v]));
    }
    if (num_nonzeros_ > max_nonzeros_) {
      throw UsageError(fmt::format(
          "the reference QP is too large: the first {} of {} examples have {} variables, {} "
          "constraints and {} non-zeros, and the limit is {} non-zeros; choose another learner",
          i + 1, oracle_.num_examples(), program_.num_variables, program_.rows.size(),
          num_nonzeros_, max_nonzeros_));
    }
    std::vector<double> truth(parts);
    oracle_.target(i, truth);
    oracle_.add_features(i, truth, -1, *scratch_,
                         std::span(program_.linear).first(oracle_.dimension()));
  }

  static bool fixed(const LinearProgram& polytope, Index v) {
    return !polytope.upper_bounds.empty() && polytope.upper_bounds[v] == 0;
  }

  void add_duals(const LinearProgram& polytope, std::vector<LinearProgram::Row>& rows) {
    const auto dual = [&](const LinearProgram::Row& row, double cost, double lower, double sign) {
      const Index y = add_variable(cost, lower);
      for (const LinearProgram::Term& term : row.terms) {
        rows[term.variable].terms.push_back({y, sign * term.coefficient});
      }
    };
    for (const LinearProgram::Row& row : polytope.rows) {
      if (row.lower == row.upper) {
        dual(row, row.upper, -kInfinity, 1);
        continue;
      }
      if (row.upper < kInfinity) dual(row, row.upper, 0, 1);
      if (row.lower > -kInfinity) dual(row, -row.lower, 0, -1);
    }
    for (Index v = 0; v < polytope.upper_bounds.size(); ++v) {
      if (fixed(polytope, v) || polytope.upper_bounds[v] == kInfinity) continue;
      rows[v].terms.push_back({add_variable(polytope.upper_bounds[v], 0), 1.0});
    }
  }

  // −F_iᵀ w, a column of F_i for each part.
  void add_features(Index i, const LinearProgram& polytope, std::vector<LinearProgram::Row>& rows) {
    std::vector<double> unit(oracle_.num_parts(i), 0.0);
    SparseVector column;
    for (Index p = 0; p < unit.size(); ++p) {
      if (fixed(polytope, p)) continue;
      unit[p] = 1;
      oracle_.features(i, unit, -1, *scratch_, column);
      unit[p] = 0;
      for (const SparseVector::Run& run : column.runs()) {
        const std::span<const double> values = column.values(run);
        for (Index k = 0; k < run.size; ++k) {
          if (values[k] != 0) rows[p].terms.push_back({run.begin + k, values[k]});
        }
      }
    }
  }

  const PartOracle& oracle_;
  Index max_nonzeros_;
  std::unique_ptr<Scratch> scratch_;
  ConvexProgram program_;
  Index num_nonzeros_ = 0;
  FactorSize factor_;
  std::vector<Index> first_part_;  // of each example, in part_rows_
  std::vector<Index> part_rows_;   // the constraint of each part, or kNoRow
};

// Makes weights feasible that are so up to the solver's tolerance.
void restrict_weights(const PartOracle& oracle, double radius, std::span<double> w) {
  for (const WeightRange& range : oracle.nonnegative()) {
    for (Index j = range.begin; j < range.end; ++j) w[j] = std::max(0.0, w[j]);
  }
  const double norm = std::sqrt(inner_product(w, w));
  if (norm <= radius) return;
  for (double& weight : w) weight *= radius / norm;
}

double objective(const PartOracle& oracle, double lambda, std::span<const double> w) {
  const auto scratch = oracle.make_scratch();
  std::vector<double> s, costs, z;
  double loss = 0;
  for (Index i = 0; i < oracle.num_examples(); ++i) {
    const Index parts = oracle.num_parts(i);
    s.resize(parts);
    costs.resize(parts);
    z.resize(parts);
    oracle.scores(i, w, *scratch, s);
    oracle.costs(i, costs);
    for (Index p = 0; p < parts; ++p) s[p] += costs[p];
    const double best = oracle.maximize(i, s, *scratch, z);
    oracle.target(i, z);
    loss += std::max(0.0, best - inner_product(s, z));
  }
  return lambda / 2 * inner_product(w, w) + loss / static_cast<double>(oracle.num_examples());
}

// min λ/2 ‖w‖² + ⟨a, w⟩ over ‖w‖ ≤ radius and the required signs: the best w points against a, with
// 0 for coordinates that would be negative, and has the length min{radius, ‖a‖/λ}.
double smallest_minorant(const PartOracle& oracle, const WeightPenalty& penalty,
                         std::vector<double> a) {
  for (const WeightRange& range : oracle.nonnegative()) {
    for (Index j = range.begin; j < range.end; ++j) a[j] = std::min(0.0, a[j]);
  }
  const double norm = std::sqrt(inner_product(a, a));
  const double length =
      penalty.lambda > 0 ? std::min(penalty.radius, norm / penalty.lambda) : penalty.radius;
  return penalty.lambda / 2 * length * length - norm * length;
}

// The best vertex of Z_i in any direction. The oracle may refuse scores that feasible weights never
// give (a cut with edges that reward disagreement). So if weights are restricted, the vertices are
// those of the linear program: on feasible scores its maximum equals the oracle's, so its points
// give minorants as well.
BestVertex best_vertex(const PartOracle& oracle, Index i, Scratch& scratch) {
  if (oracle.nonnegative().empty()) {
    return [&oracle, i, &scratch](std::span<const double> s, std::span<double> z) {
      oracle.maximize(i, s, scratch, z);
    };
  }
  return [polytope = oracle.linear_program(i)](std::span<const double> s, std::span<double> z) {
    const LpSolution solution = maximize_linear_program(polytope, s);
    if (solution.status != LpStatus::kOptimal) {
      throw UsageError("the linear program of an example has no best vertex");
    }
    std::copy_n(solution.x.begin(), z.size(), z.begin());
  };
}

// `proved` ← whether each mix is proved to be nearest, with `max_work` for all mixes together.
double lower_bound(const PartOracle& oracle, const WeightPenalty& penalty,
                   const JointProgram& joint, const ConvexSolution& solution, double max_work,
                   bool& proved) {
  const auto scratch = oracle.make_scratch();
  const double share = 1 / static_cast<double>(oracle.num_examples());
  std::vector<double> a(oracle.dimension(), 0.0);
  std::vector<double> z, truth, costs;
  double b = 0;
  for (Index i = 0; i < oracle.num_examples(); ++i) {
    const Index parts = oracle.num_parts(i);
    z.resize(parts);
    truth.resize(parts);
    costs.resize(parts);
    joint.read_parts(solution, i, z);
    const NearestMix mix = nearest_mix(z, best_vertex(oracle, i, *scratch), share * max_work);
    proved &= !mix.limited;
    oracle.target(i, truth);
    oracle.costs(i, costs);
    for (Index p = 0; p < parts; ++p) z[p] = mix.point[p] - truth[p];
    oracle.add_features(i, z, share, *scratch, a);
    b += share * inner_product(costs, z);
  }
  return b + smallest_minorant(oracle, penalty, std::move(a));
}

void require_penalty(const WeightPenalty& penalty) {
  if (!(penalty.lambda >= 0) || !(penalty.radius > 0)) {
    throw UsageError("the reference QP needs lambda >= 0 and radius > 0");
  }
  if (penalty.lambda == 0 && penalty.radius == kInfinity) {
    throw UsageError("the reference QP needs lambda > 0 or a finite radius");
  }
}

void require_oracle(const PartOracle& oracle) {
  if (oracle.num_examples() == 0) throw UsageError("there are no examples to learn from");
  if (oracle.implicit_features()) {
    throw UsageError("the reference QP requires explicit features, which a kernel does not have");
  }
}

LearnSummary solve(const PartOracle& oracle, const JointProgram& joint,
                   const WeightPenalty& penalty, std::span<double> w,
                   const ReferenceQpOptions& options, const LearnControl& control) {
  require_penalty(penalty);
  Trace trace(control, fmt::format("reference_qp lambda={:a} radius={:a} n={} d={}", penalty.lambda,
                                   penalty.radius, oracle.num_examples(), oracle.dimension()));
  trace.resume();  // refuses another run's state; there is none to continue from
  ConvexOptions solver;
  solver.tolerance = options.tolerance;
  const double affordable = std::max(1.0, options.max_work / joint.size().factor.operations);
  solver.max_iterations = affordable < static_cast<double>(options.max_iterations)
                              ? static_cast<Index>(affordable)
                              : options.max_iterations;
  solver.stop = control.stop;
  if (control.observer) {
    solver.on_iteration = [&](Index iteration) { trace.report(1, iteration); };
  }
  std::vector<double> start(joint.size().variables, 0.0);
  std::copy(w.begin(), w.end(), start.begin());
  const ConvexSolution solution =
      minimize_convex_program(joint.with_penalty(penalty), solver, start);
  if (solution.status == ConvexStatus::kStopped) return trace.finish(Termination::kInterrupted);
  if (!solution.x.empty()) {
    std::copy(solution.x.begin(), solution.x.begin() + static_cast<std::ptrdiff_t>(w.size()),
              w.begin());
  }
  restrict_weights(oracle, penalty.radius, w);
  EpochRecord record;
  record.epoch = 1;
  record.updates = solution.iterations;
  record.objective = objective(oracle, penalty.lambda, w);
  // A sum of nonnegative losses has the trivial minorant 0.
  bool proved = true;
  record.bound =
      solution.x.empty()
          ? 0
          : std::max(0.0, lower_bound(oracle, penalty, joint, solution, options.max_work, proved));
  trace.record(record, w);
  if (solution.status == ConvexStatus::kLimit || !proved) return trace.finish(Termination::kLimit);
  return trace.finish(solution.status == ConvexStatus::kOptimal ? Termination::kConverged
                                                                : Termination::kStalled);
}

}  // namespace

LearnSummary reference_qp(const PartOracle& oracle, const WeightPenalty& penalty,
                          std::span<double> w, const ReferenceQpOptions& options,
                          const LearnControl& control, ReferenceQpSize* size) {
  if (w.size() != oracle.dimension()) {
    throw UsageError(fmt::format("the weights have {} coordinates, the problem has {}", w.size(),
                                 oracle.dimension()));
  }
  require_penalty(penalty);
  require_oracle(oracle);
  const JointProgram joint(oracle, options);
  if (size != nullptr) *size = joint.size();
  return solve(oracle, joint, penalty, w, options, control);
}

std::vector<PathPoint> regularisation_path(const PartOracle& oracle,
                                           std::span<const WeightPenalty> penalties,
                                           const ReferenceQpOptions& options,
                                           const LearnControl& control) {
  require_oracle(oracle);
  for (const WeightPenalty& penalty : penalties) require_penalty(penalty);
  const JointProgram joint(oracle, options);
  std::vector<PathPoint> path;
  for (const WeightPenalty& penalty : penalties) {
    PathPoint point{penalty, std::vector<double>(oracle.dimension(), 0.0), {}};
    point.summary = solve(oracle, joint, penalty, point.w, options, control);
    if (point.summary.termination == Termination::kInterrupted) break;
    path.push_back(std::move(point));
  }
  return path;
}

}  // namespace trellis
