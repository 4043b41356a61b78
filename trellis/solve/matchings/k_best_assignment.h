// The k best bipartite matchings, best first, by Murty's partition (1968; Miller, Stone & Cox
// 1997): the matchings other than the best of a set are those that agree with it on rows 0 … t−1
// and not on row t, for one t; each of these sets is again an assignment, with its first rows
// settled and some choices of one row forbidden. To stay single is a choice like any other, so
// every matching turns up in its turn, with edges of weight ≤ 0 too.
//
// Time: k·n assignments for n rows. Weights of matchings are rounded once (exact_sum.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/matchings/assignment.h"
#include "trellis/solve/matchings/bipartite.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class KBestAssignment {
 public:
  struct Result {
    std::vector<Label> column_of_row;  // kNoLabel: single
    double weight = 0;
  };

  // All matchings there are, where these are fewer than k. The first is that of AssignmentSolver.
  void solve(const BipartiteGraph& graph, std::span<const double> weights, Cover cover, Index k,
             std::vector<Result>& best);

 private:
  // The best of a set of matchings, and what makes the set.
  struct Candidate {
    double weight;
    Index number;                        // candidates are numbered as they come: breaks ties
    Index settled;                       // rows 0 … settled−1 are as in `choice`
    std::vector<std::uint32_t> choice;   // by row: a column, or kNobody for none
    std::vector<std::uint32_t> refused;  // choices that row `settled` must not make
  };

  void read_graph(const BipartiteGraph& graph, std::span<const double> weights, bool swapped);
  bool find_first(const BipartiteGraph& graph, std::span<const double> weights, Cover cover);
  void branch(const Candidate& parent);
  bool solve_rest(Candidate& candidate);
  bool collect_rest(const Candidate& candidate);
  double weight_of(const std::vector<std::uint32_t>& choice) const;
  static bool worse(const Candidate& a, const Candidate& b);
  void push(Candidate candidate);
  Candidate pop();

  AssignmentSolver first_;
  bool rows_may_stay_single_ = false;
  bool swapped_ = false;  // rows here are the columns of the caller
  Index columns_ = 0;
  Index numbered_ = 0;
  std::vector<Index> begin_;
  std::vector<std::uint32_t> column_;
  std::vector<double> weight_;
  std::vector<Candidate> queue_;
  // The assignment of what is not settled.
  AssignmentState state_;
  SparseSearchMemory memory_;
  std::vector<Index> rest_begin_;
  std::vector<std::uint32_t> rest_column_;
  std::vector<double> rest_weight_;
  std::vector<std::uint8_t> taken_;
};

}  // namespace trellis
