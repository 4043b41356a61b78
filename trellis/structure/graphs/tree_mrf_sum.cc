// Sums over the labelings of a forest, in the log domain: safe for all scores.
//
// One upward pass gives the logarithm of the sum over each subtree. With it the distribution is
// that of a Markov process from the roots down, y_k ~ p(y_k | y_parent), each a softmax of its own;
// marginals, entropy and draws follow by running it. So marginals are sums of products of
// normalised probabilities, and the entropy Σ E[H(y_k | y_parent)] has no negative term.
#include <algorithm>
#include <cassert>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/graphs/tree_mrf.h"

namespace trellis {

// up(j, a) = node(j, a) + Σ_{children k} log Σ_b exp(edge(a, b) + up(k, b)), less a constant for
// each node that keeps the numbers small.
double TreeMrf::upward_sum(std::span<const double> s, Scratch& scratch) const {
  SegmentMatrix::Group group;
  double shift = 0;
  for (const Step& step : layout_->steps()) {
    const Index labels = layout_->num_labels(step.node);
    double* up = scratch.up.data() + layout_->state_begin(step.node);
    double* parent = scratch.up.data() + layout_->state_begin(step.parent);
    const double largest = max_value({up, labels});
    if (largest == kImpossible) return kImpossible;
    for (Index b = 0; b < labels; ++b) up[b] -= largest;
    shift += largest;
    log_sum_rows(step_matrix(step, Rows::kParent, group, scratch),
                 step_table(s, step, Rows::kParent, scratch), up, scratch.row.data());
    for (Index a = 0; a < parent_labels(step); ++a) parent[a] += scratch.row[a];
  }
  return scratch.up[layout_->num_states()] + shift;
}

// The probabilities of the node's labels from those of its parent's, and the marginals of both the
// edge and the node, where they are wanted.
void TreeMrf::downward(std::span<const double> s, const Step& step, std::span<double> marginals,
                       Scratch& scratch) const {
  const Index parent = parent_labels(step), labels = layout_->num_labels(step.node);
  double* p = scratch.down.data() + layout_->state_begin(step.parent);
  double* q = scratch.down.data() + layout_->state_begin(step.node);
  std::fill(q, q + labels, 0.0);
  const bool wanted = !marginals.empty() && step.edge != TreeMrfLayout::kNone;
  double* sums = nullptr;
  if (wanted && step.parent_first) {
    sums = marginals.data() + layout_->edge_part(step.edge, 0, 0);
  } else if (wanted) {
    scratch.sums.assign(parent * labels, 0.0);
    sums = scratch.sums.data();
  }
  SegmentMatrix::Group group;
  propagate(step_matrix(step, Rows::kParent, group, scratch),
            step_table(s, step, Rows::kParent, scratch),
            scratch.up.data() + layout_->state_begin(step.node), p, q, sums, scratch.buffer.data());
  if (wanted && !step.parent_first) {
    double* edge = marginals.data() + layout_->edge_part(step.edge, 0, 0);
    for (Index a = 0; a < parent; ++a) {
      for (Index b = 0; b < labels; ++b) edge[b * parent + a] += sums[a * labels + b];
    }
  }
  if (marginals.empty()) return;
  double* node = marginals.data() + layout_->node_part(step.node, 0);
  for (Index b = 0; b < labels; ++b) node[b] += q[b];
}

double TreeMrf::log_partition(std::span<const double> s, Scratch& scratch,
                              std::span<double> marginals) const {
  assert(marginals.size() == num_parts());
  const double value = log_partition(s, scratch);
  std::fill(marginals.begin(), marginals.end(), 0.0);
  if (value == kImpossible) return value;
  Scratch::grow(scratch.down, layout_->num_states() + 1);
  scratch.down[layout_->num_states()] = 1;
  const std::span<const Step> steps = layout_->steps();
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    downward(s, *step, marginals, scratch);
  }
  return value;
}

double TreeMrf::log_partition(std::span<const double> s, Scratch& scratch) const {
  prepare(s, scratch);
  return upward_sum(s, scratch);
}

double TreeMrf::entropy(std::span<const double> s, Scratch& scratch) const {
  if (log_partition(s, scratch) == kImpossible) return 0;
  Scratch::grow(scratch.down, layout_->num_states() + 1);
  scratch.down[layout_->num_states()] = 1;
  const std::span<const Step> steps = layout_->steps();
  double sum = 0;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const double* p = scratch.down.data() + layout_->state_begin(step->parent);
    const double* up = scratch.up.data() + layout_->state_begin(step->node);
    const double* table = step_table(s, *step, Rows::kParent, scratch);
    const Index labels = layout_->num_labels(step->node);
    for (Index a = 0; a < parent_labels(*step); ++a) {
      if (p[a] == 0) continue;
      for (Index b = 0; b < labels; ++b) scratch.row[b] = table[a * labels + b] + up[b];
      sum += p[a] * softmax_entropy({scratch.row.data(), labels});
    }
    downward(s, *step, {}, scratch);
  }
  return sum;
}

// One uniform number for each node, parents before children.
void TreeMrf::sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const {
  y.clear();
  if (log_partition(s, scratch) == kImpossible) return;
  y.resize(layout_->num_nodes());
  const std::span<const Step> steps = layout_->steps();
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const Index a = step->edge == TreeMrfLayout::kNone ? 0 : static_cast<Index>(y[step->parent]);
    const Index labels = layout_->num_labels(step->node);
    const double* up = scratch.up.data() + layout_->state_begin(step->node);
    for (Index b = 0; b < labels; ++b) scratch.row[b] = step_score(s, *step, a, b) + up[b];
    const std::span<double> row(scratch.row.data(), labels);
    softmax(row, row);
    y[step->node] = static_cast<Label>(draw(row, random));
  }
}

}  // namespace trellis
