#include "trellis/solve/matchings/matching_projection.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trellis {
namespace {

constexpr double kMoves = 2;

bool covers_rows(const BipartiteGraph& graph, Cover cover) {
  return cover == Cover::kPerfect && graph.rows <= graph.columns;
}
bool covers_columns(const BipartiteGraph& graph, Cover cover) {
  return cover == Cover::kPerfect && graph.columns <= graph.rows;
}

// visit(row, its first edge, its last, edge ↦ column) for each row
template <class Visit>
void each_row(const BipartiteGraph& graph, const Visit& visit) {
  for (Index i = 0; i < graph.rows; ++i) {
    if (graph.complete()) {
      const Index first = i * graph.columns;
      visit(i, first, first + graph.columns, [=](Index edge) { return edge - first; });
    } else {
      visit(i, graph.begin[i], graph.begin[i + 1],
            [&](Index edge) { return Index{graph.column[edge]}; });
    }
  }
}

// visit(edge, row, column) for each edge
template <class Visit>
void each_edge(const BipartiteGraph& graph, const Visit& visit) {
  each_row(graph, [&](Index i, Index first, Index last, const auto& column) {
    for (Index edge = first; edge < last; ++edge) visit(edge, i, column(edge));
  });
}

}  // namespace

// At the assignment's duals no r is above 0 and one in each covered row is 0, so a ≥ −1 there: the
// first candidates are all that b = 0 needs. From then on they are what lies near the support.
ProjectionResult MatchingProjector::project(const BipartiteGraph& graph, std::span<const double> v,
                                            Cover cover, std::span<double> z) {
  assert(v.size() == graph.num_edges() && z.size() == v.size());
  if (!assignment_.solve(graph, v, cover)) return {ProjectionStatus::kEmpty};
  rows_are_inner_ = graph.rows >= graph.columns;
  set_bounds(graph, cover);
  least_.assign(dual_.inner_bound.size(), -1.0);
  shift_.assign(dual_.outer_bound.size(), 0.0);
  collect_candidates(graph, v);
  dual_.start();
  MatchingDual::Outcome outcome = MatchingDual::Outcome::kTooMany;
  do {
    choose_margins(outcome);
    collect_candidates(graph, v);
    outcome = dual_.minimize(margin_);
  } while (outcome != MatchingDual::Outcome::kEnded);
  write_result(graph, v, cover, z);
  const double residual = dual_.point().residual;
  return {residual <= kTolerance ? ProjectionStatus::kOptimal : ProjectionStatus::kNotConverged,
          residual, dual_.steps()};
}

// The dual's variables are differences from the duals of the assignment.
void MatchingProjector::set_bounds(const BipartiteGraph& graph, Cover cover) {
  const auto set = [](std::span<const double> duals, bool covered, std::vector<double>& bound) {
    bound.resize(duals.size());
    for (Index k = 0; k < duals.size(); ++k) bound[k] = covered ? -kInfinity : -duals[k];
  };
  set(assignment_.row_duals(), covers_rows(graph, cover),
      rows_are_inner_ ? dual_.inner_bound : dual_.outer_bound);
  set(assignment_.column_duals(), covers_columns(graph, cover),
      rows_are_inner_ ? dual_.outer_bound : dual_.inner_bound);
}

// An inner node takes in the edges that could enter the support if the duals moved by as much as an
// edge of it has on average: fewer where the last moves were smaller, more where the next is
// larger.
void MatchingProjector::choose_margins(MatchingDual::Outcome outcome) {
  const MatchingDual::Point& point = dual_.point();
  const double moves = kMoves * dual_.last_move();
  margin_.resize(least_.size());
  for (Index i = 0; i < least_.size(); ++i) {
    const Index support = std::max<Index>(1, point.begin[i + 1] - point.begin[i]);
    const double share = 1 / static_cast<double>(support);
    margin_[i] =
        outcome == MatchingDual::Outcome::kTooFew ? std::max(share, moves) : std::min(share, moves);
    least_[i] = point.a[i] - margin_[i];
  }
  shift_ = point.b;
}

