// From pictures and points to shape contexts.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/formats/shapes/point_file.h"
#include "trellis/tasks/match/contour.h"
#include "trellis/tasks/match/edge_features.h"
#include "trellis/tasks/match/shape_context.h"

namespace trellis::match {
namespace {

image::Raster picture(const std::vector<std::string>& rows) {
  image::Raster raster;
  raster.planes.assign(1, image::Plane(rows[0].size(), rows.size()));
  for (Index y = 0; y < rows.size(); ++y) {
    for (Index x = 0; x < rows[y].size(); ++x) {
      raster.planes[0].at(x, y) = rows[y][x] == '#' ? 1.0F : 0.0F;
    }
  }
  return raster;
}

image::Raster disc(Index size, double radius) {
  image::Raster raster;
  raster.planes.assign(1, image::Plane(size, size));
  const double centre = static_cast<double>(size) / 2;
  for (Index y = 0; y < size; ++y) {
    for (Index x = 0; x < size; ++x) {
      const double r =
          std::hypot(static_cast<double>(x) + 0.5 - centre, static_cast<double>(y) + 0.5 - centre);
      raster.planes[0].at(x, y) = r < radius ? 1.0F : 0.0F;
    }
  }
  return raster;
}

TEST(Contour, GoesRoundAPixelClockwiseFromItsTop) {
  const auto contour = trace_contour(figure_of(picture({"...", ".#.", "..."})));
  ASSERT_EQ(contour.size(), 4U);
  const double expected[4][2] = {{1.5, 1}, {2, 1.5}, {1.5, 2}, {1, 1.5}};
  for (Index k = 0; k < 4; ++k) {
    EXPECT_EQ(contour[k].x, expected[k][0]);
    EXPECT_EQ(contour[k].y, expected[k][1]);
  }
}

TEST(Contour, KeepsTheLargestPartAndLeavesOutHoles) {
  const auto contour = trace_contour(
      figure_of(picture({"#.....", "......", "..###.", "..#.#.", "..###.", "......"})));
  EXPECT_EQ(contour.size(), 12U);
  for (const Point& p : contour) EXPECT_TRUE(p.x >= 2 && p.y >= 2);
}

TEST(Contour, DoesNotJoinPixelsThatTouchByACorner) {
  EXPECT_EQ(trace_contour(figure_of(picture({".....", ".##..", "...#.", "....."}))).size(), 6U);
}

TEST(Contour, TakesDarkFiguresOnBrightGround) {
  const auto dark = trace_contour(figure_of(picture({"####", "#..#", "####"})));
  const auto bright = trace_contour(figure_of(picture({"....", ".##.", "...."})));
  ASSERT_EQ(dark.size(), bright.size());
  EXPECT_EQ(dark.front().x, bright.front().x);
}

TEST(Contour, IsEmptyWhereThereIsNoFigure) {
  EXPECT_TRUE(trace_contour(figure_of(picture({"...", "..."}))).empty());
  EXPECT_TRUE(trace_contour(figure_of(picture({"###", "###"}))).empty());
  EXPECT_THROW(sample_contour({}, 3), UsageError);
}

TEST(Contour, SamplesAtEqualDistances) {
  const auto contour = trace_contour(figure_of(disc(80, 30)));
  const auto points = sample_contour(contour, 24);
  ASSERT_EQ(points.size(), 24U);
  EXPECT_EQ(points[0].x, contour[0].x);
  for (Index k = 0; k < 24; ++k) {
    EXPECT_NEAR(std::hypot(points[k].x - 40, points[k].y - 40), 30, 0.8);
    const Point& next = points[(k + 1) % 24];
    EXPECT_NEAR(std::hypot(points[k].x - next.x, points[k].y - next.y),
                2 * 30 * std::sin(std::numbers::pi / 24), 0.8);
  }
}

PointSet random_points(Index count, Random& random) {
  PointSet set;
  for (Index k = 0; k < count; ++k) {
    set.points.push_back({10 * random.normal(), 10 * random.normal()});
    set.ids.push_back(static_cast<std::int64_t>(k));
  }
  return set;
}

TEST(ShapeContext, IsAHistogramOfSharesWhateverTheScaleAndPlace) {
  Random random(1);
  const PointSet set = random_points(15, random);
  PointSet moved = set;
  for (Point& p : moved.points) p = {4 * p.x + 100, 4 * p.y - 7};
  const ContextOptions options;
  const std::vector<float> contexts = shape_contexts(set, options);
  ASSERT_EQ(contexts.size(), 15 * options.num_bins());
  for (Index i = 0; i < 15; ++i) {
    double sum = 0;
    for (Index k = 0; k < options.num_bins(); ++k) {
      sum += static_cast<double>(contexts[i * options.num_bins() + k]);
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  EXPECT_EQ(shape_contexts(moved, options), contexts);
}

TEST(ShapeContext, CountsByRingAndSector) {
  PointSet set;
  set.ids = {0, 1, 2};
  set.points = {{0, 0}, {8, 0.5}, {-4, -0.5}};  // the mean distance is about 8
  ContextOptions options;
  options.rings = 3;
  options.sectors = 4;
  options.inner = 0.25;
  options.outer = 4;  // rings end at 1/4 and 1 mean distances
  const std::vector<float> contexts = shape_contexts(set, options);
  // From the first point: the second lies to the right and a little below, the third to the left
  // and a little above, both in the second ring.
  EXPECT_EQ(contexts[1 * 4 + 2], 0.5F);
  EXPECT_EQ(contexts[1 * 4 + 0], 0.5F);
  // From the third: the second is beyond the mean distance.
  EXPECT_EQ(contexts[2 * 12 + 2 * 4 + 2], 0.5F);
}

TEST(ShapeContext, LooksAtTheOutlineWhereThereIsOne) {
  PointSet set;
  set.ids = {0};
  set.points = {{0, 0}};
  set.outline = {{0, 0}, {1, 1}, {2, 1}, {-3, 1}};
  const std::vector<float> contexts = shape_contexts(set, {});
  float sum = 0;
  for (const float share : contexts) sum += share;
  EXPECT_NEAR(sum, 1, 1e-6);  // of the three that are not the point itself
}

TEST(ShapeContext, RefusesWhatMakesNoHistogram) {
  for (const auto& change : std::vector<std::function<void(ContextOptions&)>>{
           [](ContextOptions& o) { o.rings = 0; }, [](ContextOptions& o) { o.sectors = 5000; },
           [](ContextOptions& o) { o.inner = 0; }, [](ContextOptions& o) { o.outer = 0.1; },
           [](ContextOptions& o) { o.outline = 1; }, [](ContextOptions& o) { o.points = 0; }}) {
    ContextOptions options;
    change(options);
    EXPECT_THROW(options.validate(), UsageError);
  }
}

// Edge features from contexts equal the vectors (5.15) written out.
TEST(EdgeFeatures, OfContextsEqualTheirRows) {
  Random random(2);
  for (const Difference difference : {Difference::kSquared, Difference::kAbsolute}) {
    ContextOptions options;
    options.difference = difference;
    const PointSet a = random_points(6, random);
    const PointSet b = random_points(8, random);
    const EdgeFeatures lazy =
        EdgeFeatures::of_contexts(std::make_shared<const ContextTable>(a, options),
                                  std::make_shared<const ContextTable>(b, options), difference);
    const EdgeFeatures rows = EdgeFeatures::of_rows(FeatureRows::dense(
        options.num_bins(),
        context_differences(shape_contexts(a, options), shape_contexts(b, options), options)));
    ASSERT_EQ(lazy.num_edges(), rows.num_edges());
    ASSERT_EQ(lazy.width(), rows.width());
    std::vector<double> w(rows.width());
    std::vector<double> scale(rows.width());
    for (double& weight : w) weight = random.normal();
    for (double& factor : scale) factor = 0.5 + random.uniform();
    std::vector<double> z(rows.num_edges());
    for (double& mass : z) mass = random.uniform() < 0.5 ? 0 : random.normal();
    EdgeFeatures::ScaledTables made;
    for (const bool scaled : {false, true}) {
      const EdgeFeatures x = scaled ? lazy.scaled(scale, made) : lazy;
      const EdgeFeatures y = scaled ? rows.scaled(scale, made) : rows;
      std::vector<double> s(z.size(), 1.0), t(z.size(), 1.0);
      x.add_scores(w, s);
      y.add_scores(w, t);
      for (Index e = 0; e < s.size(); ++e) EXPECT_NEAR(s[e], t[e], 1e-6);
      std::vector<double> g(w.size(), 0.0), h(w.size(), 0.0), p(w.size(), 0.0), q(w.size(), 0.0);
      x.add_features(z, 2, g);
      y.add_features(z, 2, h);
      std::vector<std::uint32_t> distinct;
      SparseVector slope;
      x.features(z, 2, distinct, slope);
      slope.add_to(p, 1);
      x.add_squares(q);
      for (Index k = 0; k < w.size(); ++k) {
        EXPECT_NEAR(g[k], h[k], 1e-6);
        EXPECT_NEAR(p[k], g[k], 1e-12);
        EXPECT_GE(q[k], 0.0);
      }
    }
  }
}

PointSet read_text(const std::string& text) {
  return read_points(InputFile::from_bytes(text, "p.txt"));
}

std::string points_message(const std::string& text, bool frames) {
  try {
    if (frames) {
      read_frames(InputFile::from_bytes(text, "p.txt"));
    } else {
      read_text(text);
    }
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PointFile, ReadsPointsWithAndWithoutIds) {
  const PointSet plain = read_text("# x y\n1 2\n\n3.5 -4\n");
  EXPECT_EQ(plain.ids, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(plain.points[1].y, -4);
  EXPECT_EQ(read_text("7 1 2\n-3 3 4\n").ids, (std::vector<std::int64_t>{7, -3}));
}

TEST(PointFile, ReadsFrames) {
  const Frames frames = read_frames(
      InputFile::from_bytes("frame\tpoint\tx\ty\n0\t5\t1\t2\n3\t1\t0\t0\n0\t2\t8\t9\n", "p.txt"));
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames.at(0).ids, (std::vector<std::int64_t>{5, 2}));
  EXPECT_EQ(frames.at(3).points.size(), 1U);
}

TEST(PointFile, RefusesWithTheLine) {
  EXPECT_EQ(points_message("", false), "p.txt: expected points, found none");
  EXPECT_NE(points_message("1\n", false).find("p.txt:1: expected 'x y' or 'id x y'"),
            std::string::npos);
  EXPECT_NE(points_message("1 2\n1 2 3\n", false).find("p.txt:2: expected 2 columns"),
            std::string::npos);
  EXPECT_NE(points_message("1 nan\n", false).find("p.txt:1: expected a coordinate"),
            std::string::npos);
  EXPECT_NE(points_message("1 1e200\n", false).find("p.txt:1: expected a coordinate"),
            std::string::npos);
  EXPECT_NE(points_message("1 0 0\n1 2 2\n", false).find("p.txt:2: the point 1 occurs twice"),
            std::string::npos);
  EXPECT_NE(points_message("a\tb\n", true).find("expected the header"), std::string::npos);
  EXPECT_NE(points_message("frame\tpoint\tx\ty\n0\t0\t1\n", true)
                .find("p.txt:2: expected frame, point, x and y"),
            std::string::npos);
  EXPECT_NE(points_message("frame\tpoint\tx\ty\n0\t0\t1\t1\n0\t0\t1\t1\n", true)
                .find("p.txt:3: frame 0 has point 0 twice"),
            std::string::npos);
  EXPECT_NE(points_message("frame\tpoint\tx\ty\n", true).find("expected frames, found none"),
            std::string::npos);
}

}  // namespace
}  // namespace trellis::match
