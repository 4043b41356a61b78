// Bins and splits against twins that look at every value and every threshold.
#include "trellis/tasks/rank/tree_grower.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "tests/tasks/rank/small_queries.h"
#include "trellis/base/random.h"
#include "trellis/tasks/rank/tree_bins.h"

namespace trellis::rank {
namespace {

using Table = std::vector<std::vector<float>>;  // by row and column

// Columns of few values or many, of which most, some or none are 0.
Table random_table(Index rows, Index columns, Random random) {
  Table table(rows, std::vector<float>(columns));
  for (Index c = 0; c < columns; ++c) {
    const std::uint64_t values = 1 + random.below(c % 2 == 0 ? 4 : 40);
    const double filled = random.uniform();
    for (Index r = 0; r < rows; ++r) {
      if (random.uniform() < filled) {
        table[r][c] = static_cast<float>(random.below(values)) - 2.0F;
      }
    }
  }
  return table;
}

Query as_query(const Table& table) {
  Query query;
  for (const std::vector<float>& row : table) {
    std::vector<IndexedValue> values;
    for (Index c = 0; c < row.size(); ++c) {
      if (row[c] != 0) values.push_back({static_cast<std::uint32_t>(c), row[c]});
    }
    testing::add_document(query, 0, values);
  }
  return query;
}

std::vector<std::uint32_t> all_columns(Index count) {
  std::vector<std::uint32_t> indices(count);
  for (Index c = 0; c < count; ++c) indices[c] = static_cast<std::uint32_t>(c);
  return indices;
}

TreeBins bins_of(const Table& table, Index max_bins) {
  const Query query = as_query(table);
  return TreeBins(all_columns(table[0].size()), {&query, 1}, max_bins);
}

std::vector<Slope> random_slopes(Index rows, Random random) {
  std::vector<Slope> slopes(rows);
  for (Slope& slope : slopes) slope = {random.normal(), random.uniform()};
  return slopes;
}

// The merit of the best split of some rows by one question, over all thresholds of all columns.
double best_gain(const Table& table, std::span<const Slope> slopes, const std::vector<Index>& rows,
                 const TreeShape& shape) {
  const auto merit = [&](const std::vector<Index>& some) {
    double g = 0, h = 0;
    for (const Index r : some) {
      g += slopes[r].gradient;
      h += slopes[r].curvature;
    }
    return 0.5 * g * g / (h + shape.ridge);
  };
  double best = 0;
  for (Index c = 0; c < table[0].size(); ++c) {
    for (const Index at : rows) {
      std::vector<Index> left, right;
      for (const Index r : rows) (table[r][c] <= table[at][c] ? left : right).push_back(r);
      if (left.size() < shape.fewest || right.size() < shape.fewest) continue;
      best = std::max(best, merit(left) + merit(right) - merit(rows));
    }
  }
  return best;
}

RC_GTEST_PROP(TreeBins, KeepTheOrderOfValuesAndSpreadThemEvenly, (std::uint64_t seed)) {
  Random random(seed);
  const Table table = random_table(2 + random.below(60), 1 + random.below(40), Random(seed, 1));
  const Index most = 2 + random.below(20);
  const TreeBins bins = bins_of(table, most);
  RC_ASSERT(bins.num_rows() == table.size() && bins.num_columns() == table[0].size());
  for (Index c = 0; c < table[0].size(); ++c) {
    std::set<float> values;
    std::map<Index, Index> sizes;
    for (Index r = 0; r < table.size(); ++r) {
      values.insert(table[r][c]);
      ++sizes[bins.bin(r, c)];
    }
    RC_ASSERT(bins.num_bins(c) <= most);
    if (values.size() <= most) RC_ASSERT(bins.num_bins(c) == values.size());
    for (Index r = 0; r < table.size(); ++r) {
      const Index bin = bins.bin(r, c);
      RC_ASSERT(bin < bins.num_bins(c));
      if (bin > 0) RC_ASSERT(table[r][c] > bins.threshold(c, bin - 1));
      if (bin + 1 < bins.num_bins(c)) RC_ASSERT(table[r][c] <= bins.threshold(c, bin));
    }
    RC_ASSERT(sizes.size() == bins.num_bins(c));
  }
}

TEST(TreeBins, ThresholdsOfNeighbouringFloatsPartThem) {
  const float one = 1, next = std::nextafter(1.0F, 2.0F);
  const float huge = std::numeric_limits<float>::max();
  const TreeBins bins = bins_of({{one}, {next}, {huge}, {-huge}}, 255);
  ASSERT_EQ(bins.num_bins(0), 4);
  EXPECT_EQ(bins.threshold(0, 1), one);
  EXPECT_TRUE(std::isfinite(bins.threshold(0, 0)) && std::isfinite(bins.threshold(0, 2)));
}

RC_GTEST_PROP(TreeGrower, FindsTheSplitsThatAnExhaustiveSearchFinds, (std::uint64_t seed)) {
  Random random(seed);
  const Table table = random_table(4 + random.below(50), 1 + random.below(36), Random(seed, 1));
  const std::vector<Slope> slopes = random_slopes(table.size(), Random(seed, 2));
  const TreeBins bins = bins_of(table, 255);  // more than there are values
  const TreeShape shape{2 + random.below(6), 1 + random.below(6), 0.1 + random.uniform()};
  TreeGrower grower(bins, shape, 1);
  grower.grow(slopes);
  const Trees& tree = grower.tree();

  // Grown again, leaf by leaf, by the twin.
  std::vector<std::vector<Index>> leaves(1);
  for (Index r = 0; r < table.size(); ++r) leaves[0].push_back(r);
  Index nodes = 0;
  while (leaves.size() < shape.leaves) {
    double best = 0;
    for (const auto& rows : leaves) best = std::max(best, best_gain(table, slopes, rows, shape));
    if (nodes == tree.num_nodes()) {
      RC_ASSERT(best < 1e-9);
      break;
    }
    RC_ASSERT(std::abs(best - static_cast<double>(tree.gains[nodes])) < 1e-5 * (1 + best));
    // The rows of the node are those of one leaf so far, and its split gains as much.
    const auto question = [&](Index r) {
      return table[r][tree.columns[nodes]] <= tree.thresholds[nodes];
    };
    bool found = false;
    for (Index k = 0; k < leaves.size() && !found; ++k) {
      if (best_gain(table, slopes, leaves[k], shape) < best - 1e-5 * (1 + best)) continue;
      std::vector<Index> left, right;
      for (const Index r : leaves[k]) (question(r) ? left : right).push_back(r);
      if (left.size() < shape.fewest || right.size() < shape.fewest) continue;
      leaves[k] = left;
      leaves.push_back(right);
      found = true;
    }
    RC_ASSERT(found);
    ++nodes;
  }
  RC_ASSERT(nodes == tree.num_nodes());
  if (nodes == 0) return;
  RC_ASSERT(tree.valid(table[0].size()));

  // Rows go to the same leaf by bin and by value, and its value minimises the quadratic.
  std::vector<double> g(tree.num_leaves()), h(tree.num_leaves());
  for (Index r = 0; r < table.size(); ++r) {
    const Index leaf = grower.leaf(r);
    RC_ASSERT(tree.leaf(0, table[r]) == leaf);
    g[leaf] += slopes[r].gradient;
    h[leaf] += slopes[r].curvature;
  }
  for (Index k = 0; k < tree.num_leaves(); ++k) {
    RC_ASSERT(std::abs(grower.values()[k] + g[k] / (h[k] + shape.ridge)) < 1e-9);
  }
}

TEST(TreeGrower, ThreadsDoNotChangeABit) {
  const Table table = random_table(3000, 60, Random(1));
  const std::vector<Slope> slopes = random_slopes(table.size(), Random(2));
  const TreeBins bins = bins_of(table, 64);
  TreeGrower one(bins, {12, 5, 1}, 1), three(bins, {12, 5, 1}, 3);
  for (int round = 0; round < 2; ++round) {  // memory is used again
    one.grow(slopes);
    three.grow(slopes);
    ASSERT_EQ(one.tree().num_nodes(), 11);
    EXPECT_EQ(one.tree().columns, three.tree().columns);
    EXPECT_EQ(one.tree().thresholds, three.tree().thresholds);
    EXPECT_EQ(one.tree().children, three.tree().children);
    EXPECT_EQ(one.tree().gains, three.tree().gains);
    EXPECT_TRUE(std::ranges::equal(one.values(), three.values()));
  }
}

TEST(TreeGrower, GrowsNothingWhereNothingCanBeGained) {
  const Table table = random_table(30, 3, Random(3));
  const TreeBins bins = bins_of(table, 255);
  TreeGrower grower(bins, {8, 1, 1}, 1);
  grower.grow(std::vector<Slope>(30));
  EXPECT_EQ(grower.tree().size(), 0);
  TreeGrower crowded(bins, {8, 16, 1}, 1);  // two leaves of 16 need 32 rows
  crowded.grow(random_slopes(30, Random(4)));
  EXPECT_EQ(crowded.tree().size(), 0);
}

}  // namespace
}  // namespace trellis::rank