// Edges with r − shift_o > least_i.
void MatchingProjector::collect_candidates(const BipartiteGraph& graph, std::span<const double> v) {
  const std::span<const double> u = assignment_.row_duals(), p = assignment_.column_duals();
  const Index inner = least_.size();
  dual_.begin.assign(inner + 1, 0);
  if (rows_are_inner_) {
    dual_.node.resize(graph.num_edges());
    dual_.reduced.resize(graph.num_edges());
    Index count = 0;
    each_row(graph, [&](Index i, Index first, Index last, const auto& column) {
      for (Index edge = first; edge < last; ++edge) {
        const Index j = column(edge);
        const double r = v[edge] - u[i] - p[j];
        dual_.node[count] = static_cast<std::uint32_t>(j);
        dual_.reduced[count] = r;
        count += r - shift_[j] > least_[i] ? 1 : 0;
      }
      dual_.begin[i + 1] = count;
    });
    dual_.node.resize(count);
    dual_.reduced.resize(count);
    return;
  }
  each_row(graph, [&](Index i, Index first, Index last, const auto& column) {
    for (Index edge = first; edge < last; ++edge) {
      const Index j = column(edge);
      dual_.begin[j + 1] += v[edge] - u[i] - p[j] - shift_[i] > least_[j] ? 1 : 0;
    }
  });
  for (Index k = 0; k < inner; ++k) dual_.begin[k + 1] += dual_.begin[k];
  place_ = dual_.begin;
  dual_.node.resize(dual_.begin[inner]);
  dual_.reduced.resize(dual_.begin[inner]);
  each_row(graph, [&](Index i, Index first, Index last, const auto& column) {
    for (Index edge = first; edge < last; ++edge) {
      const Index j = column(edge);
      const double r = v[edge] - u[i] - p[j];
      if (!(r - shift_[i] > least_[j])) continue;
      dual_.node[place_[j]] = static_cast<std::uint32_t>(i);
      dual_.reduced[place_[j]++] = r;
    }
  });
}

// Sums that exceed 1 by rounding are scaled down; which keeps all other sums at most 1.
void MatchingProjector::write_result(const BipartiteGraph& graph, std::span<const double> v,
                                     Cover cover, std::span<double> z) {
  const std::span<const double> u = assignment_.row_duals(), p = assignment_.column_duals();
  const MatchingDual::Point& point = dual_.point();
  const double* a = rows_are_inner_ ? point.a.data() : point.b.data();
  const double* b = rows_are_inner_ ? point.b.data() : point.a.data();
  row_duals_.resize(graph.rows);
  column_duals_.resize(graph.columns);
  for (Index i = 0; i < graph.rows; ++i) row_duals_[i] = u[i] + a[i];
  for (Index j = 0; j < graph.columns; ++j) column_duals_[j] = p[j] + b[j];
  sums_.assign(graph.rows + graph.columns, 0.0);
  each_edge(graph, [&](Index edge, Index i, Index j) {
    const double r = v[edge] - u[i] - p[j];
    z[edge] = std::max(0.0, rows_are_inner_ ? r - b[j] - a[i] : r - a[i] - b[j]);
    sums_[i] += z[edge];
    sums_[graph.rows + j] += z[edge];
  });
  for (Index k = 0; k < sums_.size(); ++k) {
    const bool covered = k < graph.rows ? covers_rows(graph, cover) : covers_columns(graph, cover);
    sums_[k] = !covered && sums_[k] > 1 ? 1 / sums_[k] : 1;
  }
  each_edge(graph, [&](Index edge, Index i, Index j) {
    z[edge] *= std::min(sums_[i], sums_[graph.rows + j]);
  });
}

double matching_kkt_residual(const BipartiteGraph& graph, std::span<const double> v, Cover cover,
                             std::span<const double> z, std::span<const double> alpha,
                             std::span<const double> beta) {
  assert(alpha.size() == graph.rows && beta.size() == graph.columns);
  double size = 1, worst = 0;
  std::vector<double> row_sums(graph.rows, 0.0), column_sums(graph.columns, 0.0);
  each_edge(graph, [&](Index edge, Index i, Index j) {
    size = std::max(size, std::abs(v[edge]));
    worst = std::max(worst, std::abs(z[edge] - std::max(0.0, v[edge] - alpha[i] - beta[j])));
    row_sums[i] += z[edge];
    column_sums[j] += z[edge];
  });
  const auto check = [&](std::span<const double> duals, std::span<const double> sums,
                         bool covered) {
    for (Index k = 0; k < duals.size(); ++k) {
      const double room = 1 - sums[k];
      worst = std::max(worst, std::abs(covered ? room : std::min(room, duals[k])));
    }
  };
  check(alpha, row_sums, covers_rows(graph, cover));
  check(beta, column_sums, covers_columns(graph, cover));
  return worst / size;
}

}  // namespace trellis
