#include "trellis/solve/matchings/k_best_assignment.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {

// The rows of the partition are those that a perfect matching must cover.
void KBestAssignment::solve(const BipartiteGraph& graph, std::span<const double> weights,
                            Cover cover, Index k, std::vector<Result>& best) {
  assert(weights.size() == graph.num_edges());
  best.clear();
  queue_.clear();
  numbered_ = 0;
  rows_may_stay_single_ = cover == Cover::kPartial;
  swapped_ = cover == Cover::kPerfect && graph.rows > graph.columns;
  if (k == 0 || !find_first(graph, weights, cover)) return;
  while (!queue_.empty()) {
    const Candidate next = pop();
    Result result = {std::vector<Label>(graph.rows, kNoLabel), next.weight};
    for (Index i = 0; i < next.choice.size(); ++i) {
      const std::uint32_t j = next.choice[i];
      if (j == kNobody) continue;
      result.column_of_row[swapped_ ? j : i] = static_cast<Label>(swapped_ ? i : j);
    }
    best.push_back(std::move(result));
    if (best.size() == k) break;
    branch(next);
  }
  // Rounding in the solver may show as a child that is better than its parent by a hair.
  std::stable_sort(best.begin(), best.end(),
                   [](const Result& a, const Result& b) { return a.weight > b.weight; });
}

bool KBestAssignment::find_first(const BipartiteGraph& graph, std::span<const double> weights,
                                 Cover cover) {
  if (!first_.solve(graph, weights, cover)) return false;
  read_graph(graph, weights, swapped_);
  const std::span<const Label> choice = swapped_ ? first_.row_of_column() : first_.column_of_row();
  Candidate root = {0, 0, 0, std::vector<std::uint32_t>(choice.size(), kNobody), {}};
  for (Index i = 0; i < choice.size(); ++i) {
    if (choice[i] != kNoLabel) root.choice[i] = static_cast<std::uint32_t>(choice[i]);
  }
  root.weight = weight_of(root.choice);
  push(std::move(root));
  return true;
}

void KBestAssignment::read_graph(const BipartiteGraph& graph, std::span<const double> weights,
                                 bool swapped) {
  const Index rows = swapped ? graph.columns : graph.rows;
  columns_ = swapped ? graph.rows : graph.columns;
  begin_.assign(rows + 1, 0);
  column_.resize(weights.size());
  weight_.resize(weights.size());
  const auto each = [&](const auto& visit) {
    for (Index i = 0; i < graph.rows; ++i) {
      const Index first = graph.complete() ? i * graph.columns : graph.begin[i];
      const Index last = graph.complete() ? first + graph.columns : graph.begin[i + 1];
      for (Index e = first; e < last; ++e) {
        const Index j = graph.complete() ? e - first : graph.column[e];
        visit(e, swapped ? j : i, swapped ? i : j);
      }
    }
  };
  each([&](Index, Index row, Index) { ++begin_[row + 1]; });
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  rest_begin_.assign(begin_.begin(), begin_.end() - 1);  // here: where the next edge of a row goes
  each([&](Index e, Index row, Index column) {
    const Index place = rest_begin_[row]++;
    column_[place] = static_cast<std::uint32_t>(column);
    weight_[place] = weights[e];
  });
}

// One candidate for each row that could choose otherwise.
void KBestAssignment::branch(const Candidate& parent) {
  for (Index t = parent.settled; t < parent.choice.size(); ++t) {
    Candidate child = {0, 0, t, parent.choice, {}};
    if (t == parent.settled) child.refused = parent.refused;
    child.refused.push_back(parent.choice[t]);
    if (solve_rest(child)) push(std::move(child));
  }
}

// The edges of the rows that are not settled, without what is taken or refused. False where a row
// has no choice left.
bool KBestAssignment::collect_rest(const Candidate& candidate) {
  const Index settled = candidate.settled, rows = candidate.choice.size();
  taken_.assign(columns_, 0);
  for (Index i = 0; i < settled; ++i) {
    if (candidate.choice[i] != kNobody) taken_[candidate.choice[i]] = 1;
  }
  const auto refused = [&](std::uint32_t j) {
    return std::find(candidate.refused.begin(), candidate.refused.end(), j) !=
           candidate.refused.end();
  };
  rest_begin_.assign(1, 0);
  rest_column_.clear();
  rest_weight_.clear();
  state_.reset(rows - settled, columns_, rows_may_stay_single_);
  if (refused(kNobody)) state_.may_stay_single[0] = 0;
  for (Index i = settled; i < rows; ++i) {
    for (Index e = begin_[i]; e < begin_[i + 1]; ++e) {
      if (taken_[column_[e]] != 0 || (i == settled && refused(column_[e]))) continue;
      rest_column_.push_back(column_[e]);
      rest_weight_.push_back(weight_[e]);
    }
    rest_begin_.push_back(rest_column_.size());
    const bool no_choice = rest_begin_[i - settled] == rest_begin_[i - settled + 1];
    if (no_choice && state_.may_stay_single[i - settled] == 0) return false;
  }
  return true;
}

bool KBestAssignment::solve_rest(Candidate& candidate) {
  if (!collect_rest(candidate)) return false;
  if (!assign_sparse(rest_begin_, rest_column_, rest_weight_.data(), state_, memory_)) return false;
  for (Index i = candidate.settled; i < candidate.choice.size(); ++i) {
    const Index row = i - candidate.settled;
    // As in AssignmentSolver: where it may, a row rather stays single than taking an edge of 0.
    const bool rather_single =
        state_.may_stay_single[row] != 0 && !(state_.matched_weight[row] > 0);
    candidate.choice[i] = rather_single ? kNobody : state_.column_of[row];
  }
  candidate.weight = weight_of(candidate.choice);
  return true;
}

double KBestAssignment::weight_of(const std::vector<std::uint32_t>& choice) const {
  ExactSum sum;
  for (Index i = 0; i < choice.size(); ++i) {
    if (choice[i] == kNobody) continue;
    Index e = begin_[i];
    while (column_[e] != choice[i]) ++e;
    sum.add(weight_[e]);
  }
  return sum.value();
}

bool KBestAssignment::worse(const Candidate& a, const Candidate& b) {
  return a.weight != b.weight ? a.weight < b.weight : a.number > b.number;
}

void KBestAssignment::push(Candidate candidate) {
  candidate.number = numbered_++;
  queue_.push_back(std::move(candidate));
  std::push_heap(queue_.begin(), queue_.end(), worse);
}

KBestAssignment::Candidate KBestAssignment::pop() {
  std::pop_heap(queue_.begin(), queue_.end(), worse);
  Candidate next = std::move(queue_.back());
  queue_.pop_back();
  return next;
}

}  // namespace trellis
