// What the tests of the saddle-point learners share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tests/learn/run_result.h"
#include "tests/learn/saddle_point/simplex_oracle.h"
#include "trellis/base/random.h"
#include "trellis/learn/batch/reference_qp.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/learn/saddle_point/weight_ball.h"
#include "trellis/oracle/part_oracle.h"
#include "trellis/solve/polytopes/linear_program.h"

namespace trellis::testing {

// What output k of example i adds to its margin: F_i (e_k − z(y_i)) and c_i·(e_k − z(y_i)).
struct MarginPiece {
  std::vector<double> slope;
  double offset = 0;
};

inline MarginPiece margin_piece(const SimplexOracle& oracle, Index i, Index k) {
  const auto scratch = oracle.make_scratch();
  std::vector<double> difference(oracle.num_parts(i)), costs(oracle.num_parts(i));
  oracle.target(i, difference);
  oracle.costs(i, costs);
  MarginPiece piece{std::vector<double>(oracle.dimension(), 0.0), 0};
  for (Index p = 0; p < difference.size(); ++p) {
    difference[p] = (p == k ? 1.0 : 0.0) - difference[p];
    piece.offset += costs[p] * difference[p];
  }
  oracle.add_features(i, difference, 1, *scratch, piece.slope);
  return piece;
}

// P(w) from its definition, output by output: nothing of it is the learners'.
inline double objective_at(const SimplexOracle& oracle, double lambda, std::span<const double> w) {
  double losses = 0;
  for (Index i = 0; i < oracle.num_examples(); ++i) {
    double loss = 0;
    for (Index k = 0; k < oracle.num_parts(i); ++k) {
      const MarginPiece piece = margin_piece(oracle, i, k);
      loss =
          std::max(loss, std::inner_product(w.begin(), w.end(), piece.slope.begin(), piece.offset));
    }
    losses += loss;
  }
  return losses / static_cast<double>(oracle.num_examples()) +
         lambda / 2 * std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
}

// min P over the ball of the 1-norm, as the linear program that it is: w = R (p⁺ − p⁻), Σ p ≤ 1,
// and a loss ξ_i above each of its pieces.
inline double least_in_l1_ball(const SimplexOracle& oracle, double radius) {
  const Index d = oracle.dimension(), n = oracle.num_examples();
  LinearProgram program;
  program.num_parts = program.num_variables = 2 * d + n;
  program.upper_bounds.assign(program.num_variables, 1.0);
  std::fill_n(program.upper_bounds.begin() + static_cast<std::ptrdiff_t>(2 * d), n, 1e9);
  for (const WeightRange& range : oracle.nonnegative()) {
    for (Index j = range.begin; j < range.end; ++j) program.upper_bounds[d + j] = 0;
  }
  LinearProgram::Row mass;
  for (Index j = 0; j < 2 * d; ++j) mass.terms.push_back({j, 1.0});
  mass.upper = 1;
  program.rows.push_back(mass);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < oracle.num_parts(i); ++k) {
      const MarginPiece piece = margin_piece(oracle, i, k);
      LinearProgram::Row row;
      for (Index j = 0; j < d; ++j) {
        row.terms.push_back({j, radius * piece.slope[j]});
        row.terms.push_back({d + j, -radius * piece.slope[j]});
      }
      row.terms.push_back({2 * d + i, -1.0});
      row.lower = -1e9;
      row.upper = -piece.offset;
      program.rows.push_back(row);
    }
  }
  std::vector<double> objective(program.num_variables, 0.0);
  for (Index i = 0; i < n; ++i) objective[2 * d + i] = -1 / static_cast<double>(n);
  const LpSolution solution = maximize_linear_program(program, objective);
  EXPECT_EQ(solution.status, LpStatus::kOptimal);
  return -solution.value;
}

// min_W P, by a convex program.
inline double least_objective(const SimplexOracle& oracle, const WeightBallOptions& options) {
  if (options.ball == WeightBall::kL1) return least_in_l1_ball(oracle, options.radius);
  std::vector<double> w(oracle.dimension(), 0.0);
  const LearnSummary exact =
      reference_qp(oracle, {options.lambda, options.radius}, w, {}, certified());
  EXPECT_LT(exact.gap(), 1e-8);
  return objective_at(oracle, options.lambda, w);
}

// The duality gap from its definition: the least P lies between bound and objective, in every
// record, and the objective of the last is P at the weights that were returned.
inline void expect_duality_gap(const SimplexOracle& oracle, const WeightBallOptions& options,
                               const RunResult& result) {
  const double least = least_objective(oracle, options);
  for (const EpochRecord& record : result.summary.history) {
    EXPECT_LE(record.bound, least + 1e-8);
    if (std::isnan(record.objective)) continue;
    EXPECT_GE(record.objective, least - 1e-8);
    EXPECT_DOUBLE_EQ(record.gap(),
                     std::max(0.0, record.objective - record.bound) / record.objective);
  }
  EXPECT_NEAR(result.summary.objective, objective_at(oracle, options.lambda, result.w), 1e-12);
}

// Random points of W near `w` and far from it.
inline std::vector<std::vector<double>> points_of(const PartOracle& oracle,
                                                  const WeightBallOptions& options,
                                                  std::span<const double> w) {
  const WeightSet set(oracle, options);
  std::vector<std::vector<double>> points;
  for (std::uint64_t k = 0; k < 40; ++k) {
    Random random(77, k);
    const double spread = std::pow(10.0, -3 + 0.1 * static_cast<double>(k));
    std::vector<double> point(w.begin(), w.end());
    for (double& weight : point) weight += spread * random.normal();
    set.project(point);
    points.push_back(std::move(point));
  }
  return points;
}

// One learner with its options, on one problem.
using SaddleLearner = std::function<LearnSummary(std::span<double> w, const LearnControl&)>;

inline RunResult run_saddle(const SaddleLearner& learner, Index dimension, LearnControl control) {
  RunResult run;
  run.w.resize(dimension, 0.0);
  control.certify = true;
  run.summary = learner(run.w, control);
  return run;
}

// Stops the run from its observer after `epochs`, resumes it, and so on to the end.
inline RunResult run_interrupted(const SaddleLearner& learner, Index dimension, Index epochs) {
  RunResult run;
  run.w.resize(dimension, 0.0);
  Checkpoint checkpoint;
  do {
    std::stop_source source;
    Index seen = 0;
    LearnControl control;
    control.certify = true;
    control.checkpoint = &checkpoint;
    control.stop = source.get_token();
    control.observer = [&](EpochRecord&, std::span<const double>) {
      if (++seen == epochs) source.request_stop();
      return true;
    };
    run.summary = learner(run.w, control);
    // What was written over must not matter.
    if (!checkpoint.empty()) std::fill(run.w.begin(), run.w.end(), 0.5);
  } while (run.summary.termination == Termination::kInterrupted);
  return run;
}

// The slope of log gap against log t over the records t in [from, to].
inline double decay_rate(const LearnSummary& summary, Index from, Index to) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (Index t = from; t <= to; ++t) {
    const double u = std::log(static_cast<double>(t));
    const double v = std::log(summary.history[t - 1].objective - summary.history[t - 1].bound);
    n += 1, x += u, y += v, xx += u * u, xy += u * v;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace trellis::testing
