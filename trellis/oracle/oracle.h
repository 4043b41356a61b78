// All that a learner may see: n functions L_i(w), each of which hands out an affine piece, and says
// by its type what that is worth. A learner never sees a structure, a feature or an example.
//
//   objective(w) = λ/2 ‖w‖² + (1/n) Σ_i L_i(w)
//
// The piece touches L_i at the w that was asked about, but where the type says otherwise: of a
// CutOracle it is a minorant ("cut"), L_i(v) ≥ offset + ⟨v, slope⟩ for all v, that need not touch;
// of a ConvexOracle it is both; of a StochasticOracle or an ApproximateOracle it is an estimate.
// What a learner needs it asks for by type: bmrm(CutOracle), lbfgs(SmoothOracle).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/solve/convergence.h"

namespace trellis {

// L(v) ≥ offset + ⟨v, slope⟩ (for oracles of cuts), with equality at the point asked (for convex
// ones).
struct Cut {
  double offset = 0;
  SparseVector slope;

  double value(std::span<const double> w) const { return offset + slope.dot(w); }
};

// Memory that an oracle reuses between calls. Belongs to the caller; one for each thread.
class Scratch {
 public:
  virtual ~Scratch() = default;
};

// The weights [begin, end).
struct WeightRange {
  Index begin;
  Index end;
};

// n functions of w. Every call is const and thread-safe for distinct scratch. Memory is reused from
// call to call by way of the scratch and the cut, which grow to the largest example.
class Oracle {
 public:
  virtual ~Oracle() = default;
  virtual Index num_examples() const = 0;
  virtual Index dimension() const = 0;
  // The weights that must stay ≥ 0: disjoint ranges, ascending. L_i exists on that set alone, and a
  // learner that cannot stay there refuses the oracle.
  virtual std::span<const WeightRange> nonnegative() const { return {}; }
  virtual std::unique_ptr<Scratch> make_scratch() const = 0;

  // Returns L_i(w), or what the type has in its place, and writes the piece.
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

// Promises: every L_i is convex and ≥ 0, and each piece is a cut. It need not touch: where an
// output was looked for by a search that may miss the best one, evaluate() and accumulate() return
// the piece's value at w, which is ≤ L_i(w). What learners prove by cuts, a bound on min P from
// below, holds all the same; what they say of P(w) itself comes from upper bounds.
class CutOracle : public virtual Oracle {
 public:
  // As accumulate(), and bounds L_i(w) from above.
  virtual LossBounds accumulate_bounds(Index i, std::span<const double> w, Scratch& scratch,
                                       std::span<double> gradient) const = 0;
  // Whether every piece touches, as a ConvexOracle promises: an epoch that changed nothing then
  // proves that nothing was left to change.
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

// Promises: the cut is one of finitely many affine pieces of L_i, that of an output which a search
// has found. It need not be the highest.
class SearchOracle : public virtual CutOracle {};

// Promises: the slope is the gradient of L_i at w. (Convex or not: with hidden labels it is not.)
class SmoothOracle : public virtual Oracle {};

// Promises: the cut is one of finitely many affine pieces of L_i, and the highest at w.
class HingeOracle : public ConvexOracle, public SearchOracle {};

// Promises: smooth and convex.
class SmoothConvexOracle : public SmoothOracle, public ConvexOracle {};

// An estimate by random draws: the slope's expectation is the gradient of L_i at w, the value's
// close to L_i(w), and a piece need not lie below L_i anywhere. Which draws is a function of i and
// w alone: calls are const, and the same call has the same answer. Promises no more than an Oracle
// does, so that what needs a cut or a gradient does not take it.
class StochasticOracle : public virtual Oracle {};

// Losses of sums that are not exact, without draws. They may lie on either side of the true losses
// (loopy belief propagation) and be negative, and the slope is the gradient as far as the method's
// own conditions are met: up to the residual that convergence() reports. Promises no more than an
// Oracle does.
class ApproximateOracle : public virtual Oracle {
 public:
  // How the sums of the last call with this scratch ended.
  virtual Convergence convergence(const Scratch& scratch) const = 0;
};

// Promises: L_i is never below the loss that it stands for, and so never negative, up to rounding.
// It is convex and smooth where the bound is at its best, and up to what is left of that elsewhere,
// which is too little for cuts.
class UpperBoundOracle : public SmoothOracle, public ApproximateOracle {};

// Hands out several cuts at once: those of the k outputs that violate most, best first.
class KBestOracle : public HingeOracle {
 public:
  // Returns L_i(w); fills up to k cuts (at least one). The first is the highest at w, as
  // evaluate()'s is; of outputs that tie it may be another's.
  virtual double evaluate_k_best(Index i, std::span<const double> w, Index k, Scratch& scratch,
                                 std::vector<Cut>& cuts) const = 0;
};

}  // namespace trellis
