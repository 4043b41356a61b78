// Sets of labels that attract each other, with a measure that is not linear: the constraint
// generation of submodular multi-label learning (Petterson & Caetano 2011, "Submodular multi-label
// learning"; Petterson 2011, chapter 4).
//
//   max_y  F(y) = s(y) + γ Δ(y, t),     s(y) = Σ_v a_v y_v + Σ_{vw} A_vw y_v y_w,   A ≥ 0
//
// Δ is the loss of a measure (solve/measures/set_measure.h) against the true set t of p labels.
// With h hits and k labels in y, Δ = 1 − r(k) h for F_β, precision and recall, where r never
// increases. For a fixed r this is a minimum cut; with |y| = k prescribed it is NP-hard.
//
// Recall and Hamming are linear in y: one cut is exact. So is t = ∅, where Δ is 0 for the empty set
// and 1 for all others: the best non-empty set is the best over v of the best with v in it.
//
// Algorithm 5. Let y_k be the smallest maximiser of s_k(y) = s(y) − γ r(k) h(y). The answer is y_k
// for the largest k with |y_k| = k. Since |y_k| never decreases with k, no k' in (|y_k|, k) has
// |y_k'| = k', so the downward search from k = V by k ← |y_k| takes a few cuts, while the upward
// search of the thesis takes up to V for the same answer. Sound (Theorem 2, for all r that never
// increase): with O = y_k, |O| = k, an optimum y*, y = y* ∪ O of m labels, and s_k(y) ≥ s_k(y*),
// which follows from supermodularity,
//
//   F(y) − F(y*) ≥ γ (r(k) − r(m)) (h(y) − h(y*)) + γ (r(|y*|) − r(m)) h(y*) ≥ 0
//
// Algorithm 6 certifies it. If O is not optimal, some O ∪ α is, α ≠ ∅, and F(O ∪ α) − F(O) = s_k(O
// ∪ α) − s_k(O) + γ (r(k) − r(k + |α|)) h(O ∪ α). So if s_k(O ∪ α) − s_k(O) + ε p ≤ 0 for all α (a
// cut for each label that is forced in), ε = γ (r(k) − r(V)), then O is optimal (Theorem 6). For
// F_β, ε = γ (1 + β²)(V − k) / ((β² p + k)(β² p + V)). Precision has no r(0): the empty set is y_1
// as well then, and takes r(1).
//
// exact() continues Algorithm 5 with parametric cuts and branch and bound (…_argmax_search.h), and
// proves its answer or returns the remaining bound. By Theorem 2 the labels of Algorithm 5 stay
// fixed. All answers are sets whose value was computed; bounds hold up to rounding.
//
// Use one object per thread; calls do not allocate once it has grown to the largest problem.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"
#include "trellis/solve/measures/pairwise_measure_argmax_cuts.h"
#include "trellis/solve/measures/pairwise_measure_argmax_search.h"
#include "trellis/solve/measures/set_measure.h"

namespace trellis {

struct PairwiseMeasureProblem {
  std::span<const double> unary;     // a, one for each label
  std::span<const NodePair> pairs;   // distinct
  std::span<const double> coupling;  // A ≥ 0, one for each pair
  std::span<const Label> truth;      // t: 0 or 1 for each label
  SetMeasure measure;
  double gamma = 1;  // ≥ 0
};

struct PairwiseMeasureAnswer {
  double value = 0;       // F(y)
  double bound = 0;       // max F ≤ bound, but for rounding
  bool proven = false;    // bound ≤ value, but for rounding
  Index cuts = 0;         // minimum cuts that it took
  Index subproblems = 0;  // of branch and bound
};

class PairwiseMeasureArgmax {
 public:
  // The spans must outlive the last call on this problem.
  void set_problem(const PairwiseMeasureProblem& problem);

  // Algorithm 5. Its bound is γ + max_y s_V(y), a weak one.
  PairwiseMeasureAnswer algorithm5(std::vector<Label>& y);
  // Algorithm 6, for the last algorithm5() of the same problem: true proves its answer optimal.
  // Takes up to V more cuts, which it adds to `cuts`.
  bool algorithm6(Index& cuts);
  // Algorithm 5, continued to the optimum.
  PairwiseMeasureAnswer exact(const PairwiseSearchLimits& limits, std::vector<Label>& y);
  // The second half of exact(), for a caller that has the answer of algorithm5().
  PairwiseMeasureAnswer improve(const PairwiseMeasureAnswer& start,
                                const PairwiseSearchLimits& limits, std::vector<Label>& y);

  // Values within this distance are equal: 1e-11 of γ + Σ |a_v| + Σ A_vw.
  double tolerance() const;

 private:
  struct Step {  // a cut of Algorithm 5
    double alpha;
    CountedSet set;
    Index at;  // of its labels in sets_
  };

  bool is_linear() const;
  double reward(Index k) const;  // γ r(k)
  double loss(const CountedSet& set) const;
  double value(const CountedSet& set) const { return set.score + loss(set); }
  void descend();
  PairwiseMeasureAnswer solve_linear();
  PairwiseMeasureAnswer solve_empty_truth();
  void best_with_each_label();
  void write(std::vector<Label>& y) const;
  void fill_gains();

  PairwiseMeasureProblem problem_;
  PairwiseCuts cuts_;
  PairwiseSearch search_;
  std::vector<Step> steps_;
  std::vector<std::uint8_t> sets_;  // of the steps
  std::vector<std::uint8_t> set_;   // the answer
  std::vector<std::uint8_t> trial_;
  CountedSet counted_;         // of the answer
  std::vector<double> gains_;  // γ Δ by hits and others
  Index num_cuts_ = 0;
};

}  // namespace trellis
