// Discriminative training of probability tables (Yu, Bertsekas & Rousu, "An efficient
// discriminative training method for generative models"): the convex program
//
//   (P)   min_θ  Σ_ij f_ij(θ_ij) + η Σ_k h(L_k(θ))      1'e^{θ_i} ≤ 1  for every distribution i
//
// where f keeps e^θ close to given distributions c (divergence.h) and L_k are any convex losses of
// an oracle: the hinge of the paper, a smooth member of the loss family (conditional likelihood),
// or others.
//
// The outer loop is the proximal point method: (Pₙ) adds γ/2 ‖θ − θⁿ‖², which makes its dual finite
// everywhere. The inner loop is restricted simplicial decomposition of that dual: a master problem
// over the hull of at most m vertices (master_problem.h), and a pass over the examples at its
// solution θ for another vertex (margin_risk.h). The pass also gives the value of (P) at θ, so it
// serves the direction, the upper bound, and the rule by which the centre θⁿ changes:
//
//   θⁿ⁺¹ = θ  if  (i)  P(θ) ≤ P(θⁿ) − δ̄,              δ̄ = (P(θⁿ) − Qₙ) / 4
//             or  (ii) the dual is solved to δ_m,       δ_m = 1 % of the requested gap
//
// with Qₙ the value of the dual: choices that the paper (sec. 2.3.3) leaves open.
//
// Working sets (sec. 3.1): a simplex for each of N sets, with all sets in every master problem or
// one after the other (coordinate ascent), or one simplex for a stream of sets (online). With sets
// one after the other or online, an iteration passes over the examples of one set only, which does
// not give P(θ). Then only a pass over all examples, at the end of each round of set_steps · N
// iterations, evaluates the rule above and updates the best θ: R rounds have at most R changes of
// the centre, and R candidates for the best θ in addition to the start. Certificates are those of
// (P) itself, with or without the proximal term (lower_bound.h).
//
// Same bits for any number of threads. Memory: m · N vertices of the dimension of θ (m of them
// online), and up to as many vectors for the Hessian of the master problem.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/distributions.h"
#include "trellis/generative/margin/divergence.h"
#include "trellis/generative/margin/lower_bound.h"
#include "trellis/generative/margin/margin_risk.h"
#include "trellis/generative/margin/master_problem.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

enum class WorkingSets {
  kTogether,  // every master problem has all sets; with one set, the method of sec. 2
  kInTurn,    // coordinate ascent: one set after the other, the rest fixed
  kOnline     // one hull for all, which each set expands, one after the other
};

struct MarginOptions {
  double eta = 1;
  Divergence divergence = Divergence::kForward;
  Penalty penalty = Penalty::kLinear;
  double gap = 1e-3;            // relative: (objective − bound) / |objective|
  Index max_iterations = 2000;  // master problems
  double gamma = 0.01;          // γ
  Index vertices = 100;         // m, for each simplex
  Index directions = 1;         // parts of a set that are tried as ascent directions of their own
  WorkingSets order = WorkingSets::kTogether;
  Index working_sets = 1;  // N
  Index set_steps = 3;     // master problems for each set before the next one
  int threads = 1;

  void check() const;  // throws UsageError
};

struct MarginIteration {
  Index iteration = 0;
  Index centre_changes = 0;
  Index vertices = 0;
  double objective = 0;       // P at the best θ so far; with sets in turn or online: of rounds
  double bound = 0;           // the best lower bound of (P) so far
  double proximal_upper = 0;  // of the value of (Pₙ)
  double proximal_lower = 0;
  double seconds_master = 0;  // so far
  double seconds_directions = 0;
  double seconds_centre = 0;  // passes that no direction needed, and the lower bound

  double gap() const;  // relative
};

// The whole state between two iterations, for checkpoints.
struct MarginState {
  std::vector<double> centre, best, lambda;
  double centre_value = 0;
  double tolerance = 0;
  MarginIteration last;
  LowerBound::State bound;
  std::vector<std::vector<MarginVertex>> sets;
};

struct MarginResult {
  std::vector<double> theta;  // the best θ: masses are at most 1, up to rounding
  double objective = 0;
  double bound = 0;
  double gap = 0;  // relative
  Index iterations = 0;
  bool converged = false;  // to options.gap
  bool stopped = false;    // by the watcher
  std::vector<MarginIteration> history;
};

// Called after every iteration; `state` makes a copy. false stops the run.
using MarginWatch =
    std::function<bool(const MarginIteration&, const std::function<MarginState()>& state)>;

// c has a positive entry for each of θ; `start` is θ⁰, finite, with masses of at most 1. With
// `resume` the run continues from that state. Throws UsageError if sizes do not match, c is not
// positive or the start is not finite; it does not check the masses of the start.
MarginResult train_margin(const ConvexOracle& losses, const Distributions& distributions,
                          std::span<const double> c, std::span<const double> start,
                          const MarginOptions& options, const MarginWatch& watch = {},
                          const MarginState* resume = nullptr);

}  // namespace trellis
