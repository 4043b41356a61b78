// The maximum spanning arborescence of a dense graph in O(n²): Edmonds' contractions (1967) along a
// growing path (Tarjan 1977; Gabow, Galil, Spencer & Tarjan 1986; Camerini, Fratta & Maffioli 1979
// for the expansion).
//
// A path follows the best arc into its last node, backwards. If the tail of the arc lies on the
// path, a cycle has closed and becomes one node; if the tail is the root, or already connected to
// it, the path is connected too, and a new path begins. A node that is a set of words has one row
// of scores, by heads that are words and not sets: entry h is the maximum over the words m of the
// set of s(h → m) minus the score of m's arc within its cycle. So a contraction of c nodes reads c
// rows and no columns. There are at most 2n nodes in all, with O(n) for each.
//
// With Roots::kOne the score of an arc is the pair (−1 from the root, 0 elsewhere; s), in
// lexicographic order: the tree has as few arcs from the root as possible, and no penalty is ever
// added to a score. A path ends at the first node that can only take the root, so no cycle contains
// such a node, and the first number of a reduced score never changes: it is enough to prefer words
// to the root.
//
// Reduced scores are rounded differences: if the scores of two trees agree to about n ulp of the
// largest score, the result may be either tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arc_graph.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class DenseArborescence {
 public:
  // `scores`: n rows of n + 1; entry h of row m is the arc from h to m, −∞ if there is no such arc.
  // Words are 0 … n − 1, the root is n, and entry m of row m is not read. Writes the head of each
  // word. False if there is no tree; then `heads` are undefined.
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
