// The convex hull of the label sequences: unit flows from the beginning to the end through the
// states, whose vertices are integral because the matrix of a flow is totally unimodular.
//
// Variables are the parts, and for tied transitions the flow over each transition at each position
// ≥ 1, of which the part is the sum. What cannot occur has the upper bound 0.
#include "trellis/structure/sequences/chain.h"

namespace trellis {

// Rows: the start of the flow; its conservation at each (t, state); its sum at each (t, label),
// equal to the node part; and the counts of tied transitions.
class Chain::FlowProgram {
 public:
  explicit FlowProgram(const Chain& chain) : chain_(chain), states_(*chain.states_) {
    const Index length = chain.length_, transitions = states_.num_transitions();
    node_rows_ = 1 + length * states_.num_states();
    count_rows_ = node_rows_ + length * states_.num_labels();
    program_.num_parts = chain.num_parts();
    program_.num_variables =
        chain.num_parts() + (chain.tied() ? (length - 1) * transitions : Index{0});
    program_.upper_bounds.assign(program_.num_variables, 0.0);
    program_.rows.resize(count_rows_ + (chain.tied() ? transitions : Index{0}));
  }

  LinearProgram build() {
    start();
    for (Index t = 1; t < chain_.length_; ++t) add_step(t);
    stop();
    bind_nodes();
    if (chain_.tied() && chain_.length_ > 1) bind_counts();
    std::erase_if(program_.rows, [](const auto& row) { return row.terms.empty(); });
    return std::move(program_);
  }

 private:
  // The flow over a transition into position t ≥ 1.
  Index flow(Index t, Index transition) const {
    return chain_.tied() ? chain_.num_parts() + (t - 1) * states_.num_transitions() + transition
                         : chain_.transition_part(t, transition);
  }
  LinearProgram::Row& balance(Index t, State u) {
    return program_.rows[1 + t * states_.num_states() + u];
  }
  LinearProgram::Row& node(Index t, Label label) {
    return program_.rows[node_rows_ + chain_.node_part(t, label)];
  }

  void enter(Index t, State v, Index variable) {
    program_.upper_bounds[variable] = 1;
    balance(t, v).terms.push_back({variable, 1.0});
    node(t, states_.label(v)).terms.push_back({variable, -1.0});
  }

  void start() {
    LinearProgram::Row& row = program_.rows[0];
    row.lower = row.upper = 1;
    for (State u = 0; u < states_.num_labels(); ++u) {
      const Index part = chain_.transition_part(0, u);
      row.terms.push_back({part, 1.0});
      enter(0, u, part);
      if (!states_.allowed(u)) program_.upper_bounds[part] = 0;
    }
  }

  void add_step(Index t) {
    for (const SegmentMatrix::Group& group : states_.step(t).groups) {
      for (const SegmentMatrix::Row& row : states_.rows(group)) {
        for (std::uint32_t i = 0; i < group.width; ++i) {
          if (!states_.allowed(row.entries + i)) continue;
          const Index variable = flow(t, row.entries + i);
          balance(t - 1, row.row).terms.push_back({variable, -1.0});
          enter(t, group.first_column + i, variable);
        }
      }
    }
  }

  void stop() {
    for (State u = chain_.end_begin(); u < chain_.end_end(); ++u) {
      balance(chain_.length_ - 1, u).terms.push_back({chain_.final_part(u), -1.0});
      program_.upper_bounds[chain_.final_part(u)] = states_.may_stop(u) ? 1 : 0;
    }
  }

  void bind_nodes() {
    for (Index t = 0; t < chain_.length_; ++t) {
      for (Label label = 0; label < static_cast<Label>(states_.num_labels()); ++label) {
        node(t, label).terms.push_back({chain_.node_part(t, label), 1.0});
        program_.upper_bounds[chain_.node_part(t, label)] = chain_.allows(t, label) ? 1 : 0;
      }
    }
  }

  void bind_counts() {
    for (Index e = states_.num_labels(); e < states_.num_transitions(); ++e) {
      LinearProgram::Row& row = program_.rows[count_rows_ + e];
      const Index part = chain_.transition_part(0, e);
      row.terms.push_back({part, -1.0});
      for (Index t = 1; t < chain_.length_; ++t) row.terms.push_back({flow(t, e), 1.0});
      program_.upper_bounds[part] = static_cast<double>(chain_.length_ - 1);
    }
  }

  const Chain& chain_;
  const ChainStates& states_;
  LinearProgram program_;
  Index node_rows_, count_rows_;
};

LinearProgram Chain::linear_program() const {
  return FlowProgram(*this).build();
}

}  // namespace trellis
