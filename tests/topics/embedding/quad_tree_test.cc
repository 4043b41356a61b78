#include "trellis/topics/embedding/quad_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "trellis/base/random.h"

namespace trellis::topics::quad_tree_test {
namespace {

QuadTree::Repulsion all_pairs(const std::vector<Point>& points, const Point& from) {
  QuadTree::Repulsion sum;
  for (const Point& p : points) {
    const double dx = from.x - p.x, dy = from.y - p.y, q = 1 / (1 + dx * dx + dy * dy);
    sum.normaliser += q;
    sum.force = {sum.force.x + q * q * dx, sum.force.y + q * q * dy};
  }
  return sum;
}

// Clumps of very different sizes, so that cells of many levels are empty.
std::vector<Point> clumps(Index n) {
  Random random(n);
  std::vector<Point> points(n);
  for (Index i = 0; i < n; ++i) {
    const double spread = i % 3 == 0 ? 40 : 1e-3;
    const auto clump = static_cast<double>(i % 3);
    points[i] = {20 * clump + spread * random.normal(), spread * random.normal()};
  }
  return points;
}

TEST(QuadTree, WithoutCellsEqualsTheSumOverAllPoints) {
  QuadTree tree;
  for (const Index n : {1, 2, 9, 100, 500}) {
    const std::vector<Point> points = clumps(n);
    tree.build(points, 0);
    for (const Point& from : {points[0], points[n / 2], Point{3, -7}}) {
      const QuadTree::Repulsion expected = all_pairs(points, from), found = tree.repulsion(from);
      EXPECT_NEAR(found.normaliser, expected.normaliser, 1e-9 * expected.normaliser);
      EXPECT_NEAR(found.force.x, expected.force.x, 1e-9 * static_cast<double>(n));
      EXPECT_NEAR(found.force.y, expected.force.y, 1e-9 * static_cast<double>(n));
    }
  }
}

TEST(QuadTree, CellsThatAreFarStandForTheirPoints) {
  const std::vector<Point> points = clumps(900);
  QuadTree tree;
  tree.build(points, 0.5);
  for (const Point& from : points) {
    const double expected = all_pairs(points, from).normaliser;
    EXPECT_NEAR(tree.repulsion(from).normaliser, expected, 0.03 * expected);
  }
}

TEST(QuadTree, PointsMayBeTheSame) {
  QuadTree tree;
  const std::vector<Point> same(1000, Point{2, 3});
  for (const double theta : {0.0, 0.5}) {
    tree.build(same, theta);
    const QuadTree::Repulsion found = tree.repulsion(same[0]);
    EXPECT_NEAR(found.normaliser, 1000, 1e-9);
    EXPECT_NEAR(found.force.x, 0, 1e-9);
  }
}

TEST(QuadTree, OrdersAllPoints) {
  const std::vector<Point> points = clumps(200);
  QuadTree tree;
  tree.build(points, 0.5);
  std::vector<std::uint32_t> order(tree.order().begin(), tree.order().end());
  std::sort(order.begin(), order.end());
  for (Index i = 0; i < points.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(QuadTree, NoPointsPushNobody) {
  QuadTree tree;
  tree.build({}, 0.5);
  EXPECT_EQ(tree.repulsion({1, 2}).normaliser, 0);
}

}  // namespace
}  // namespace trellis::topics::quad_tree_test
