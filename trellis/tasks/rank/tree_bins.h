// The documents of a training set for the search of splits: each feature is replaced by its bin, of
// at most 255, so that histograms of gradients contain everything that a split requires.
//
// Bins are the distinct values of a feature (0 if a document does not have it); if there are too
// many, neighbours share a bin, with nearly the same number of documents each. Columns are stored
// in small blocks, which threads process one by one; a block has the bins of its columns row by
// row: all bins or, if most are that of 0, only the others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/queries/query.h"

namespace trellis::rank {

class TreeBins {
 public:
  static constexpr Index kMaxBins = 255;
  static constexpr Index kBlockColumns = 16;

  // `indices`: the features that are columns, ascending. Rows are the documents of all queries.
  TreeBins(std::span<const std::uint32_t> indices, std::span<const Query> queries, Index max_bins);

  Index num_rows() const { return num_rows_; }
  Index num_columns() const { return cell_begin_.size() - 1; }
  // The bins of all columns are the cells of a histogram; column c starts here.
  Index first_cell(Index c) const { return cell_begin_[c]; }
  Index num_bins(Index c) const { return cell_begin_[c + 1] - cell_begin_[c]; }
  Index num_cells() const { return cell_begin_.back(); }
  Index bin_of_zero(Index c) const { return zero_bins_[c]; }
  // The threshold between bins b and b + 1: ≥ all values of the first, < all values of the second.
  float threshold(Index c, Index b) const { return thresholds_[cell_begin_[c] + b]; }
  Index bin(Index row, Index c) const;

  Index num_blocks() const { return blocks_.size(); }
  Index first_column(Index block) const { return block * kBlockColumns; }
  Index end_column(Index block) const {
    return std::min(num_columns(), (block + 1) * kBlockColumns);
  }
  // Calls visit(row, cell) for the bins of these rows. If the block stores no zeros, rows with the
  // value 0 in a column are not visited for that column.
  template <class Visit>
  void for_each(Index block, std::span<const std::uint32_t> rows, const Visit& visit) const {
    const Block& b = blocks_[block];
    const Index first = first_column(block);
    if (b.dense()) {
      const Index width = end_column(block) - first;
      const std::uint32_t* begin = &cell_begin_[first];
      for (const std::uint32_t row : rows) {
        const std::uint8_t* bins = &b.bins[row * width];
        for (Index k = 0; k < width; ++k) visit(row, begin[k] + bins[k]);
      }
      return;
    }
    for (const std::uint32_t row : rows) {
      for (Index at = b.begin[row]; at < b.begin[row + 1]; ++at) {
        visit(row, cell_begin_[first + b.columns[at]] + b.bins[at]);
      }
    }
  }
  bool stores_zeros(Index block) const { return blocks_[block].dense(); }

 private:
  struct Block {
    std::vector<std::uint8_t> bins;
    std::vector<std::uint64_t> begin;   // by row; empty: all columns of all rows are stored
    std::vector<std::uint8_t> columns;  // position in the block, for each bin
    bool dense() const { return begin.empty(); }
  };
  struct Entry {
    std::uint32_t row;
    float value;
  };

  void add_column(std::vector<Entry>& entries, Index max_bins);
  void fill_blocks(std::span<const std::vector<Entry>> columns);

  Index num_rows_ = 0;
  std::vector<std::uint32_t> cell_begin_ = {0};
  std::vector<float> thresholds_;  // by cell; the last bin of a column has none
  std::vector<std::uint8_t> zero_bins_;
  std::vector<Block> blocks_;
};

}  // namespace trellis::rank
