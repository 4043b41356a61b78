#include "trellis/solve/matchings/matching_projection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/solve/vectors/each_target.h"
#include "trellis/base/random.h"

namespace trellis::matching_projection_test {
namespace {

enum class Kind {
  kNormal,
  kWide,
  kUniform,
  kTiny,
  kHuge,
  kHugeTies,
  kTies,
  kClusters,
  kNearVertex
};
constexpr Kind kKinds[] = {Kind::kNormal, Kind::kWide,     Kind::kUniform,
                           Kind::kTiny,   Kind::kHuge,     Kind::kHugeTies,
                           Kind::kTies,   Kind::kClusters, Kind::kNearVertex};

double draw(Kind kind, Index i, Index j, Random& random) {
  switch (kind) {
    case Kind::kNormal:
      return random.normal();
    case Kind::kWide:
      return 10 * random.normal();
    case Kind::kUniform:
      return random.uniform();
    case Kind::kTiny:
      return 1e-6 * random.normal();
    case Kind::kHuge:
      return 1e6 * random.normal();
    case Kind::kHugeTies:
      return 1e6 * (static_cast<double>(random.below(3)) - 1);
    case Kind::kTies:
      return static_cast<double>(random.below(3)) - 1;
    case Kind::kClusters:
      return (i % 3 == j % 3 ? 1.0 : 0.0) + 1e-3 * random.normal();
    case Kind::kNearVertex:
      return (i == j ? 1.0 : 0.0) + 0.1 * random.normal();
  }
  return 0;
}

struct Instance {
  BipartiteGraph graph;
  std::vector<Index> begin;
  std::vector<std::uint32_t> column;
  std::vector<double> v;

  // Every pair is an edge with this probability; the graph is complete where that is 1.
  Instance(Index rows, Index columns, double density, Kind kind, Random& random) {
    begin = {0};
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) {
        if (density < 1 && random.uniform() >= density) continue;
        column.push_back(static_cast<std::uint32_t>(j));
        v.push_back(draw(kind, i, j, random));
      }
      begin.push_back(column.size());
    }
    if (density < 1) {
      graph = {rows, columns, begin, column};
    } else {
      graph = {rows, columns, {}, {}};
    }
  }
  Instance(const Instance&) = delete;

  double size() const {
    double largest = 1;
    for (const double x : v) largest = std::max(largest, std::abs(x));
    return largest;
  }
};

void check_feasible(const Instance& instance, Cover cover, const std::vector<double>& z) {
  const BipartiteGraph& graph = instance.graph;
  std::vector<double> rows(graph.rows, 0.0), columns(graph.columns, 0.0);
  for (Index i = 0; i < graph.rows; ++i) {
    for (Index e = instance.begin[i]; e < instance.begin[i + 1]; ++e) {
      EXPECT_GE(z[e], 0.0);
      rows[i] += z[e];
      columns[instance.column[e]] += z[e];
    }
  }
  const auto check = [&](const std::vector<double>& sums, bool covered) {
    for (const double sum : sums) {
      if (covered) {
        EXPECT_NEAR(sum, 1.0, 1e-11);
      } else {
        EXPECT_LE(sum, 1 + 1e-14);
      }
    }
  };
  check(rows, cover == Cover::kPerfect && graph.rows <= graph.columns);
  check(columns, cover == Cover::kPerfect && graph.columns <= graph.rows);
}

// Returns whether the polytope has a point.
bool check_projection(const Instance& instance, Cover cover, MatchingProjector& projector) {
  std::vector<double> z(instance.v.size(), std::nan(""));
  const ProjectionResult result = projector.project(instance.graph, instance.v, cover, z);
  if (result.status == ProjectionStatus::kEmpty) return false;
  EXPECT_EQ(result.status, ProjectionStatus::kOptimal) << result.residual;
  EXPECT_LE(matching_kkt_residual(instance.graph, instance.v, cover, z, projector.row_duals(),
                                  projector.column_duals()),
            1e-11);
  check_feasible(instance, cover, z);
  return true;
}

