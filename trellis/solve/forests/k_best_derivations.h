// The k best derivations of a forest's goal (packed_forest.h), exactly and lazily: Huang & Chiang
// (2005), "Better k-best parsing", Algorithm 3, without its recursion.
//
// A derivation of a node is an edge, and the ranks of the derivations of its tails. Each requested
// node stores its derivations in order as far as they were requested, and a heap of candidates for
// the next one: a derivation enters the heap when its predecessor in a rank has left. The best
// derivation of a node without requests is that of BestDerivation. Values are added as there, so
// the order is that of the scores to the bit, and the first is the best derivation; of equal ones
// the first edge comes first, then the smaller ranks. All are different.
//
// Time beyond that of the best derivation: O(edges of requested nodes + k · length · log).
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/forests/best_derivation.h"
#include "trellis/solve/forests/packed_forest.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class KBestDerivations {
 public:
  // Before next(). The forest and the scores must be there until the last call of that.
  void begin(const PackedForest& forest, std::span<const double> s);
  // The next best derivation, as edges in preorder, left tails first. False, and no edges, where
  // there are no more.
  bool next(std::vector<std::uint32_t>& edges, double& score);

 private:
  struct Choice {
    double value;
    std::uint32_t edge;
    std::uint32_t left, right;  // ranks of the tails' derivations
  };
  struct Asked {
    std::uint32_t node = 0;
    std::vector<Choice> best;        // in order, as far as asked for
    std::vector<Choice> candidates;  // a heap of what may come next
    bool pending = false;            // the successors of best.back() are not candidates yet
    bool exhausted = false;          // nothing comes next
  };
  struct Request {
    std::uint32_t node;
    std::uint32_t rank;
  };
  enum class Supply { kReady, kNone, kUnknown };

  static bool comes_later(const Choice& x, const Choice& y);
  void push_valued(Asked& at, Choice choice) const;
  Asked& asked(std::uint32_t node);
  bool obtain(const Request& whole);
  bool push_successors(Asked& at);
  Supply supply(std::uint32_t node, std::uint32_t rank);
  double value_at(std::uint32_t node, std::uint32_t rank) const;
  double value_of(const Choice& choice, std::uint32_t node) const;
  Choice choice_at(const Request& request) const;
  void write(const Request& whole, std::vector<std::uint32_t>& edges);

  const PackedForest* forest_ = nullptr;
  std::span<const double> s_;
  BestDerivation best_;
  bool any_ = false;
  std::uint32_t next_rank_ = 0;
  std::deque<Asked> asked_;  // the first num_asked_, in the order in which they were
  Index num_asked_ = 0;
  std::vector<std::uint32_t> places_;  // of a node: 1 + its place there, or 0
  std::vector<Request> requests_, open_;
};

}  // namespace trellis
