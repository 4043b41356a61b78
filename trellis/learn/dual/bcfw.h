// Block-coordinate Frank–Wolfe: Lacoste-Julien, Jaggi, Schmidt & Pletscher (2013),
// "Block-Coordinate Frank–Wolfe Optimization for Structural SVMs", Algorithm 4, for any losses with
// cuts:
//
//   min_{w ∈ W}  P(w) = λ/2 ‖w‖² + (1/n) Σ_i L_i(w)
//
// W = {w : w_j ≥ 0 for j ∈ N}, where the oracle says so. A visit to example i asks for the cut at w
// and moves the example's own combination of cuts towards it by the fraction that maximises the
// dual D; no learning rate, D never falls, and it is a bound on min P (learn/dual/dual_point.h).
// With g_i = L_i(w) − (b_i + ⟨a_i, w⟩), the gap is P(w) − D = (1/n) Σ_i g_i: the visits measure it,
// each at its own time, at the cost of at most one oracle call each. (For examples drawn at random
// the paper proves an expected gap of ε after O(n/ε) of them.)
//
// Cached cuts. With cache_size > 0 the combination is kept as what it is made of, up to cache_size
// cuts of each example (learn/dual/stored_dual.h). Then
//   * mass moves between them, from the low ones at w to the highest, so that a cut that was wrong
//     is taken back at once and not faded out (pairwise steps, Osokin et al. 2016; up to 30 of them
//     a visit);
//   * after each visit, 4 examples drawn at random move theirs, without an oracle (the approximate
//     passes of Shah, Kolmogorov & Lampert 2015, spread over the epoch);
//   * a visit tries the cached cuts first: when the best of them lies higher above the combination
//     than half the example's last known g_i, that step is taken and the oracle not called; but at
//     most 10 times in a row.
// That costs the memory of the cuts, stored without zeros, and of their products, and pays wherever
// the gap must get small.
//
// Averaging: returns the mean of the iterates, the t-th with weight t (the optional line of
// Algorithm 4, w̄ ← t/(t+2) w̄ + 2/(t+2) w), whose gap is smoother and at first much smaller than
// that of the last iterate; the bound is the best D so far, of dual points and of their means. A
// visit pays no more for it than the coordinates that its steps touch, an epoch a few passes over
// w. With cached cuts the last iterate overtakes the mean soon, so averaging is for Algorithm 4 as
// it stands, and for short runs.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

enum class BcfwAverage {
  kNone,      // return the last w, whose D is the bound
  kWeighted,  // return the mean, the t-th iterate with weight t
};

struct BcfwOptions {
  // λ > 0.
  double lambda = 1e-4;
  Index max_epochs = 100;
  VisitOrder order = VisitOrder::kRandom;
  BcfwAverage average = BcfwAverage::kNone;
  // Cuts to keep of each example; 0: Algorithm 4 as it stands.
  Index cache_size = 20;
  // With control.certify: the pass that evaluates P at the weights to return follows every
  // `gap_every` epochs, the last one, any that changed nothing, and any after which the visits'
  // gaps promise that control.gap_tolerance is met. Between them a record has a bound alone.
  Index gap_every = 1;
};

// w: in, the start (clipped to W); out, the result. The dual of a start other than 0 consists of
// the cuts there (one more pass, which no record counts), scaled to the best D. Converged when no
// visit of an epoch changed anything; stalled, where cuts need not touch and none is proven to.
LearnSummary bcfw(const CutOracle& oracle, const BcfwOptions& options, std::span<double> w,
                  const LearnControl& control = {});

}  // namespace trellis
