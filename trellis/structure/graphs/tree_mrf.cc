#include "trellis/structure/graphs/tree_mrf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "trellis/base/error.h"

namespace trellis {

TreeMrf::TreeMrf(const TreeMrfLayout& layout, std::span<const std::uint8_t> allowed)
    : layout_(&layout), allowed_(allowed) {
  if (!allowed.empty() && allowed.size() != layout.num_states()) {
    throw UsageError(fmt::format("{} flags say which of {} labels are allowed", allowed.size(),
                                 layout.num_states()));
  }
}

bool TreeMrf::legal(const Output& y) const {
  if (y.size() != layout_->num_nodes()) return false;
  for (Index j = 0; j < y.size(); ++j) {
    if (y[j] < 0 || static_cast<Index>(y[j]) >= layout_->num_labels(j)) return false;
    if (!allows(j, static_cast<Index>(y[j]))) return false;
  }
  return true;
}

void TreeMrf::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::fill(z.begin(), z.end(), 0.0);
  for (Index j = 0; j < y.size(); ++j) z[layout_->node_part(j, y[j])] += 1;
  for (Index e = 0; e < layout_->edges().size(); ++e) {
    const TreeMrfLayout::Edge& edge = layout_->edges()[e];
    z[layout_->edge_part(e, y[edge.first], y[edge.second])] += 1;
  }
}

// The additions are those of upward_max, so that the score of the best output has the bits of the
// maximum. A stack holds the sums of nodes that wait for further children: ⌊log₂ N⌋ + 2 at most.
double TreeMrf::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  std::array<double, std::numeric_limits<Index>::digits + 2> sums;
  double* top = sums.data();
  *top = 0;  // of the node above the roots
  for (const Step& step : layout_->steps()) {
    const double node = s[layout_->node_part(step.node, y[step.node])];
    const double below = step.leaf ? node : *top--;
    if (step.edge == TreeMrfLayout::kNone) {
      *top += below;
      continue;
    }
    const double message =
        s[step_part(step, static_cast<Index>(y[step.parent]), static_cast<Index>(y[step.node]))] +
        below;
    if (step.first) {
      *++top = s[layout_->node_part(step.parent, y[step.parent])] + message;
    } else {
      *top += message;
    }
  }
  assert(top == sums.data());
  return *top;
}

// The step's table with the rows that are wanted; for a root, a row (or column) of zeros.
const double* TreeMrf::step_table(std::span<const double> s, const Step& step, Rows rows,
                                  Scratch& scratch) const {
  if (step.edge == TreeMrfLayout::kNone) return scratch.zeros.data();
  const double* table = s.data() + layout_->edge_part(step.edge, 0, 0);
  if (step.parent_first == (rows == Rows::kParent)) return table;
  const TreeMrfLayout::Edge& edge = layout_->edges()[step.edge];
  const Index height = layout_->num_labels(edge.first), width = layout_->num_labels(edge.second);
  Scratch::grow(scratch.table, height * width);
  for (Index a = 0; a < height; ++a) {
    for (Index b = 0; b < width; ++b) scratch.table[b * height + a] = table[a * width + b];
  }
  return scratch.table.data();
}

// That table as a matrix; `group` must live as long.
SegmentMatrix TreeMrf::step_matrix(const Step& step, Rows rows, SegmentMatrix::Group& group,
                                   Scratch& scratch) const {
  const Index parent = parent_labels(step), child = layout_->num_labels(step.node);
  const auto height = static_cast<std::uint32_t>(rows == Rows::kParent ? parent : child);
  const auto width = static_cast<std::uint32_t>(rows == Rows::kParent ? child : parent);
  scratch.rows.resize(height);
  for (std::uint32_t u = 0; u < height; ++u) scratch.rows[u] = {u, u * width};
  group = {0, width, 0, height, 0};
  return {{&group, 1}, scratch.rows};
}

void TreeMrf::prepare(std::span<const double> s, Scratch& scratch) const {
  assert(s.size() == num_parts());
  const Index states = layout_->num_states();
  Scratch::grow(scratch.node, states + 1);
  Scratch::grow(scratch.up, states + 1);
  Scratch::grow(scratch.zeros, layout_->max_labels());
  Scratch::grow(scratch.row, layout_->max_labels());
  Scratch::grow(scratch.buffer, layout_->max_labels());
  double* node = scratch.node.data();
  for (Index j = 0; j < layout_->num_nodes(); ++j) {
    const double* scores = s.data() + layout_->node_part(j, 0);
    for (Index a = 0; a < layout_->num_labels(j); ++a) {
      *node++ = allows(j, a) ? scores[a] : kImpossible;
    }
  }
  *node = 0;
  std::copy(scratch.node.begin(), scratch.node.begin() + static_cast<std::ptrdiff_t>(states + 1),
            scratch.up.begin());
}

// up(j, a) = the best score of the subtree of j with y_j = a:
// node(j, a) + Σ_{children k} max_b (edge(a, b) + up(k, b)). The sums up to each child are kept.
double TreeMrf::upward_max(std::span<const double> s, Scratch& scratch) const {
  Scratch::grow(scratch.messages, layout_->num_messages());
  SegmentMatrix::Group group;
  for (const Step& step : layout_->steps()) {
    double* parent = scratch.up.data() + layout_->state_begin(step.parent);
    double* message = scratch.messages.data() + layout_->message_begin(step.node);
    max_plus(step_matrix(step, Rows::kChild, group, scratch),
             step_table(s, step, Rows::kChild, scratch),
             scratch.up.data() + layout_->state_begin(step.node), parent, message);
    std::copy(message, message + parent_labels(step), parent);
  }
  return scratch.up[layout_->num_states()];
}

// The first of the node's best labels, given the label a of its parent.
Index TreeMrf::best_label(std::span<const double> s, const Step& step, Index a,
                          const Scratch& scratch) const {
  const double* up = scratch.up.data() + layout_->state_begin(step.node);
  double best = kImpossible;
  Index argument = 0;
  for (Index b = 0; b < layout_->num_labels(step.node); ++b) {
    const double value = step_score(s, step, a, b) + up[b];
    if (value > best) best = value, argument = b;
  }
  return argument;
}

double TreeMrf::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  prepare(s, scratch);
  const double best = upward_max(s, scratch);
  y.clear();
  if (best == kImpossible) return best;
  y.resize(layout_->num_nodes());
  const std::span<const Step> steps = layout_->steps();
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const Index a = step->edge == TreeMrfLayout::kNone ? 0 : static_cast<Index>(y[step->parent]);
    y[step->node] = static_cast<Label>(best_label(s, *step, a, scratch));
  }
  return best;
}

}  // namespace trellis
