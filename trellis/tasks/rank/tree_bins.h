// The documents of a training set as the search for splits sees them: each feature by its bin, of
// at most 255, so that a histogram of gradients says all that a tree can ask.
//
// Bins follow the distinct values of a feature (0 where a document does not mention it); where
// there are too many, neighbours share one, about as many documents in each. Columns lie in blocks
// of a few, which threads take one by one; a block has the bins of its columns row by row, all of
// them or, where most are that of 0, only the others.
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

  // `indices`: the features that are columns, ascending. The rows are the documents of all queries.
  TreeBins(std::span<const std::uint32_t> indices, std::span<const Query> queries, Index max_bins);

  Index num_rows() const { return num_rows_; }
  Index num_columns() const { return cell_begin_.size() - 1; }
  // The bins of all columns are the cells of a histogram; those of column c begin here.
  Index first_cell(Index c) const { return cell_begin_[c]; }
  Index num_bins(Index c) const { return cell_begin_[c + 1] - cell_begin_[c]; }
  Index num_cells() const { return cell_begin_.back(); }
  Index bin_of_zero(Index c) const { return zero_bins_[c]; }
  // Between bin b and bin b + 1: not below any value of the first, and below all of the second.
  float threshold(Index c, Index b) const { return thresholds_[cell_begin_[c] + b]; }
  Index bin(Index row, Index c) const;

  Index num_blocks() const { return blocks_.size(); }
  Index first_column(Index block) const { return block * kBlockColumns; }
  Index end_column(Index block) const {
    return std::min(num_columns(), (block + 1) * kBlockColumns);
  }
  // visit(row, cell) for the bins of these rows; where the block stores no zeros, some rows are not
  // visited for a column: their value there is 0.
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
    std::vector<std::uint64_t> begin;   // of each row; empty: all columns of all rows are there
    std::vector<std::uint8_t> columns;  // of the block, for each bin
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
  std::vector<float> thresholds_;  // by cell; that of a column's last bin is not used
  std::vector<std::uint8_t> zero_bins_;
  std::vector<Block> blocks_;
};

}  // namespace trellis::rank
