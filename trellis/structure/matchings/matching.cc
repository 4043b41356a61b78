#include "trellis/structure/matchings/matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {
namespace {

constexpr Index kMostNodes = static_cast<Index>(std::numeric_limits<Label>::max());

void require_size(Index num_left, Index num_right) {
  if (num_left > kMostNodes || num_right > kMostNodes) {
    throw UsageError(fmt::format("a matching of {} by {} nodes is too large: at most {} a side",
                                 num_left, num_right, kMostNodes));
  }
}

}  // namespace

MatchingEdges::MatchingEdges(Index num_left, Index num_right, std::span<const Edge> edges)
    : num_right_(num_right) {
  require_size(num_left, num_right);
  begin_.assign(num_left + 1, 0);
  for (const Edge& edge : edges) {
    if (edge.left >= num_left || edge.right >= num_right) {
      throw UsageError(fmt::format("the edge {}-{} is not between {} left and {} right nodes",
                                   edge.left, edge.right, num_left, num_right));
    }
    ++begin_[edge.left + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  parts_.resize(edges.size());
  std::iota(parts_.begin(), parts_.end(), Index{0});
  const auto before = [&](Index a, Index b) {
    return edges[a].left != edges[b].left ? edges[a].left < edges[b].left
                                          : edges[a].right < edges[b].right;
  };
  const bool sorted = std::is_sorted(parts_.begin(), parts_.end(), before);
  if (!sorted) std::sort(parts_.begin(), parts_.end(), before);
  for (Index e = 0; e < edges.size(); ++e) {
    const Edge& edge = edges[parts_[e]];
    if (e > begin_[edge.left] && right_.back() == edge.right) {
      throw UsageError(fmt::format("the edge {}-{} is given twice", edge.left, edge.right));
    }
    right_.push_back(edge.right);
  }
  if (sorted) parts_.clear();
}

Matching::Matching(Index num_left, Index num_right, Cover cover)
    : graph_{num_left, num_right, {}, {}}, cover_(cover) {
  require_size(num_left, num_right);
}

Matching::Matching(const MatchingEdges& edges, Cover cover)
    : graph_(edges.graph()), parts_(edges.parts()), cover_(cover) {}

Index Matching::find_edge(Index left, Label right) const {
  if (right < 0 || static_cast<Index>(right) >= num_right()) return kNoEdge;
  const auto k = static_cast<std::uint32_t>(right);
  if (graph_.complete()) return left * num_right() + k;
  const auto row =
      graph_.column.subspan(graph_.begin[left], graph_.begin[left + 1] - graph_.begin[left]);
  const auto found = std::lower_bound(row.begin(), row.end(), k);
  if (found == row.end() || *found != k) return kNoEdge;
  return graph_.begin[left] + static_cast<Index>(found - row.begin());
}

bool Matching::legal(const Output& y) const {
  if (y.size() != num_left()) return false;
  std::vector<bool> taken(num_right(), false);
  Index size = 0;
  for (Index j = 0; j < y.size(); ++j) {
    if (y[j] == kNoLabel) continue;
    if (find_edge(j, y[j]) == kNoEdge || taken[static_cast<Index>(y[j])]) return false;
    taken[static_cast<Index>(y[j])] = true;
    ++size;
  }
  return cover_ == Cover::kPartial || size == std::min(num_left(), num_right());
}

void Matching::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::fill(z.begin(), z.end(), 0.0);
  for (Index j = 0; j < y.size(); ++j) {
    if (y[j] != kNoLabel) z[part(find_edge(j, y[j]))] = 1;
  }
}

double Matching::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  ExactSum sum;
  for (Index j = 0; j < y.size(); ++j) {
    if (y[j] != kNoLabel) sum.add(s[part(find_edge(j, y[j]))]);
  }
  return sum.value();
}

std::span<const double> Matching::weights(std::span<const double> s,
                                          std::vector<double>& memory) const {
  assert(s.size() == num_parts());
  if (parts_.empty()) return s;
  memory.resize(s.size());
  for (Index e = 0; e < s.size(); ++e) memory[e] = s[parts_[e]];
  return memory;
}

double Matching::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  y.clear();
  if (!scratch.assignment.solve(graph_, weights(s, scratch.weights), cover_)) return kImpossible;
  const std::span<const Label> right = scratch.assignment.column_of_row();
  y.assign(right.begin(), right.end());
  return score(s, y);
}

void Matching::k_best(std::span<const double> s, Index k, Scratch& scratch,
                      std::vector<ScoredOutput<Output>>& best) const {
  scratch.k_best.solve(graph_, weights(s, scratch.weights), cover_, k, scratch.best);
  best.resize(scratch.best.size());
  for (Index i = 0; i < best.size(); ++i) {
    best[i].output.swap(scratch.best[i].column_of_row);
    best[i].score = scratch.best[i].weight;
  }
}

ProjectionResult Matching::project(std::span<const double> v, Scratch& scratch,
                                   std::span<double> z) const {
  assert(z.size() == num_parts());
  const std::span<const double> from = weights(v, scratch.weights);
  scratch.nearest.resize(parts_.size());
  const std::span<double> to = parts_.empty() ? z : std::span<double>(scratch.nearest);
  const ProjectionResult result = scratch.projector.project(graph_, from, cover_, to);
  if (result.status == ProjectionStatus::kEmpty) {
    throw UsageError(
        fmt::format("cannot project: the edges have no perfect matching of {} by {} nodes",
                    num_left(), num_right()));
  }
  for (Index e = 0; e < parts_.size(); ++e) z[parts_[e]] = to[e];
  return result;
}

LinearProgram Matching::linear_program() const {
  LinearProgram program;
  program.num_parts = program.num_variables = num_parts();
  program.rows.resize(num_left() + num_right());
  for (Index node = 0; node < program.rows.size(); ++node) {
    const bool covered = node < num_left() ? covers_left() : covers_right();
    program.rows[node].lower = covered ? 1 : 0;
    program.rows[node].upper = 1;
  }
  for (Index j = 0; j < num_left(); ++j) {
    const Index first = graph_.complete() ? j * num_right() : graph_.begin[j];
    const Index last = graph_.complete() ? first + num_right() : graph_.begin[j + 1];
    for (Index e = first; e < last; ++e) {
      const Index k = graph_.complete() ? e - first : graph_.column[e];
      program.rows[j].terms.push_back({part(e), 1.0});
      program.rows[num_left() + k].terms.push_back({part(e), 1.0});
    }
  }
  return program;
}

}  // namespace trellis
