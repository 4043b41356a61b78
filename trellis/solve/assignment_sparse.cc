// Shortest augmenting paths along edges, with a heap. A column that lies no nearer than the nearest
// free column found so far is never entered (Duff & Koster 2001, sec. 4).
#include <algorithm>
#include <limits>

#include "trellis/solve/assignment_state.h"

namespace trellis {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A bid is far cheaper than a search, which may wander through the whole graph.
constexpr Index kPasses = 2;
constexpr Index kBidsPerRow = 40;

struct EdgeRows {
  std::span<const Index> begin;
  std::span<const std::uint32_t> columns;
  const double* weights;
  const double* price;

  RowChoice choose(Index row) const {
    RowChoice choice = {-kInfinity, -kInfinity, 0};
    for (Index edge = begin[row]; edge < begin[row + 1]; ++edge) {
      const double x = weights[edge] - price[columns[edge]];
      if (x > choice.best) {
        choice.second = choice.best;
        choice.best = x;
        choice.edge = edge;
      } else if (x > choice.second) {
        choice.second = x;
      }
    }
    return choice;
  }
  Index column(Index, Index edge) const { return columns[edge]; }
  double weight(Index edge) const { return weights[edge]; }
  Index runner_up(Index row, const RowChoice& choice) const {
    Index edge = begin[row];
    while (edge == choice.edge || weights[edge] - price[columns[edge]] < choice.second) ++edge;
    return edge;
  }
};

class SparseSearch {
 public:
  SparseSearch(const EdgeRows& rows, AssignmentState& state, SparseSearchMemory& memory)
      : rows_(rows), state_(state), memory_(memory) {
    memory_.distance.assign(state.price.size(), kInfinity);
    memory_.origin.resize(state.price.size());
    memory_.origin_weight.resize(state.price.size());
    memory_.touched.clear();
    memory_.done.clear();
  }

  // False where no path leads anywhere.
  bool serve(std::uint32_t root) {
    memory_.heap.clear();
    end_ = kInfinity;
    end_column_ = kNobody;
    scan(root, 0);
    SparseSearchMemory::Entry nearest;
    while (pop(nearest)) {
      memory_.done.push_back(nearest);
      memory_.distance[nearest.column] = -kInfinity;
      const std::uint32_t row = state_.row_of[nearest.column];
      scan(row, nearest.distance + (state_.matched_weight[row] - state_.price[nearest.column]));
    }
    const bool found = end_ < kInfinity;
    if (found) {
      for (const auto& [distance, column] : memory_.done) state_.price[column] += end_ - distance;
      finish(root);
    }
    for (const std::uint32_t column : memory_.touched) memory_.distance[column] = kInfinity;
    memory_.touched.clear();
    memory_.done.clear();
    return found;
  }

 private:
  // Column k lies at h − (s_ik − p_k) by way of row i; giving up what it has costs row i h.
  void scan(std::uint32_t row, double h) {
    if (state_.may_stay_single[row] != 0 && h < end_) {
      end_ = h;
      end_column_ = kNobody;
      quitter_ = row;
    }
    for (Index edge = rows_.begin[row]; edge < rows_.begin[row + 1]; ++edge) {
      const std::uint32_t column = rows_.columns[edge];
      const double t = h - (rows_.weights[edge] - rows_.price[column]);
      double& distance = memory_.distance[column];
      if (!(t < end_) || !(t < distance)) continue;
      if (distance == kInfinity) memory_.touched.push_back(column);
      distance = t;
      memory_.origin[column] = row;
      memory_.origin_weight[column] = rows_.weights[edge];
      if (state_.row_of[column] == kNobody) {
        end_ = t;
        end_column_ = column;
      } else {
        push({t, column});
      }
    }
  }

  void finish(std::uint32_t root) {
    std::uint32_t column = end_column_;
    if (column == kNobody) {
      column = state_.column_of[quitter_];
      state_.column_of[quitter_] = kNobody;
      if (quitter_ == root) return;
    }
    for (;;) {
      const std::uint32_t row = memory_.origin[column];
      const std::uint32_t previous = state_.column_of[row];
      state_.match(row, column, memory_.origin_weight[column]);
      if (row == root) return;
      column = previous;
    }
  }

  // A heap with four children to a node. An entry whose column has been reached more cheaply since
  // stays in, and is passed over when its turn comes.
  void push(SparseSearchMemory::Entry entry) {
    auto& heap = memory_.heap;
    Index at = heap.size();
    heap.push_back(entry);
    while (at > 0 && entry.distance < heap[(at - 1) / 4].distance) {
      heap[at] = heap[(at - 1) / 4];
      at = (at - 1) / 4;
    }
    heap[at] = entry;
  }

  // The nearest column, if that is nearer than the end.
  bool pop(SparseSearchMemory::Entry& nearest) {
    auto& heap = memory_.heap;
    while (!heap.empty()) {
      nearest = heap.front();
      if (!(nearest.distance < end_)) return false;
      const SparseSearchMemory::Entry last = heap.back();
      heap.pop_back();
      if (!heap.empty()) sift_down(last);
      if (nearest.distance == memory_.distance[nearest.column]) return true;
    }
    return false;
  }

  void sift_down(SparseSearchMemory::Entry entry) {
    auto& heap = memory_.heap;
    Index at = 0;
    for (;;) {
      const Index first = 4 * at + 1, end = std::min(first + 4, heap.size());
      if (first >= end) break;
      Index least = first;
      for (Index child = first + 1; child < end; ++child) {
        if (heap[child].distance < heap[least].distance) least = child;
      }
      if (!(heap[least].distance < entry.distance)) break;
      heap[at] = heap[least];
      at = least;
    }
    heap[at] = entry;
  }

  const EdgeRows& rows_;
  AssignmentState& state_;
  SparseSearchMemory& memory_;
  double end_ = 0;  // the distance of the end of the path
  std::uint32_t end_column_ = kNobody;
  std::uint32_t quitter_ = kNobody;  // where the end is no column: the row that goes single
};

}  // namespace

bool assign_sparse(std::span<const Index> begin, std::span<const std::uint32_t> column,
                   const double* weights, AssignmentState& state, SparseSearchMemory& memory) {
  const EdgeRows rows = {begin, column, weights, state.price.data()};
  RowReduction<EdgeRows>(rows, state).run(kPasses, kBidsPerRow * state.to_serve.size());
  SparseSearch search(rows, state, memory);
  for (const std::uint32_t row : state.to_serve) {
    if (!search.serve(row)) return false;
  }
  return true;
}

}  // namespace trellis
