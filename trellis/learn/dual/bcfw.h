// Block-coordinate Frank–Wolfe: Lacoste-Julien, Jaggi, Schmidt & Pletscher (2013),
// "Block-Coordinate Frank–Wolfe Optimization for Structural SVMs", Algorithm 4, for any losses with
// cuts:
//
//   min_{w ∈ W}  P(w) = λ/2 ‖w‖² + (1/n) Σ_i L_i(w)
//
// W = {w : w_j ≥ 0 for j ∈ N}, if the oracle restricts weights. A visit to example i requests the
// cut at w and moves the example's own combination of cuts towards it by the fraction that
// maximises the dual D; no learning rate, D never decreases, and it is a bound on min P
// (learn/dual/dual_point.h). With g_i = L_i(w) − (b_i + ⟨a_i, w⟩), the gap is P(w) − D = (1/n) Σ_i
// g_i: the visits measure it, each at its own time, with at most one oracle call per visit. (For
// examples drawn at random the paper proves an expected gap of ε after O(n/ε) visits.)
//
// Cached cuts. With cache_size > 0 the combination is stored by its components, up to cache_size
// cuts of each example (learn/dual/stored_dual.h). Then
//   * mass moves between the cuts, from those that are low at w to the highest, so that a wrong cut
//     is removed at once instead of fading out (pairwise steps, Osokin et al. 2016; at most 30 per
//     visit);
//   * after each visit, 4 examples drawn at random move their mass, without an oracle (the
//     approximate passes of Shah, Kolmogorov & Lampert 2015, spread over the epoch);
//   * a visit tries the cached cuts first: if the best of them exceeds the combination by more than
//     half the example's last known g_i, the visit takes that step without the oracle; but at most
//     10 times in a row.
// This costs the memory of the cuts, stored without zeros, and of their products, and is worthwhile
// if the gap must become small.
//
// Averaging: returns the mean of the iterates, the t-th with weight t (the optional line of
// Algorithm 4, w̄ ← t/(t+2) w̄ + 2/(t+2) w), whose gap is smoother and at first much smaller than
// that of the last iterate; the bound is the best D so far, of dual points and of their means. This
// costs a visit only the coordinates that its steps change, and an epoch a few passes over w. With
// cached cuts the last iterate soon becomes better than the mean, so averaging is for the plain
// Algorithm 4 and for short runs.
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
  // The number of cuts to keep for each example; 0: the plain Algorithm 4.
  Index cache_size = 20;
  // With control.certify: the pass that evaluates P at the weights to return follows every
  // `gap_every` epochs, the last one, any without a change, and any after which the visits' gaps
  // indicate that control.gap_tolerance is met. Other records have only a bound.
  Index gap_every = 1;
};

// w: the start (clipped to W); on return, the result. The dual of a start other than 0 consists of
// the cuts there (one more pass, which no record counts), scaled to the best D. Converged if no
// visit of an epoch changed anything; stalled instead if cuts need not touch and none is proved to.
LearnSummary bcfw(const CutOracle& oracle, const BcfwOptions& options, std::span<double> w,
                  const LearnControl& control = {});

}  // namespace trellis
