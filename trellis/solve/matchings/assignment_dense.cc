// Shortest augmenting paths in a complete graph. Distances to all columns lie in one array and are
// relaxed a whole row of weights at a time, which vector instructions like better than lists of
// open columns.
#include <algorithm>

#include "trellis/solve/matchings/assignment_kernels.h"
#include "trellis/solve/matchings/assignment_state.h"

namespace trellis {
namespace {

// A bid reads a whole row, like a step of a search, so row reduction must end soon.
constexpr Index kDensePasses = 2;
constexpr Index kDenseBidsPerRow = 4;

class DenseRows {
 public:
  DenseRows(const double* weights, const AssignmentState& state)
      : weights_(weights), price_(state.price.data()), columns_(state.price.size()) {}

  RowChoice choose(Index row) const {
    const BestTwo two = best_two(weights_ + row * columns_, price_, columns_);
    return {two.best, two.second, row * columns_ + two.argbest};
  }
  Index column(Index row, Index edge) const { return edge - row * columns_; }
  double weight(Index edge) const { return weights_[edge]; }
  Index runner_up(Index row, const RowChoice& choice) const {
    const Index begin = row * columns_;
    Index edge = begin;
    while (edge == choice.edge || weights_[edge] - price_[edge - begin] < choice.second) ++edge;
    return edge;
  }

 private:
  const double* weights_;
  const double* price_;
  Index columns_;
};

// A path from a row that is to be served to a free column, or to a row that gives up its column.
class DenseSearch {
 public:
  DenseSearch(const double* weights, AssignmentState& state, DenseSearchMemory& memory)
      : weights_(weights), state_(state), memory_(memory), columns_(state.price.size()) {
    memory_.origin.resize(columns_);
    memory_.distance.resize(columns_);
    memory_.blocked.resize(columns_);
    for (Index j = 0; j < columns_; ++j) {
      memory_.blocked[j] = state_.row_of[j] == kNobody ? 0 : kInfinity;
    }
  }

  // Distances are those of the slacks u_i + v_j − s_ij, minus the unknown dual of the root.
  void serve(std::uint32_t root) {
    std::fill(memory_.distance.begin(), memory_.distance.end(), kInfinity);
    memory_.tree.assign(1, {root, kNobody, 0, 0});
    const ColumnLabels labels = {memory_.distance.data(), memory_.origin.data(),
                                 state_.price.data(), memory_.blocked.data()};
    double h = 0;  // a column k lies at h − (s_ik − p_k) by way of the newest row i
    double quitting = kInfinity;
    Index quitter = 0;
    for (;;) {
      const Index node = memory_.tree.size() - 1;
      if (state_.may_stay_single[memory_.tree.back().row] != 0 && h < quitting) {
        quitting = h;
        quitter = node;
      }
      const NearestColumns nearest = relax(weights_ + memory_.tree.back().row * columns_, h,
                                           static_cast<double>(node), labels, columns_);
      if (std::min(nearest.free_distance, quitting) > nearest.distance) {
        h = grow(nearest.column, nearest.distance);
        continue;
      }
      raise_prices(std::min(nearest.free_distance, quitting));
      if (nearest.free_distance < quitting) {
        memory_.blocked[nearest.free_column] = kInfinity;
        augment(nearest.free_column);
      } else {
        quit(quitter);
      }
      return;
    }
  }

 private:
  // Adds the row that has this column to the tree.
  double grow(Index column, double distance) {
    const std::uint32_t row = state_.row_of[column];
    const double price = state_.price[column];
    memory_.tree.push_back({row, static_cast<std::uint32_t>(column), distance, price});
    memory_.distance[column] = kInfinity;
    state_.price[column] = kInfinity;
    return distance + (state_.matched_weight[row] - price);
  }

  void raise_prices(double end) {
    for (Index node = 1; node < memory_.tree.size(); ++node) {
      const DenseSearchMemory::Node& done = memory_.tree[node];
      state_.price[done.column] = done.price + (end - done.distance);
    }
  }

  void augment(Index column) {
    for (;;) {
      const auto& node = memory_.tree[static_cast<Index>(memory_.origin[column])];
      state_.match(node.row, column, weights_[node.row * columns_ + column]);
      if (node.column == kNobody) return;
      column = node.column;
    }
  }

  void quit(Index node) {
    const DenseSearchMemory::Node& last = memory_.tree[node];
    state_.column_of[last.row] = kNobody;
    if (last.column != kNobody) augment(last.column);
  }

  const double* weights_;
  AssignmentState& state_;
  DenseSearchMemory& memory_;
  Index columns_;
};

}  // namespace

void assign_dense(const double* weights, AssignmentState& state, DenseSearchMemory& memory) {
  const DenseRows rows(weights, state);
  RowReduction<DenseRows>(rows, state).run(kDensePasses, kDenseBidsPerRow * state.to_serve.size());
  DenseSearch search(weights, state, memory);
  for (const std::uint32_t row : state.to_serve) search.serve(row);
}

}  // namespace trellis
