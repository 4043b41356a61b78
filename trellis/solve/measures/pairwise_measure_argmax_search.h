// The branch and bound of pairwise_measure_argmax.h: max_y s(y) + gain(h(y), f(y)) for any function
// `gain` of the counts.
//
// H(h, f), the best score of a set with h hits and f others, is what is hard to know. A cut with
// multipliers (α, μ) and its maximiser ŷ prove, for all (h, f) at once,
//
//   H(h, f) ≤ s(ŷ) + α (h(ŷ) − h) + μ (f(ŷ) − f)
//
// and ŷ is a candidate. A subproblem (some labels are fixed) keeps a table of the best such bounds.
// The place (h, f) with the largest bound + gain is looked at next: its Lagrangian dual is the
// upper hull of all (h(y), f(y), s(y)) there (…_hull.h), found by cutting with the slopes of the
// hull of the sets that are known. When the hull is reached and its value is still above the best
// candidate, the three sets that span it disagree on some label; the subproblem is split on the one
// that they disagree about most. Subproblems with few free labels are enumerated.
//
// The four corners of a subproblem (all or none of the free true labels, and of the others) are
// sets that need no cut, so the hull covers all places from the start.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/measures/pairwise_measure_argmax_cuts.h"
#include "trellis/solve/measures/pairwise_measure_argmax_enumeration.h"
#include "trellis/solve/measures/pairwise_measure_argmax_hull.h"

namespace trellis {

struct PairwiseSearchLimits {
  // Cuts and subproblems together, beyond those of Algorithm 5.
  Index work = 1000;
  // Subproblems with at most that many free labels are enumerated; at most 16.
  Index enumerated_labels = 12;
  // Wall time after which the search ends, > 0, or 0: never. What is found then depends on the
  // machine and on its load: the promise of same bits does not hold.
  double seconds = 0;
};

class PairwiseSearch {
 public:
  // For the sets that agree with what is fixed in `cuts`. gain[h·stride + f] for all h ≤ p and f ≤
  // V − p. Values that are within `tolerance` of each other count as equal.
  void begin(PairwiseCuts& cuts, std::span<const double> gain, Index stride, double tolerance,
             const PairwiseSearchLimits& limits);
  // What is known already: a set, which must agree with what is fixed, and if it came from a cut,
  // the multipliers of that.
  void add_candidate(PairwiseCuts::ConstSet y, const CountedSet& set);
  void add_cut(double alpha, double mu, PairwiseCuts::ConstSet y, const CountedSet& set);

  // Returns an upper bound on all sets: within the tolerance of best() if the search was completed.
  double run();

  double best() const { return best_; }
  PairwiseCuts::ConstSet best_set() const { return best_set_; }
  Index num_cuts() const { return num_cuts_; }
  Index num_subproblems() const { return num_subproblems_; }

 private:
  struct Place {
    Index hits = 0, others = 0;
    double bound = 0;  // of s + gain
  };
  // A subproblem: what has been found out about it.
  struct Frame {
    CountRectangle rectangle;
    std::vector<double> bounds;      // of s, by place
    std::vector<CountedSet> points;  // sets that agree with what is fixed
    std::vector<std::uint8_t> sets;  // V values for each of them

    Index width() const { return rectangle.free_others + 1; }
  };

  double explore(Index depth);
  double enumerate();
  std::optional<Index> tighten(Frame& frame, const Place& place);
  Index most_disputed(const Frame& frame, const HullFacet& facet);
  void open_child(Index depth, Index label, bool given);
  void measure(Frame& frame) const;
  void add_corners(Frame& frame);
  void add_point(Frame& frame, PairwiseCuts::ConstSet y, const CountedSet& set);
  void lower_bounds(Frame& frame, double alpha, double mu, const CountedSet& set) const;
  Place highest(const Frame& frame) const;
  bool exhausted();
  Index num_labels() const { return cuts_->num_labels(); }
  Frame& frame_at(Index depth);

  PairwiseCuts* cuts_ = nullptr;
  std::span<const double> gain_;
  Index stride_ = 0;
  double tolerance_ = 0;
  PairwiseSearchLimits limits_;
  std::chrono::steady_clock::time_point start_;
  SetEnumeration enumeration_;
  std::vector<std::unique_ptr<Frame>> frames_;  // by depth
  std::vector<std::uint8_t> set_;               // of one cut
  std::vector<double> dispute_;                 // by label
  double best_ = 0;
  std::vector<std::uint8_t> best_set_;
  Index num_cuts_ = 0, num_subproblems_ = 0;
};

}  // namespace trellis