TEST(MatchingProjection, SatisfiesTheOptimalityConditionsOnCompleteGraphs) {
  MatchingProjector projector;
  for (std::uint64_t seed = 0; seed < 900; ++seed) {
    Random random(seed);
    const Kind kind = kKinds[seed % std::size(kKinds)];
    const Instance instance(random.below(25), random.below(25), 1, kind, random);
    for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
      EXPECT_TRUE(check_projection(instance, cover, projector));
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(MatchingProjection, SatisfiesTheOptimalityConditionsOnSparseGraphs) {
  MatchingProjector projector;
  Index perfect = 0;
  for (std::uint64_t seed = 0; seed < 1800; ++seed) {
    Random random(seed, 1);
    const Kind kind = kKinds[seed % std::size(kKinds)];
    const Instance instance(random.below(20), random.below(20), 0.8 * random.uniform(), kind,
                            random);
    EXPECT_TRUE(check_projection(instance, Cover::kPartial, projector));
    perfect += check_projection(instance, Cover::kPerfect, projector) ? 1 : 0;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(perfect, 400u);
  EXPECT_LT(perfect, 1700u);
}

TEST(MatchingProjection, SatisfiesTheOptimalityConditionsWhereThereAreManyNodes) {
  MatchingProjector projector;
  for (const Kind kind : kKinds) {
    Random random(4);
    const Instance square(120, 120, 1, kind, random);
    const Instance flat(40, 300, 1, kind, random);
    const Instance sparse(600, 700, 0.01, kind, random);
    for (const Instance* instance : {&square, &flat, &sparse}) {
      EXPECT_TRUE(check_projection(*instance, Cover::kPartial, projector));
      if (instance != &sparse) {
        EXPECT_TRUE(check_projection(*instance, Cover::kPerfect, projector));
      }
    }
    ASSERT_FALSE(HasFailure()) << "kind " << static_cast<int>(kind);
  }
}

TEST(MatchingProjection, LeavesPointsOfThePolytopeWhereTheyAre) {
  MatchingProjector projector;
  Random random(9);
  for (Index trial = 0; trial < 50; ++trial) {
    const Instance instance(12, 12, 1, Kind::kNormal, random);
    for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
      std::vector<double> z(144), again(144);
      ASSERT_EQ(projector.project(instance.graph, instance.v, cover, z).status,
                ProjectionStatus::kOptimal);
      ASSERT_EQ(projector.project(instance.graph, z, cover, again).status,
                ProjectionStatus::kOptimal);
      for (Index e = 0; e < z.size(); ++e) EXPECT_NEAR(again[e], z[e], 1e-14);
    }
  }
}

TEST(MatchingProjection, IsTheBestMatchingWhereThatIsFarBetterThanAllOthers) {
  Random random(10);
  const Instance instance(15, 20, 1, Kind::kHuge, random);
  AssignmentSolver solver;
  MatchingProjector projector;
  for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
    std::vector<double> z(instance.v.size());
    ASSERT_TRUE(solver.solve(instance.graph, instance.v, cover));
    ASSERT_EQ(projector.project(instance.graph, instance.v, cover, z).status,
              ProjectionStatus::kOptimal);
    for (Index e = 0; e < z.size(); ++e) {
      const bool chosen = solver.column_of_row()[e / 20] == static_cast<Label>(e % 20);
      EXPECT_NEAR(z[e], chosen ? 1 : 0, 1e-9);
    }
  }
}

TEST(MatchingProjection, LeavesOnlyPositivePartsWhereNothingBinds) {
  const std::vector<double> v = {0.1, -3, 0.2, 0.3, 0.25, -1e9};
  std::vector<double> z(6);
  MatchingProjector projector;
  ASSERT_EQ(projector.project({2, 3, {}, {}}, v, Cover::kPartial, z).status,
            ProjectionStatus::kOptimal);
  EXPECT_EQ(z, (std::vector<double>{0.1, 0, 0.2, 0.3, 0.25, 0}));
}

TEST(MatchingProjection, ReportsThatThereIsNoPerfectMatchingAndLeavesZAlone) {
  const std::vector<Index> begin = {0, 1, 2};
  const std::vector<std::uint32_t> column = {0, 0};
  const std::vector<double> v = {1, 2};
  std::vector<double> z = {7, 8};
  MatchingProjector projector;
  EXPECT_EQ(projector.project({2, 2, begin, column}, v, Cover::kPerfect, z).status,
            ProjectionStatus::kEmpty);
  EXPECT_EQ(z, (std::vector<double>{7, 8}));
  EXPECT_EQ(projector.project({2, 2, begin, column}, v, Cover::kPartial, z).status,
            ProjectionStatus::kOptimal);
  EXPECT_EQ(z, (std::vector<double>{0, 1}));
}

TEST(MatchingProjection, ResultsDependNeitherOnVectorsNorOnMemoryNorOnWhatWasProjectedBefore) {
  Random random(11);
  const Instance instance(60, 50, 1, Kind::kNormal, random);
  const Instance other(20, 70, 0.5, Kind::kTies, random);
  MatchingProjector used;
  std::vector<double> scratch(other.v.size());
  const auto compute = [&] {
    EXPECT_EQ(used.project(other.graph, other.v, Cover::kPartial, scratch).status,
              ProjectionStatus::kOptimal);
    std::vector<double> z = instance.v;
    EXPECT_EQ(used.project(instance.graph, z, Cover::kPerfect, z).status,
              ProjectionStatus::kOptimal);
    return z;
  };
  std::vector<double> expected(instance.v.size());
  MatchingProjector fresh;
  ASSERT_EQ(fresh.project(instance.graph, instance.v, Cover::kPerfect, expected).status,
            ProjectionStatus::kOptimal);
  for (const std::vector<double>& z : on_each_target(compute)) EXPECT_EQ(z, expected);
}

TEST(MatchingProjection, TheResidualNoticesEveryKindOfViolation) {
  const std::vector<double> v = {1, 0.5, 0.5, 1};
  const std::vector<double> one = {1, 0, 0, 1}, zero = {0, 0};
  const BipartiteGraph graph = {2, 2, {}, {}};
  const auto residual = [&](std::vector<double> z, std::vector<double> alpha) {
    return matching_kkt_residual(graph, v, Cover::kPartial, z, alpha, zero);
  };
  MatchingProjector projector;
  std::vector<double> z(4);
  ASSERT_EQ(projector.project(graph, v, Cover::kPartial, z).status, ProjectionStatus::kOptimal);
  EXPECT_EQ(z, (std::vector<double>{0.75, 0.25, 0.25, 0.75}));
  EXPECT_LE(residual(z, {0.25, 0.25}), 1e-15);
  EXPECT_NEAR(residual(one, {0.25, 0.25}), 0.25, 1e-15);            // z is not that of the duals
  EXPECT_NEAR(residual({1, 0.5, 0.5, 1}, {0, 0}), 0.5, 1e-15);      // too large a sum
  EXPECT_NEAR(residual({0.5, 0, 0, 0.5}, {0.5, 0.5}), 0.5, 1e-15);  // a dual that does not bind
}

}  // namespace
}  // namespace trellis::matching_projection_test
