// Labelings y of the nodes of a forest, with scores on nodes and edges (Lacoste-Julien 2009,
// sec. 2.2.1; Taskar, Guestrin & Koller 2003):
//
//   s·z(y) = Σ_j node_j[y_j] + Σ_{(j,k)} edge_jk[y_j][y_k]
//
// The layout (tree_mrf_layout.h) numbers the parts; tables may be tied, so that z counts. A label
// that is not allowed at a node is excluded from every operation.
//
// Time: O(Σ_edges |D_j||D_k|) for maximize, log_partition, entropy and sample; k_best adds O(k ·
// depth · log) in the worst case, because it enumerates lazily (Huang & Chiang 2005, Algorithm 3).
// Sums run in the log domain, and are safe for part scores of ±1e9. Ties go to the smallest label
// of a tree's root, then to the smallest label of each node given that of its parent.
//
// If no output is legal, maximize and sample leave y empty and marginals and projections are 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/solve/vectors/segment_matrix.h"
#include "trellis/structure/graphs/tree_mrf_layout.h"
#include "trellis/structure/graphs/tree_mrf_scratch.h"
#include "trellis/structure/structure.h"

namespace trellis {

class TreeMrf {
 public:
  using Output = std::vector<Label>;
  using Scratch = TreeMrfScratch;

  // `layout` and `allowed` must outlive the structure. `allowed` is empty (no restriction) or has a
  // flag for each (node, label), at layout.state_begin(node) + label. Throws UsageError where its
  // size is another.
  explicit TreeMrf(const TreeMrfLayout& layout, std::span<const std::uint8_t> allowed = {});

  const TreeMrfLayout& layout() const { return *layout_; }
  Index num_parts() const { return layout_->num_parts(); }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const;
  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;
  double log_partition(std::span<const double> s, Scratch& scratch) const;  // the value alone
  double entropy(std::span<const double> s, Scratch& scratch) const;
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;
  LinearProgram linear_program() const;
  bool faces_by_zeros() const { return !layout_->tied(); }  // see Structure
  // Counts (tied tables) by an active set of labelings, a call of maximize for each; marginals by
  // Newton's method on the dual.
  ProjectionResult project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;

 private:
  using Step = TreeMrfLayout::Step;
  class KBestSearch;
  class MarginalProgram;

  bool allows(Index node, Index label) const {
    return allowed_.empty() || allowed_[layout_->state_begin(node) + label] != 0;
  }
  Index parent_labels(const Step& step) const {
    return step.edge == TreeMrfLayout::kNone ? 1 : layout_->num_labels(step.parent);
  }
  // The part of the edge from the parent's label a to the node's label b.
  Index step_part(const Step& step, Index a, Index b) const {
    return step.parent_first
               ? layout_->edge_part(step.edge, static_cast<Label>(a), static_cast<Label>(b))
               : layout_->edge_part(step.edge, static_cast<Label>(b), static_cast<Label>(a));
  }
  double step_score(std::span<const double> s, const Step& step, Index a, Index b) const {
    return step.edge == TreeMrfLayout::kNone ? 0.0 : s[step_part(step, a, b)];
  }

  // tree_mrf.cc
  enum class Rows { kParent, kChild };  // whose labels are the rows of a step's table
  const double* step_table(std::span<const double> s, const Step& step, Rows rows,
                           Scratch& scratch) const;
  SegmentMatrix step_matrix(const Step& step, Rows rows, SegmentMatrix::Group& group,
                            Scratch& scratch) const;
  void prepare(std::span<const double> s, Scratch& scratch) const;
  double upward_max(std::span<const double> s, Scratch& scratch) const;
  Index best_label(std::span<const double> s, const Step& step, Index a,
                   const Scratch& scratch) const;

  // tree_mrf_sum.cc
  double upward_sum(std::span<const double> s, Scratch& scratch) const;
  void downward(std::span<const double> s, const Step& step, std::span<double> marginals,
                Scratch& scratch) const;

  // tree_mrf_polytope.cc
  ProjectionResult project_counts(std::span<const double> v, Scratch& scratch,
                                  std::span<double> z) const;
  ProjectionResult project_marginals(std::span<const double> v, Scratch& scratch,
                                     std::span<double> z) const;

  const TreeMrfLayout* layout_;
  std::span<const std::uint8_t> allowed_;
};

}  // namespace trellis
