// The state that both searches of assignment.h share: prices, mates, rows not yet matched. Prices
// are the duals of columns; a row matched to column j has the dual s_ij − p_j, and no other column
// offers more. A column that has never been matched has the price 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

inline constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

struct AssignmentState {
  std::vector<std::uint8_t> may_stay_single;  // by row
  std::vector<double> price;                  // by column
  std::vector<std::uint32_t> row_of;          // by column; kNobody: free
  std::vector<std::uint32_t> column_of;       // by row; kNobody: single, or still to be served
  std::vector<double> matched_weight;         // by row: of its edge
  std::vector<std::uint32_t> to_serve;        // rows
  std::vector<std::uint32_t> postponed;

  // Resets to: no row is matched, and all rows may stay single, or none may.
  void reset(Index rows, Index columns, bool single);
  void match(Index row, Index column, double weight) {
    row_of[column] = static_cast<std::uint32_t>(row);
    column_of[row] = static_cast<std::uint32_t>(column);
    matched_weight[row] = weight;
  }
};

// The best choice of a row: the largest s_ij − p_j, its edge, and the largest among other edges.
struct RowChoice {
  double best;
  double second;
  Index edge;
};

struct DenseSearchMemory {
  std::vector<double> distance, origin, blocked;  // by column: see ColumnLabels
  struct Node {  // of the tree of shortest paths: a row, and the column that led to it
    std::uint32_t row;
    std::uint32_t column;
    double distance;
    double price;  // of the column, before the search
  };
  std::vector<Node> tree;
};

struct SparseSearchMemory {
  struct Label {
    double price;
    double distance;  // −∞: done with
  };
  std::vector<Label> labels;           // by column; side by side, since they are read together
  std::vector<std::uint32_t> origin;   // by column: the row that its distance comes from
  std::vector<double> origin_weight;   // by column: of the edge to it
  std::vector<std::uint32_t> touched;  // columns to reset
  struct Entry {
    double distance;
    std::uint32_t column;
  };
  std::vector<Entry> heap;
  std::vector<Entry> done;
};

// Both match all rows of state.to_serve; the second returns false if a row that must be matched
// cannot be.
void assign_dense(const double* weights, AssignmentState& state, DenseSearchMemory& memory);
bool assign_sparse(std::span<const Index> begin, std::span<const std::uint32_t> column,
                   const double* weights, AssignmentState& state, SparseSearchMemory& memory);

// Augmenting row reduction. `Rows` has these functions:
//   choose(i)            the RowChoice of row i (−∞ if it has no edge, or no second one)
//   column(i, edge), weight(edge)
//   runner_up(i, choice) an edge of row i with the second value, if that is not −∞
// A row takes its best column and raises the price until the second choice is equally good; the row
// that had the column bids next. If ties of taken columns do not end, the row is postponed, and
// after `max_bids` so are all rows: an auction without ε may otherwise take very long.
template <class Rows>
class RowReduction {
 public:
  RowReduction(const Rows& rows, AssignmentState& state) : rows_(rows), state_(state) {}

  void run(Index passes, Index max_bids) {
    for (Index pass = 0; pass < passes && !state_.to_serve.empty(); ++pass) {
      state_.postponed.clear();
      for (std::uint32_t row : state_.to_serve) {
        walked_ = 0;
        lost_ = kNoEdge;
        while (row != kNobody) {
          if (max_bids == 0) {
            state_.postponed.push_back(row);
            break;
          }
          --max_bids;
          row = bid(row);
        }
      }
      std::swap(state_.to_serve, state_.postponed);
    }
  }

 private:
  static constexpr double kNone = -std::numeric_limits<double>::infinity();

  // Matches `row`; returns the row that lost its column.
  std::uint32_t bid(std::uint32_t row) {
    const RowChoice choice = rows_.choose(row);
    const bool may_stay_single = state_.may_stay_single[row] != 0;
    if (may_stay_single && choice.best <= 0) return kNobody;
    const double second = may_stay_single ? std::max(choice.second, 0.0) : choice.second;
    if (second == kNone) return take_if_free(row, choice.best == kNone ? kNoEdge : choice.edge);
    const Index column = rows_.column(row, choice.edge);
    const double raised = state_.price[column] + (choice.best - second);
    if (!(raised > state_.price[column])) return break_tie(row, choice, second);
    const std::uint32_t loser = state_.row_of[column];
    state_.price[column] = raised;
    lost_ = column;
    state_.match(row, column, rows_.weight(choice.edge));
    if (loser != kNobody) state_.column_of[loser] = kNobody;
    return loser;
  }

  // The best and the second column are equally good. If neither is free, the row takes one of them,
  // but not the one that it has just lost: so the loss moves on until it meets a free column.
  std::uint32_t break_tie(std::uint32_t row, const RowChoice& choice, double second) {
    const Index column = rows_.column(row, choice.edge);
    if (state_.row_of[column] == kNobody || choice.second < second) {
      return take_if_free(row, choice.edge);
    }
    const Index other = rows_.runner_up(row, choice);
    const Index other_column = rows_.column(row, other);
    if (state_.row_of[other_column] == kNobody || walked_ == kLongestWalk) {
      return take_if_free(row, other);
    }
    ++walked_;
    const bool back = column == lost_;
    const Index edge = back ? other : choice.edge;
    lost_ = back ? other_column : column;
    const std::uint32_t loser = state_.row_of[lost_];
    state_.match(row, lost_, rows_.weight(edge));
    state_.column_of[loser] = kNobody;
    return loser;
  }

  static constexpr Index kNoEdge = std::numeric_limits<Index>::max();

  std::uint32_t take_if_free(std::uint32_t row, Index edge) {
    if (edge != kNoEdge && state_.row_of[rows_.column(row, edge)] == kNobody) {
      state_.match(row, rows_.column(row, edge), rows_.weight(edge));
    } else {
      state_.postponed.push_back(row);
    }
    return kNobody;
  }

  static constexpr Index kLongestWalk = 100;

  const Rows& rows_;
  AssignmentState& state_;
  Index walked_ = 0;
  Index lost_ = kNoEdge;
};

}  // namespace trellis
