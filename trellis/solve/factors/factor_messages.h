// The messages between factors and variables in belief propagation (Kschischang, Frey & Loeliger
// 2001), for all or some factors of a graph.
//
// One number per link. A factor sends the messages m_l of factor_sums.h. A state i collects t_i =
// θ_i + Σ_{l at i} m_l, which are beliefs: a switch is on with log-odds t_i, and a variable of
// arity ≥ 2 is in state k with probability ∝ exp t_k. A factor receives
//
//   η_l = t_i − m_l                          a switch; a state in a TABLE or a SEQUENCE
//   η_l = t_i − m_l − log Σ_{j≠i} exp t_j    a state of a variable of arity ≥ 2 as a literal
//
// If beliefs agree, as on acyclic graphs, the sum over all assignments is (Yedidia, Freeman & Weiss
// 2005, eq. (37), in terms of messages)
//
//   log Z = Σ_f log Z_f(η) + Σ_v log Z_v(t) − Σ_links log Z_l(η + m)
//
// and on other graphs this is the Bethe estimate, stationary in the messages if beliefs agree.
//
// Certainty is a message of ±limit, with limit = 1000 + 4 Σ|s| + 4 · links: larger than any sum of
// finite messages of an acyclic graph, so that no score outweighs it and its exponential is 0; but
// not so large that the scores lose digits next to it.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/factors/factor_sums.h"

namespace trellis {

class FactorMessages {
 public:
  using Factor = FactorGraphLayout::Factor;

  // `layout` must outlive the messages. All m are 0, and t = θ; or t is 0 until restart().
  void reset(const FactorGraphLayout& layout, std::span<const double> theta, double limit);
  void reset(const FactorGraphLayout& layout);

  static double limit_for(const FactorGraphLayout& layout, std::span<const double> s);

  // Resets the messages of some factors and variables. `theta` lists the states of these variables,
  // one after the other.
  void restart(std::span<const std::uint32_t> factors, std::span<const std::uint32_t> variables,
               std::span<const double> theta, double limit);

  // η of the links of f, from the current messages except f's own.
  std::span<const double> gather(const Factor& f);
  // Replaces the messages of f, limited to ±limit (and relative to the largest, in a TABLE or a
  // SEQUENCE). Returns the largest change, relative to values above 1.
  double replace(const Factor& f, std::span<const double> messages, double damping = 0);
  // The messages that replace() would write; states do not change.
  double prepare(const Factor& f, std::span<const double> messages, double damping,
                 std::span<double> prepared) const;
  std::span<double> of(const Factor& f) {
    return std::span(messages_).subspan(f.links_begin, f.links_end - f.links_begin);
  }
  // Computes t anew, without the rounding errors of updates by differences.
  void collect(std::span<const double> theta);

  // log Z_v of a variable, and Σ log Z_l of the links of f as of the last gather() of f.
  double log_sum_of_variable(Index v) const;
  double log_sum_of_links(const Factor& f);
  // The terms of a sum over everything below f, from the leaves upwards, that neither log Z_f nor
  // the message to the variable above contains: minus log Z_l of that message, and log Σ_{j≠i} exp
  // t_j of each variable below that is seen as a literal. As of the last gather() of f.
  double log_sum_passed_by(const Factor& f, Index parent);
  // Entropies of the same beliefs.
  double entropy_of_variable(Index v) const;
  double entropy_of_links(const Factor& f);
  // P(v is in this state), or that the switch is on.
  void marginals(Index v, std::span<double> states) const;

 private:
  bool is_of_many(Index link) const {
    return !layout_->is_switch(layout_->variable_of(layout_->link(link).state));
  }
  static bool has_scope(const Factor& f) {
    return f.kind == FactorKind::kTable || f.kind == FactorKind::kSequence;
  }
  std::span<const double> states_of(Index v) const {
    return std::span(beliefs_).subspan(layout_->state(v, 0), layout_->arity(v));
  }
  // Calls visit(v, the beliefs η + m about a variable v of arity ≥ 2), or visit_odds(link,
  // log-odds), for each variable or literal that f is linked to.
  template <class Visit, class VisitOdds>
  void each_link_belief(const Factor& f, const Visit& visit, const VisitOdds& visit_odds);
  double log_sum_of_others(Index state);

  const FactorGraphLayout* layout_ = nullptr;
  double limit_ = 0;
  std::vector<double> messages_;  // m by link
  std::vector<double> beliefs_;   // t by state
  std::vector<double> eta_;       // of the factor gathered last
  std::vector<double> row_;
};

}  // namespace trellis
