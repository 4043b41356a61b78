// Shortest augmenting paths along edges, with a heap. A column that lies no nearer than the nearest
// free column found so far is never entered (Duff & Koster 2001, sec. 4).
#include <algorithm>

#include "trellis/solve/matchings/assignment_state.h"

namespace trellis {
namespace {

// A bid is far cheaper than a search, which may wander through the whole graph.
constexpr Index kSparsePasses = 2;
constexpr Index kSparseBidsPerRow = 40;

struct EdgeRows {
  std::span<const Index> begin;
  std::span<const std::uint32_t> columns;
  const double* weights;
  const double* price;

  // Without branches: which edge is best is anybody's guess.
  RowChoice choose(Index row) const {
    const Index last = begin[row + 1];
    double best = -kInfinity, second = -kInfinity;
    Index best_edge = 0;
    for (Index edge = begin[row]; edge < last; ++edge) {
      const double x = weights[edge] - price[columns[edge]];
      const double lower = x < best ? x : best;
      second = lower > second ? lower : second;
      best_edge = x > best ? edge : best_edge;
      best = x > best ? x : best;
    }
    return {best, second, best_edge};
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
    memory_.labels.resize(state.price.size());
    for (Index j = 0; j < state.price.size(); ++j) {
      memory_.labels[j] = {state.price[j], kInfinity};
    }
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
      SparseSearchMemory::Label& label = memory_.labels[nearest.column];
      label.distance = -kInfinity;
      const std::uint32_t row = state_.row_of[nearest.column];
      scan(row, nearest.distance + (state_.matched_weight[row] - label.price));
    }
    const bool found = end_ < kInfinity;
    if (found) {
      for (const auto& [distance, column] : memory_.done) {
        memory_.labels[column].price += end_ - distance;
      }
      finish(root);
    }
    for (const std::uint32_t column : memory_.touched) memory_.labels[column].distance = kInfinity;
    memory_.touched.clear();
    memory_.done.clear();
    return found;
  }

  void write_prices() {
    for (Index j = 0; j < state_.price.size(); ++j) state_.price[j] = memory_.labels[j].price;
  }

 private:
  // Column k is at distance h − (s_ik − p_k) through row i; row i loses h by giving up its column.
  void scan(std::uint32_t row, double h) {
    if (state_.may_stay_single[row] != 0 && h < end_) {
      end_ = h;
      end_column_ = kNobody;
      quitter_ = row;
    }
    // Local pointers, so that the compiler does not reload them for every edge.
    SparseSearchMemory::Label* const labels = memory_.labels.data();
    const std::uint32_t* const columns = rows_.columns.data();
    const double* const weights = rows_.weights;
    const Index last = rows_.begin[row + 1];
    double end = end_;
    for (Index edge = rows_.begin[row]; edge < last; ++edge) {
      const std::uint32_t column = columns[edge];
      SparseSearchMemory::Label& label = labels[column];
      const double t = h - (weights[edge] - label.price);
      if (!(t < std::min(end, label.distance))) continue;
      if (label.distance == kInfinity) memory_.touched.push_back(column);
      label.distance = t;
      memory_.origin[column] = row;
      memory_.origin_weight[column] = weights[edge];
      if (state_.row_of[column] == kNobody) {
        end = t;
        end_column_ = column;
      } else {
        push({t, column});
      }
    }
    end_ = end;
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
      if (nearest.distance != memory_.labels[nearest.column].distance) continue;
      if (!heap.empty()) prefetch(heap.front().column);
      return true;
    }
    return false;
  }

  // The edges of a row that is likely to be scanned after the next.
  void prefetch(std::uint32_t column) const {
    const Index first = rows_.begin[state_.row_of[column]];
    __builtin_prefetch(rows_.weights + first);
    __builtin_prefetch(rows_.weights + first + 8);
    __builtin_prefetch(rows_.columns.data() + first);
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
  RowReduction<EdgeRows>(rows, state).run(kSparsePasses, kSparseBidsPerRow * state.to_serve.size());
  SparseSearch search(rows, state, memory);
  for (const std::uint32_t row : state.to_serve) {
    if (!search.serve(row)) return false;
  }
  search.write_prices();
  return true;
}

}  // namespace trellis
