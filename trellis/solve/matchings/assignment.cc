#include "trellis/solve/matchings/assignment.h"

#include <cassert>
#include <numeric>

namespace trellis {
namespace {

// Blocks of this many rows and columns are turned at a time, so that both sides stay in the cache.
constexpr Index kBlock = 16;

void transpose_dense(const double* from, Index rows, Index columns, double* to) {
  for (Index i0 = 0; i0 < rows; i0 += kBlock) {
    for (Index j0 = 0; j0 < columns; j0 += kBlock) {
      for (Index i = i0; i < std::min(i0 + kBlock, rows); ++i) {
        for (Index j = j0; j < std::min(j0 + kBlock, columns); ++j) {
          to[j * rows + i] = from[i * columns + j];
        }
      }
    }
  }
}

}  // namespace

void AssignmentState::reset(Index rows, Index columns, bool single) {
  may_stay_single.assign(rows, single ? 1 : 0);
  price.assign(columns, 0.0);
  row_of.assign(columns, kNobody);
  column_of.assign(rows, kNobody);
  matched_weight.resize(rows);
  to_serve.resize(rows);
  std::iota(to_serve.begin(), to_serve.end(), 0u);
}

// A row may always stay single, but a column that must be matched has to be a row.
bool AssignmentSolver::solve(const BipartiteGraph& graph, std::span<const double> weights,
                             Cover cover) {
  assert(weights.size() == graph.num_edges());
  const bool swapped = cover == Cover::kPerfect && graph.rows > graph.columns;
  const Index rows = swapped ? graph.columns : graph.rows;
  const Index columns = swapped ? graph.rows : graph.columns;
  assert(columns < kNobody && rows < kNobody);
  if (swapped) transpose(graph, weights);
  const double* s = swapped ? turned_weights_.data() : weights.data();
  state_.reset(rows, columns, cover == Cover::kPartial);
  if (columns == 0) {
    // The graph has no edges; a perfect matching covers no column and hence no row.
  } else if (graph.complete()) {
    assign_dense(s, state_, dense_);
  } else if (!assign_sparse(swapped ? turned_begin_ : graph.begin,
                            swapped ? turned_column_ : graph.column, s, state_, sparse_)) {
    return false;
  }
  write_result(swapped);
  return true;
}

void AssignmentSolver::transpose(const BipartiteGraph& graph, std::span<const double> weights) {
  turned_weights_.resize(weights.size());
  if (graph.complete()) {
    transpose_dense(weights.data(), graph.rows, graph.columns, turned_weights_.data());
    return;
  }
  turned_begin_.assign(graph.columns + 2, 0);  // one more, so that filling in leaves the begins
  turned_column_.resize(weights.size());
  for (const std::uint32_t j : graph.column) ++turned_begin_[j + 2];
  std::partial_sum(turned_begin_.begin(), turned_begin_.end(), turned_begin_.begin());
  for (Index i = 0; i < graph.rows; ++i) {
    for (Index edge = graph.begin[i]; edge < graph.begin[i + 1]; ++edge) {
      const Index place = turned_begin_[graph.column[edge] + 1]++;
      turned_column_[place] = static_cast<std::uint32_t>(i);
      turned_weights_[place] = weights[edge];
    }
  }
  turned_begin_.pop_back();
}

void AssignmentSolver::write_result(bool swapped) {
  auto& column_of = swapped ? row_of_column_ : column_of_row_;
  auto& row_of = swapped ? column_of_row_ : row_of_column_;
  auto& u = swapped ? column_duals_ : row_duals_;
  auto& v = swapped ? row_duals_ : column_duals_;
  column_of.assign(state_.column_of.size(), kNoLabel);
  row_of.assign(state_.row_of.size(), kNoLabel);
  u.assign(column_of.size(), 0.0);
  v.assign(state_.price.begin(), state_.price.end());
  for (Index i = 0; i < column_of.size(); ++i) {
    const std::uint32_t j = state_.column_of[i];
    if (j == kNobody) continue;
    u[i] = state_.matched_weight[i] - v[j];
    // An edge of weight 0 may end up in a partial matching by a tie, and is as good left out.
    if (state_.may_stay_single[i] != 0 && !(state_.matched_weight[i] > 0)) continue;
    column_of[i] = static_cast<Label>(j);
    row_of[j] = static_cast<Label>(i);
  }
}

}  // namespace trellis
