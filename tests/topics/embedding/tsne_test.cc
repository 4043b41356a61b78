#include "trellis/topics/embedding/tsne.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/topics/embedding/tsne_gradient.h"

namespace trellis::topics::tsne_test {
namespace {

std::vector<float> noise(Index n, Index dimensions, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> points(n * dimensions);
  for (float& x : points) x = static_cast<float>(random.uniform());
  return points;
}

// Three clouds that are far from each other, point i in cloud i % 3.
std::vector<float> clouds(Index n, Index dimensions) {
  std::vector<float> points = noise(n, dimensions, 5);
  for (Index i = 0; i < n; ++i) points[i * dimensions + i % 3] += 6.0F;
  return points;
}

std::vector<Point> random_places(Index n, double spread) {
  Random random(11);
  std::vector<Point> places(n);
  for (Point& place : places) place = {spread * random.normal(), spread * random.normal()};
  return places;
}

Affinities some_affinities(Index n) {
  return affinities(nearest_neighbours(noise(n, 5, 3), 5, 15, 1), 5, 1);
}

double kernel(const Point& a, const Point& b) {
  return 1 / (1 + (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

// Straight from the definitions, over all pairs.
struct Exact {
  double normaliser = 0;
  double divergence = 0;
  std::vector<Point> gradient;  // without the factor 4
};
Exact exact(const Affinities& p, const std::vector<Point>& y) {
  const Index n = y.size();
  Exact out;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (i != j) out.normaliser += kernel(y[i], y[j]);
    }
  }
  out.gradient.resize(n);
  for (Index i = 0; i < n; ++i) {
    std::vector<double> row(n, 0.0);
    for (std::uint64_t e = p.begin[i]; e < p.begin[i + 1]; ++e) {
      row[p.ids[e]] = static_cast<double>(p.values[e]);
    }
    for (Index j = 0; j < n; ++j) {
      if (i == j) continue;
      const double w = kernel(y[i], y[j]), q = w / out.normaliser;
      if (row[j] > 0) out.divergence += row[j] * std::log(row[j] / q);
      out.gradient[i].x += (row[j] - q) * w * (y[i].x - y[j].x);
      out.gradient[i].y += (row[j] - q) * w * (y[i].y - y[j].y);
    }
  }
  return out;
}

double norm(const std::vector<Point>& v) {
  double squares = 0;
  for (const Point& p : v) squares += p.x * p.x + p.y * p.y;
  return std::sqrt(squares);
}

TEST(TsneGradient, WithoutCellsEqualsTheSumOverAllPairs) {
  const Affinities p = some_affinities(80);
  for (const double spread : {1e-4, 1.0, 30.0}) {
    const std::vector<Point> y = random_places(80, spread);
    QuadTree tree;
    TsneGradient found;
    tsne_gradient(p, y, 1, 0, 1, tree, found);
    const Exact all = exact(p, y);
    EXPECT_NEAR(found.normaliser, all.normaliser, 1e-9 * all.normaliser);
    EXPECT_NEAR(tsne_divergence(p, y, found.normaliser, 1), all.divergence, 1e-9);
    for (Index i = 0; i < y.size(); ++i) {
      EXPECT_NEAR(found.gradient[i].x, all.gradient[i].x, 1e-12 * spread);
      EXPECT_NEAR(found.gradient[i].y, all.gradient[i].y, 1e-12 * spread);
    }
  }
}

TEST(TsneGradient, IsTheSlopeOfTheDivergence) {
  const Affinities p = some_affinities(30);
  std::vector<Point> y = random_places(30, 1);
  QuadTree tree;
  TsneGradient found;
  tsne_gradient(p, y, 1, 0, 1, tree, found);
  const double h = 1e-5;
  for (const Index i : {Index{0}, Index{7}, Index{29}}) {
    std::vector<Point> up = y, down = y;
    up[i].x += h;
    down[i].x -= h;
    const double slope = (exact(p, up).divergence - exact(p, down).divergence) / (2 * h);
    // 4 (Σ p − q …): the values of p are floats, and add up to 1 but for their rounding.
    EXPECT_NEAR(4 * found.gradient[i].x, slope, 1e-6);
  }
}

TEST(TsneGradient, CellsComeCloseToIt) {
  const Affinities p = some_affinities(600);
  const std::vector<Point> y = random_places(600, 10);
  QuadTree tree;
  TsneGradient found;
  tsne_gradient(p, y, 1, 0.5, 1, tree, found);
  const Exact all = exact(p, y);
  EXPECT_NEAR(found.normaliser, all.normaliser, 0.01 * all.normaliser);
  std::vector<Point> error(y.size());
  for (Index i = 0; i < y.size(); ++i) {
    error[i] = {found.gradient[i].x - all.gradient[i].x, found.gradient[i].y - all.gradient[i].y};
  }
  EXPECT_LT(norm(error), 0.03 * norm(all.gradient));
}

TEST(Tsne, TheDivergenceFalls) {
  TsneOptions options;
  options.perplexity = 10;
  const Embedding found = tsne(clouds(150, 8), 8, options);
  ASSERT_GE(found.history.size(), 3U);
  EXPECT_EQ(found.history.back().iteration, options.iterations);
  EXPECT_LT(found.history.back().divergence, 0.5 * found.history.front().divergence);
  for (Index r = 6; r < found.history.size(); ++r) {  // once p is no longer exaggerated
    EXPECT_LT(found.history[r].divergence, found.history[r - 1].divergence + 1e-3);
  }
}

TEST(Tsne, PlantedClustersComeApart) {
  TsneOptions options;
  options.perplexity = 10;
  const Index n = 150;
  const std::vector<Point> y = tsne(clouds(n, 8), 8, options).places;
  for (Index i = 0; i < n; ++i) {
    Index nearest = i == 0 ? 1 : 0;
    for (Index j = 0; j < n; ++j) {
      if (j != i && kernel(y[i], y[j]) > kernel(y[i], y[nearest])) nearest = j;
    }
    EXPECT_EQ(nearest % 3, i % 3) << i;
  }
}

TEST(Tsne, SameBitsForAnyNumberOfThreads) {
  TsneOptions options;
  options.perplexity = 8;
  options.iterations = 300;
  const std::vector<float> points = clouds(700, 5);
  const Embedding one = tsne(points, 5, options);
  for (const int threads : {2, 3}) {
    options.threads = threads;
    const Embedding many = tsne(points, 5, options);
    for (Index i = 0; i < one.places.size(); ++i) {
      ASSERT_EQ(one.places[i].x, many.places[i].x);
      ASSERT_EQ(one.places[i].y, many.places[i].y);
    }
    EXPECT_EQ(one.history.back().divergence, many.history.back().divergence);
  }
}

TEST(Tsne, FewOrEqualPointsHavePlaces) {
  TsneOptions options;
  options.iterations = 60;
  for (const Index n : {0, 1, 2, 3, 5, 40}) {
    const std::vector<float> same(n * 4, 0.5F);
    const Embedding found = tsne(same, 4, options);
    ASSERT_EQ(found.places.size(), n);
    for (const Point& place : found.places) {
      EXPECT_TRUE(std::isfinite(place.x) && std::isfinite(place.y));
    }
  }
}

TEST(Tsne, EndsWhenItIsTold) {
  TsneOptions options;
  options.on_iteration = [](int iteration) { return iteration < 7; };
  const Embedding found = tsne(clouds(30, 4), 4, options);
  EXPECT_EQ(found.history.back().iteration, 7);
}

TEST(Tsne, EndsWhileItLooksForNeighbours) {
  TsneOptions options;
  options.on_neighbours = [](Index points) {
    EXPECT_GT(points, 0U);
    return false;
  };
  options.on_iteration = [](int) {
    ADD_FAILURE() << "there is nothing to go on with";
    return true;
  };
  const std::vector<float> points = {0, 0, 1, 0, 0, 1, 5, 5};
  const Embedding found = tsne(points, 2, options);
  EXPECT_EQ(found.places.size(), 4U);
  EXPECT_TRUE(found.history.empty());
}

TEST(Tsne, RefusesWhatMakesNoSense) {
  const std::vector<float> points(12, 1.0F);
  EXPECT_THROW(tsne(points, 5, {}), UsageError);
  EXPECT_THROW(tsne(points, 0, {}), UsageError);
  std::vector<float> broken = points;
  broken[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(tsne(broken, 3, {}), UsageError);
  const auto with = [](auto change) {
    TsneOptions options;
    change(options);
    return options;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(tsne(points, 3, with([&](TsneOptions& o) { o.perplexity = nan; })), UsageError);
  EXPECT_THROW(tsne(points, 3, with([](TsneOptions& o) { o.theta = -1; })), UsageError);
  EXPECT_THROW(tsne(points, 3, with([](TsneOptions& o) { o.iterations = -1; })), UsageError);
}

}  // namespace
}  // namespace trellis::topics::tsne_test
