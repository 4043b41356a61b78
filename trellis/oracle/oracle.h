// All that a learner may see: n functions L_i(w). Each returns an affine piece, and its type says
// how the piece relates to L_i. A learner never sees a structure, a feature or an example.
//
//   objective(w) = λ/2 ‖w‖² + (1/n) Σ_i L_i(w)
//
// The piece touches L_i at the w of the call, unless the type says otherwise: for a CutOracle it is
// a minorant ("cut"), L_i(v) ≥ offset + ⟨v, slope⟩ for all v, that need not touch; for a
// ConvexOracle it is both; for a StochasticOracle or an ApproximateOracle it is an estimate. A
// learner names its requirements by type: bmrm(CutOracle), lbfgs(SmoothOracle).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/solve/convergence.h"

namespace trellis {

// L(v) ≥ offset + ⟨v, slope⟩ (for oracles of cuts), with equality at the w of the call (for convex
// ones).
struct Cut {
  double offset = 0;
  SparseVector slope;

  double value(std::span<const double> w) const { return offset + slope.dot(w); }
};

// Memory that an oracle reuses between calls. The caller owns it; use one per thread.
class Scratch {
 public:
  virtual ~Scratch() = default;
};

// The weights [begin, end).
struct WeightRange {
  Index begin;
  Index end;
};

// n functions of w. Every call is const and thread-safe for distinct scratch. The scratch and the
// cut are reused between calls and grow to the largest example.
class Oracle {
 public:
  virtual ~Oracle() = default;
  virtual Index num_examples() const = 0;
  virtual Index dimension() const = 0;
  // The weights that must stay ≥ 0: disjoint ranges, ascending. L_i is defined on that set only,
  // and a learner that cannot stay in it refuses the oracle.
  virtual std::span<const WeightRange> nonnegative() const { return {}; }
  virtual std::unique_ptr<Scratch> make_scratch() const = 0;

  // Returns L_i(w), or the value that the type defines instead, and writes the piece.
  virtual double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const = 0;
  // Returns the same, and adds the slope of that piece to `gradient`.
  virtual double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                            std::span<double> gradient) const = 0;
};

// value ≤ L_i(w) ≤ upper, up to rounding.
struct LossBounds {
  double value = 0;  // of the piece
  double upper = 0;
};

// Promises: every L_i is convex and ≥ 0, and each piece is a cut. It need not touch: if the output
// comes from a search that may miss the best one, evaluate() and accumulate() return the piece's
// value at w, which is ≤ L_i(w). The lower bound on min P that learners prove by cuts is still
// valid; upper bounds must supply the value of P(w) itself.
class CutOracle : public virtual Oracle {
 public:
  // As accumulate(), and bounds L_i(w) from above.
  virtual LossBounds accumulate_bounds(Index i, std::span<const double> w, Scratch& scratch,
                                       std::span<double> gradient) const = 0;
  // Whether every piece touches, as a ConvexOracle promises: an epoch without a change then proves
  // that the optimum is reached.
  virtual bool touches() const { return false; }
};

// Promises: the cuts touch, so values are losses.
class ConvexOracle : public virtual CutOracle {
 public:
  LossBounds accumulate_bounds(Index i, std::span<const double> w, Scratch& scratch,
                               std::span<double> gradient) const final {
    const double loss = accumulate(i, w, scratch, gradient);
    return {loss, loss};
  }
  bool touches() const final { return true; }
};

// Promises: the cut is one of finitely many affine pieces of L_i, that of an output found by a
// search. It need not be the highest.
class SearchOracle : public virtual CutOracle {};

// Promises: the slope is the gradient of L_i at w. (Convex or not: with hidden labels it is not.)
class SmoothOracle : public virtual Oracle {};

// Promises: the cut is one of finitely many affine pieces of L_i, and the highest at w.
class HingeOracle : public ConvexOracle, public SearchOracle {};

// Promises: smooth and convex.
class SmoothConvexOracle : public SmoothOracle, public ConvexOracle {};

// An estimate by random draws: the expected slope is the gradient of L_i at w, the expected value
// is close to L_i(w), and a piece need not lie below L_i anywhere. The draws depend only on i and
// w: calls are const, and the same call has the same result. It is only an Oracle, so that learners
// that need a cut or a gradient do not accept it.
class StochasticOracle : public virtual Oracle {};

// Losses from sums that are not exact, without draws. They may be above or below the true losses
// (loopy belief propagation) and may be negative. The slope is the gradient up to the residual that
// convergence() reports. It promises no more than an Oracle.
class ApproximateOracle : public virtual Oracle {
 public:
  // The convergence of the sums in the last call with this scratch.
  virtual Convergence convergence(const Scratch& scratch) const = 0;
};

// Promises: L_i is never below the loss that it bounds, and so never negative, up to rounding. It
// is convex and smooth where the bound is tightest, and elsewhere only up to the residual, which is
// not enough for cuts.
class UpperBoundOracle : public SmoothOracle, public ApproximateOracle {};

// Returns several cuts at once: those of the k outputs that violate most, best first.
class KBestOracle : public HingeOracle {
 public:
  // Returns L_i(w); fills up to k cuts (at least one). The first is the highest at w, like that of
  // evaluate(); if outputs tie, it may belong to another one.
  virtual double evaluate_k_best(Index i, std::span<const double> w, Index k, Scratch& scratch,
                                 std::vector<Cut>& cuts) const = 0;
};

}  // namespace trellis
