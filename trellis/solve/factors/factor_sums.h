// Sums over what one factor of a factor graph allows: the local computations of belief propagation
// (Smith & Eisner 2008, sec. 4; Martins et al. 2010, app. A), each by the factor's own algorithm.
//
// The factor's links l have scores η_l, and it sums over its legal local assignments, in which
// states that are linked are 0/1 each on its own (TABLE and SEQUENCE: one of a variable's states):
//
//   log Z_f = log Σ exp( Σ_l η_l z_l + Σ_{own p} s_p z_p )
//
// It answers with messages. For a literal's link, and for a switch, these are what all else adds to
// the log-odds of its state, which is on with log-odds η_l + m_l:
//
//   m_l = log (Σ over assignments with z_l = 1, η_l left out) − log (Σ over those with z_l = 0)
//
// and for the states k of a variable of arity ≥ 2 in a TABLE or a SEQUENCE they are up to a
// constant, P(k) ∝ exp(η_k + m_k). They may be ±∞, where the factor leaves no choice.
//
//   TABLE       enumeration                                  O(assignments · variables)
//   SEQUENCE    forward–backward                             O(Σ r_t r_{t+1})
//   PAIR        closed form
//   HEAD        forward–backward over switches that are on   O(K²)
//   ONE-OF, AT-MOST-ONE, OR, BUDGET                          literal_sums.h
//   TREE        elimination, or Eisner's algorithm           O(n³)
//
// All in the log domain, or in a scaled one that knows where it ends; scores of ±1e9 are safe.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arborescence_sums.h"
#include "trellis/solve/arborescences/projective_sums.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/factors/literal_sums.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class FactorSums {
 public:
  using Factor = FactorGraphLayout::Factor;

  // For factor f: `eta` and `messages` by its links, `own_scores` and `own_marginals` by its own
  // parts. Returns log Z_f; −∞ if no assignment is legal, and then messages and marginals are 0.
  // Only messages if own_marginals is empty.
  double sum(const FactorGraphLayout& layout, const Factor& f, std::span<const double> eta,
             std::span<const double> own_scores, std::span<double> messages,
             std::span<double> own_marginals = {});
  // The entropy of the distribution exp(…)/Z_f over local assignments, without cancellation; 0 if
  // no assignment is legal.
  double entropy(const FactorGraphLayout& layout, const Factor& f, std::span<const double> eta,
                 std::span<const double> own_scores);

 private:
  // The factor of the call.
  struct Call {
    const FactorGraphLayout& layout;
    const Factor& f;
    std::span<const double> eta, own;
  };

  double sum_table(const Call& call, std::span<double> messages, std::span<double> own_marginals);
  double sum_sequence(const Call& call, std::span<double> messages,
                      std::span<double> own_marginals);
  double sum_pair(const Call& call, std::span<double> messages, std::span<double> own_marginals);
  double sum_head(const Call& call, std::span<double> messages, std::span<double> own_marginals);
  double sum_arcs(const ArcGraph& graph, std::span<const double> eta,
                  const FactorGraphLayout::Tree& tree);
  double sum_tree(const Call& call, std::span<double> messages);
  double sum_literals(const Call& call, std::span<double> messages);

  void score_table(const Call& call);
  // visit(first link, last link, whether it is a switch, values, parts between changes) for each
  // variable of the scope.
  template <class Visit>
  void each_table_variable(const Call& call, const Visit& visit) const;
  double go_back_in_sequence(const Call& call);
  void go_forward_in_sequence(const Call& call);
  double go_back_in_head(const Call& call);
  void go_forward_in_head(const Call& call);
  double head_message(const Call& call, Index k);
  void read_literals(const Call& call);
  double entropy_of_sequence(const Call& call);
  double entropy_of_head(const Call& call);

  ArborescenceSums arborescences_;
  ProjectiveSums projective_;
  LiteralSums literals_;
  std::vector<double> row_;
  std::vector<double> forward_, backward_;
  std::vector<double> shares_;  // probabilities of own parts, or of arcs; or of steps
  std::vector<double> spanned_;
  std::vector<double> literal_scores_;
};

}  // namespace trellis
