#include "trellis/solve/vectors/row_kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

#include "each_target.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

// Rows of random numbers with random masks, and what the header's formulas make of them.
struct RandomRows {
  RandomRows(Index num_rows, Index width, std::uint64_t seed) : words((width + 63) / 64) {
    Random random(seed);
    const auto normals = [&](Index size) {
      std::vector<double> x(size);
      for (double& value : x) value = random.normal();
      return x;
    };
    for (Index r = 0; r < num_rows; ++r) {
      rows.push_back(normals(width));
      masks.emplace_back(words);
      for (Index j = 0; j < width; ++j)
        masks.back()[j / 64] |= std::uint64_t{random.below(2)} << (j % 64);
    }
    values = normals(num_rows);
    z = normals(width);
    out = normals(width);
  }

  bool chosen(Index r, Index j) const { return ((masks[r][j / 64] >> (j % 64)) & 1) != 0; }

  void add_rows_in() {
    RowBatch batch;
    for (; batch.size < rows.size(); ++batch.size) {
      batch.rows[batch.size] = rows[batch.size].data();
      batch.values[batch.size] = values[batch.size];
    }
    add_rows(batch, out.data(), out.size());
  }
  void add_to_rows_in() {
    MutableRowBatch batch;
    for (; batch.size < rows.size(); ++batch.size) {
      batch.rows[batch.size] = rows[batch.size].data();
      batch.values[batch.size] = values[batch.size];
      batch.masks[batch.size] = masks[batch.size].data();
    }
    add_to_rows(batch, z.data(), z.size());
  }

  Index words;
  std::vector<std::vector<double>> rows;
  std::vector<std::vector<std::uint64_t>> masks;
  std::vector<double> values, z, out;
};

// Widths around the sizes of vectors and of the masks' words.
std::vector<Index> widths() {
  std::vector<Index> all;
  for (Index width = 0; width <= 40; ++width) all.push_back(width);
  for (const Index width : std::vector<Index>{63, 64, 65, 66, 71, 127, 128, 129, 131, 200, 257})
    all.push_back(width);
  return all;
}

TEST(RowKernels, AddRowsEqualsTheScalarLoop) {
  for (const Index width : widths()) {
    for (const Index num_rows : {Index{0}, Index{1}, Index{3}, kRowBatch}) {
      RandomRows data(num_rows, width, width + 1000 * num_rows);
      std::vector<double> expected = data.out;
      for (Index r = 0; r < num_rows; ++r) {
        for (Index j = 0; j < width; ++j) expected[j] += data.values[r] * data.rows[r][j];
      }
      data.add_rows_in();
      EXPECT_EQ(data.out, expected) << num_rows << " rows of " << width;
    }
  }
}

TEST(RowKernels, AddToRowsEqualsTheScalarLoopWithAnyMask) {
  for (const Index width : widths()) {
    for (const Index num_rows : {Index{0}, Index{1}, Index{3}, kRowBatch}) {
      RandomRows data(num_rows, width, width + 1000 * num_rows);
      std::vector<std::vector<double>> expected = data.rows;
      for (Index r = 0; r < num_rows; ++r) {
        for (Index j = 0; j < width; ++j) {
          if (data.chosen(r, j)) expected[r][j] += data.values[r] * data.z[j];
        }
      }
      data.add_to_rows_in();
      EXPECT_EQ(data.rows, expected) << num_rows << " rows of " << width;
    }
  }
}

TEST(RowKernels, MaskedTargetsStayZeroWhateverTheirScore) {
  const Index width = 130;
  for (Index only = 0; only < width; ++only) {
    std::vector<double> row(width, 0.0);
    const std::vector<double> z(width, -std::numeric_limits<double>::infinity());
    std::vector<std::uint64_t> mask(3, 0);
    mask[only / 64] = std::uint64_t{1} << (only % 64);
    MutableRowBatch batch;
    batch.size = 1;
    batch.rows[0] = row.data();
    batch.values[0] = 2;
    batch.masks[0] = mask.data();
    add_to_rows(batch, z.data(), width);
    for (Index j = 0; j < width; ++j) EXPECT_EQ(row[j], j == only ? z[j] : 0.0);
  }
}

// A row may occur several times in a batch: an attribute that holds twice at one position.
TEST(RowKernels, ARowThatOccursTwiceIsAddedToTwice) {
  const Index width = 21;
  std::vector<double> row(width, 1.0), z(width);
  for (Index j = 0; j < width; ++j) z[j] = static_cast<double>(j);
  const std::vector<std::uint64_t> mask(1, ~std::uint64_t{0});
  MutableRowBatch batch;
  batch.size = 2;
  for (Index r = 0; r < 2; ++r) {
    batch.rows[r] = row.data();
    batch.values[r] = r == 0 ? 2 : 0.5;
    batch.masks[r] = mask.data();
  }
  add_to_rows(batch, z.data(), width);
  for (Index j = 0; j < width; ++j) EXPECT_EQ(row[j], 1 + 2.5 * z[j]);
}

TEST(RowKernels, NothingBeyondTheWidthIsWritten) {
  for (const Index width : std::vector<Index>{1, 3, 5, 7, 63, 65}) {
    std::vector<double> row(width + 16, 7.0), out(width + 16, 7.0);
    const std::vector<double> z(width + 16, 1.0);
    const std::vector<std::uint64_t> mask(3, ~std::uint64_t{0});
    RowBatch batch;
    batch.size = 1;
    batch.rows[0] = z.data();
    batch.values[0] = 1;
    add_rows(batch, out.data(), width);
    MutableRowBatch mutable_batch;
    mutable_batch.size = 1;
    mutable_batch.rows[0] = row.data();
    mutable_batch.values[0] = 1;
    mutable_batch.masks[0] = mask.data();
    add_to_rows(mutable_batch, z.data(), width);
    for (Index j = 0; j < row.size(); ++j) {
      EXPECT_EQ(row[j], j < width ? 8.0 : 7.0);
      EXPECT_EQ(out[j], j < width ? 8.0 : 7.0);
    }
  }
}

TEST(RowKernels, SameBitsOnEveryTarget) {
  const auto results = on_each_target([] {
    std::vector<std::uint64_t> bits;
    for (const Index width : widths()) {
      RandomRows data(5, width, width);
      data.add_rows_in();
      data.add_to_rows_in();
      for (const double value : data.out) bits.push_back(std::bit_cast<std::uint64_t>(value));
      for (const auto& row : data.rows) {
        for (const double value : row) bits.push_back(std::bit_cast<std::uint64_t>(value));
      }
    }
    return bits;
  });
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

}  // namespace
}  // namespace trellis
