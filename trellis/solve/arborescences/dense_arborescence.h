// The maximum spanning arborescence of a dense graph in O(n²): Edmonds' contractions (1967) along a
// growing path (Tarjan 1977; Gabow, Galil, Spencer & Tarjan 1986; Camerini, Fratta & Maffioli 1979
// for the expansion).
//
// A path of nodes follows the best arc into its end, backwards. Where the tail lies on the path a
// cycle has closed and becomes one node; where it is the root, or hangs on it already, the path
// does so too, and another one begins. A node that is a set of words keeps one row of scores, by
// heads that are words and not sets: entry h is the best of s(h → m) less what m was given within
// its cycle, over the words m of the set. So a contraction of c nodes takes c rows, no columns, and
// there are no more than 2n nodes in all: O(n) for each.
//
// With Roots::kOne the score of an arc is the pair (−1 from the root, 0 elsewhere; s), compared by
// its first number first: as few words as possible hang on the root, and no penalty is ever added
// to a score. A path ends at the first node that has but the root left, so no cycle contains such a
// node, and the first number of a reduced score is what it was: to look for other words first is
// all there is to do.
//
// Reduced scores are differences, rounded as such: of two trees whose scores agree to about n ulp
// of the largest score the answer may be either.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arc_graph.h"

namespace trellis {

// Holds its memory, which repeated calls reuse; one for each thread.
class DenseArborescence {
 public:
  // `scores`: n rows of n + 1, entry h of row m for the arc from h to m, −∞ where there is none;
  // words are 0 … n − 1, the root is n, and entry m of row m is not read. Writes the head of each
  // word. False where there is no tree; then `heads` are undefined.
  bool solve(Index n, std::span<const double> scores, Roots roots, std::span<std::uint32_t> heads);

 private:
  using Node = std::uint32_t;  // 0 … n − 1 are the words, sets follow as they are made
  enum class State : std::uint8_t { kUnseen, kOnPath, kHangs };

  void begin(Index n, std::span<const double> scores);
  double* row(Node v) { return &rows_[slot_[v] * (n_ + 1)]; }
  std::uint32_t* entries(Node v) { return &entered_[slot_[v] * (n_ + 1)]; }
  bool choose(Node v, Roots roots);
  bool follow(Node start, Roots roots);
  void hang_path();
  void contract(Index from);
  void subtract_choice(Node v);
  void expand(std::span<std::uint32_t> heads);

  Index n_ = 0;
  Index num_root_arcs_ = 0;
  std::vector<double> rows_;            // by slot: reduced scores
  std::vector<std::uint32_t> entered_;  // by slot: the word that the arc enters
  // By node.
  std::vector<std::uint32_t> slot_;  // where its rows are: those of its first word
  std::vector<State> state_;
  std::vector<std::uint32_t> place_;  // on the path
  std::vector<Node> parent_;
  std::vector<std::uint32_t> chosen_;  // the head of its best arc
  std::vector<std::uint32_t> enters_;  // the word that arc enters
  std::vector<double> value_;          // and its reduced score
  std::vector<Index> first_member_;    // in members_; for sets only, from node n on
  std::vector<Node> members_;
  std::vector<Node> top_;  // by word: the largest set that contains it
  std::vector<Node> path_, pending_;
};

}  // namespace trellis
