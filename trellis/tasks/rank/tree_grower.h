// Grows one tree on gradients, leaf by leaf: always makes the split with the largest decrease of
// the quadratic
//
//   Σ_rows (g v + ½ h v²) + ½ ridge Σ_leaves v² ,     v = the value of the row's leaf,
//
// which is minimal for a leaf with gradient G and curvature H at v = −G/(H + ridge), where it
// decreases by G²/2(H + ridge) (Friedman 2001, "Greedy function approximation: a gradient boosting
// machine"; second order as in Chen & Guestrin 2016, "XGBoost", eq. 7). Splits are found in
// histograms over bins; of two children the smaller one is counted, and the other one is the
// difference (Ke et al. 2017, "LightGBM").
//
// Sums run over rows in one order for any number of threads; ties go to the first column and the
// lowest bin.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/rank/tree_bins.h"
#include "trellis/tasks/rank/trees.h"

namespace trellis::rank {

struct TreeShape {
  Index leaves = 8;   // maximum
  Index fewest = 20;  // minimum documents per leaf
  double ridge = 1;
};

// First and second derivative of a loss with respect to the score of a row.
struct Slope {
  double gradient = 0;
  double curvature = 0;
};

class TreeGrower {
 public:
  // `bins` must outlive the object.
  TreeGrower(const TreeBins& bins, const TreeShape& shape, int threads);

  void grow(std::span<const Slope> slopes);  // on all rows

  // The tree of the last grow(); empty if no split lowers the loss.
  const Trees& tree() const { return tree_; }
  std::span<const double> values() const { return values_; }  // of its leaves
  // The leaf of any row of the bins. Requires a tree.
  Index leaf(Index row) const {
    return tree_.walk(
        0, [&](Index node) { return bins_.bin(row, tree_.columns[node]) <= node_bins_[node]; });
  }

 private:
  struct Cell {
    double gradient = 0;
    double curvature = 0;
    std::uint32_t count = 0;

    void add(const Cell& other);
    void subtract(const Cell& other);
  };
  using Histogram = std::vector<Cell>;
  struct Split {
    Index column = 0;
    Index bin = 0;  // rows of lower bins and of this one go left
    double gain = 0;
  };
  struct Leaf {
    std::span<std::uint32_t> rows;
    Cell sum;
    Histogram histogram;
    std::optional<Split> best;
    std::optional<Index> place;  // among the children of all nodes; empty: the root
  };

  void count(Index block, const Leaf& leaf, std::span<const Slope> slopes, Histogram& into) const;
  void search(Index block, const Leaf& leaf, std::optional<Split>& best) const;
  // Counts the histogram of `fresh`; if there is a sibling, turns the parent's into the sibling's.
  void prepare(Leaf& fresh, Leaf* sibling, std::span<const Slope> slopes);
  void split(Index at, std::span<const Slope> slopes);
  double merit(const Cell& sum) const;
  Histogram take_histogram();

  const TreeBins& bins_;
  TreeShape shape_;
  int threads_;
  std::vector<std::uint32_t> rows_, right_;
  std::vector<Leaf> leaves_;
  std::vector<Histogram> spare_;
  Trees tree_;
  std::vector<std::uint8_t> node_bins_;
  std::vector<double> values_;
};

}  // namespace trellis::rank
