// The convex hull of the labelings of a forest, which is its local marginal polytope
// (Lacoste-Julien 2009, Eqs. 2.1–2.3; Wainwright & Jordan 2008, Prop. 4.1):
//
//   Σ_a z_r(a) = 1                                          for each root r
//   Σ_b z_jk(a, b) = z_j(a),   Σ_a z_jk(a, b) = z_k(b)      for each edge (j, k)
//
// and z ≥ 0. The sums of the other nodes follow, and no row is redundant. What is tied has its own
// variables, and a part is their sum. Labels that are not allowed have the upper bound 0.
#include <limits>

#include "trellis/solve/polytopes/oracle_projection.h"
#include "trellis/structure/graphs/tree_mrf.h"

namespace trellis {

class TreeMrf::MarginalProgram {
 public:
  explicit MarginalProgram(const TreeMrf& tree) : tree_(tree), layout_(*tree.layout_) {
    program_.num_parts = layout_.num_parts();
    program_.num_variables = layout_.num_parts();
    for (Index j = 0; j < layout_.num_nodes(); ++j) {
      node_begin_.push_back(
          place(layout_.node_users(j), layout_.node_part(j, 0), layout_.num_labels(j)));
    }
    for (Index e = 0; e < layout_.edges().size(); ++e) {
      const TreeMrfLayout::Edge& edge = layout_.edges()[e];
      edge_begin_.push_back(
          place(layout_.edge_users(e), layout_.edge_part(e, 0, 0),
                layout_.num_labels(edge.first) * layout_.num_labels(edge.second)));
    }
    program_.upper_bounds.assign(program_.num_variables, 1.0);
  }

  LinearProgram build() {
    for (const Step& step : layout_.steps()) {
      if (step.edge == TreeMrfLayout::kNone) add_root(step.node);
    }
    for (Index e = 0; e < layout_.edges().size(); ++e) add_edge(e);
    forbid();
    if (layout_.tied()) add_counts();
    return std::move(program_);
  }

 private:
  // The first variable of a node or an edge: its first part, or a new variable if parts are shared.
  Index place(Index users, Index parts, Index size) {
    if (users == 1) return parts;
    program_.num_variables += size;
    return program_.num_variables - size;
  }

  void add_root(Index node) {
    LinearProgram::Row row{{}, 1, 1};
    for (Index a = 0; a < layout_.num_labels(node); ++a) {
      row.terms.push_back({node_begin_[node] + a, 1.0});
    }
    program_.rows.push_back(std::move(row));
  }

  void add_edge(Index e) {
    const auto [j, k] = layout_.edges()[e];
    const Index height = layout_.num_labels(j), width = layout_.num_labels(k);
    const Index first = program_.rows.size();
    program_.rows.resize(first + height + width);
    for (Index a = 0; a < height; ++a) {
      program_.rows[first + a].terms.push_back({node_begin_[j] + a, -1.0});
    }
    for (Index b = 0; b < width; ++b) {
      program_.rows[first + height + b].terms.push_back({node_begin_[k] + b, -1.0});
    }
    for (Index a = 0; a < height; ++a) {
      for (Index b = 0; b < width; ++b) {
        const Index variable = edge_begin_[e] + a * width + b;
        program_.rows[first + a].terms.push_back({variable, 1.0});
        program_.rows[first + height + b].terms.push_back({variable, 1.0});
      }
    }
  }

  void forbid() {
    for (Index j = 0; j < layout_.num_nodes(); ++j) {
      for (Index a = 0; a < layout_.num_labels(j); ++a) {
        if (!tree_.allows(j, a)) program_.upper_bounds[node_begin_[j] + a] = 0;
      }
    }
  }

  // part = Σ of the variables that share it.
  void add_counts() {
    std::vector<LinearProgram::Row> counts(layout_.num_parts());
    const auto count = [&](Index users, Index parts, Index begin, Index size) {
      if (users == 1) return;
      for (Index i = 0; i < size; ++i) {
        counts[parts + i].terms.push_back({begin + i, 1.0});
        program_.upper_bounds[parts + i] = static_cast<double>(users);
      }
    };
    for (Index j = 0; j < layout_.num_nodes(); ++j) {
      count(layout_.node_users(j), layout_.node_part(j, 0), node_begin_[j], layout_.num_labels(j));
    }
    for (Index e = 0; e < layout_.edges().size(); ++e) {
      const auto [j, k] = layout_.edges()[e];
      count(layout_.edge_users(e), layout_.edge_part(e, 0, 0), edge_begin_[e],
            layout_.num_labels(j) * layout_.num_labels(k));
    }
    for (Index part = 0; part < counts.size(); ++part) {
      if (counts[part].terms.empty()) continue;
      counts[part].terms.push_back({part, -1.0});
      program_.rows.push_back(std::move(counts[part]));
    }
  }

  const TreeMrf& tree_;
  const TreeMrfLayout& layout_;
  std::vector<Index> node_begin_, edge_begin_;
  LinearProgram program_;
};

LinearProgram TreeMrf::linear_program() const {
  return MarginalProgram(*this).build();
}

ProjectionResult TreeMrf::project(std::span<const double> v, Scratch& scratch,
                                  std::span<double> z) const {
  return layout_->tied() ? project_counts(v, scratch, z) : project_marginals(v, scratch, z);
}

// Many marginals have the same counts, so that over them the dual is not smooth; over the parts the
// nearest point is a mix of labelings, which are found one by one.
ProjectionResult TreeMrf::project_counts(std::span<const double> v, Scratch& scratch,
                                         std::span<double> z) const {
  const auto best_labeling = [&](std::span<const double> s, std::span<double> vertex) {
    const double best = maximize(s, scratch, scratch.output);
    if (best != kImpossible) indicator(scratch.output, vertex);
    return best;
  };
  return oracle_projection(v, best_labeling, scratch.counts, z);
}

ProjectionResult TreeMrf::project_marginals(std::span<const double> v, Scratch& scratch,
                                            std::span<double> z) const {
  std::vector<std::uint32_t>& key = scratch.projection_key;
  key.clear();
  const auto add = [&](Index value) { key.push_back(static_cast<std::uint32_t>(value)); };
  add(layout_->num_nodes());
  add(layout_->edges().size());
  for (Index j = 0; j < layout_->num_nodes(); ++j) {
    add(layout_->num_labels(j));
    add(layout_->node_table(j));
  }
  for (Index e = 0; e < layout_->edges().size(); ++e) {
    add(layout_->edges()[e].first);
    add(layout_->edges()[e].second);
    add(layout_->edge_table(e));
  }
  key.insert(key.end(), allowed_.begin(), allowed_.end());
  const auto program = [&] {
    LinearProgram program = linear_program();
    // z ≤ 1 follows from the rows.
    for (double& bound : program.upper_bounds) {
      if (bound > 0) bound = std::numeric_limits<double>::infinity();
    }
    return program;
  };
  return scratch.projections.find(key, program).project(v, z);
}

}  // namespace trellis
