// What factors and variables tell each other in belief propagation (Kschischang, Frey & Loeliger
// 2001), for all factors of a graph or for some of them.
//
// One number a link. From a factor come the messages m_l of factor_sums.h. A state i collects
// t_i = θ_i + Σ_{l at i} m_l, which are beliefs: a switch is on with log-odds t_i, and a variable
// of arity ≥ 2 is in state k with probability ∝ exp t_k. To a factor goes what the others say,
//
//   η_l = t_i − m_l                          a switch; a state in a TABLE or a SEQUENCE
//   η_l = t_i − m_l − log Σ_{j≠i} exp t_j    a state of a variable of arity ≥ 2 as a literal
//
// Where messages are of beliefs that agree, those of an acyclic graph, the sum over all assignments
// is (Yedidia, Freeman & Weiss 2005, eq. (37), in terms of messages)
//
//   log Z = Σ_f log Z_f(η) + Σ_v log Z_v(t) − Σ_links log Z_l(η + m)
//
// and on other graphs that is the Bethe estimate, stationary in the messages where they agree.
//
// Certainty is a message of ±limit, with limit = 1000 + 4 Σ|s| + 4 · links: more than all that
// finite messages of an acyclic graph can say, so that no score outweighs it, and of an exponential
// that is 0; but not so much more than the scores that it would cost them digits.
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

  // `layout` must outlive the messages. All are 0, and t = θ; or 0, before restart().
  void reset(const FactorGraphLayout& layout, std::span<const double> theta, double limit);
  void reset(const FactorGraphLayout& layout);

  static double limit_for(const FactorGraphLayout& layout, std::span<const double> s);

  // Forgets what factors and variables of some of the graph have told each other. `theta` is by
  // the states of these variables, one after the other.
  void restart(std::span<const std::uint32_t> factors, std::span<const std::uint32_t> variables,
               std::span<const double> theta, double limit);

  // η of the links of f, from what is there now; f's own messages are left out.
  std::span<const double> gather(const Factor& f);
  // Puts messages in the place of those of f, where they are put between ±limit (and made relative
  // to the largest, in a TABLE or a SEQUENCE). The largest change, relative to what is above 1.
  double replace(const Factor& f, std::span<const double> messages, double damping = 0);
  // What replace() would put there, without telling the states.
  double prepare(const Factor& f, std::span<const double> messages, double damping,
                 std::span<double> prepared) const;
  std::span<double> of(const Factor& f) {
    return std::span(messages_).subspan(f.links_begin, f.links_end - f.links_begin);
  }
  // t from scratch, where differences have been added to it.
  void collect(std::span<const double> theta);

  // log Z_v of a variable, and Σ log Z_l of the links of f as of the last gather() of f.
  double log_sum_of_variable(Index v) const;
  double log_sum_of_links(const Factor& f);
  // What of a sum over all below f, from leaves upwards, neither log Z_f nor the message to the
  // variable above it has: less log Z_l of that, and log Σ_{j≠i} exp t_j of each variable below
  // that is seen as a literal. As of the last gather() of f.
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
  // visit(v, the beliefs η + m about a variable v of arity ≥ 2), or visit_odds(link, log-odds), for
  // each thing that f is linked to.
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
