#include "trellis/solve/polytopes/polytope_projection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/solve/polytopes/simplex_projection.h"

namespace trellis {
namespace {

std::vector<double> draw_point(Random& random, Index size, double scale) {
  std::vector<double> v(size);
  for (double& value : v) value = scale * random.normal();
  return v;
}

double value_of(const LinearProgram::Row& row, const std::vector<double>& z) {
  double sum = 0;
  for (const auto& term : row.terms) sum += term.coefficient * z[term.variable];
  return sum;
}

// Rows of all kinds around a point z ≥ 0 with some zeros, which so lies in the polytope; one of
// them bounds it. Small whole coefficients make ties and redundant rows common.
LinearProgram random_polytope(Random& random) {
  LinearProgram program;
  const Index n = 1 + random.below(7), m = random.below(6);
  program.num_parts = program.num_variables = n;
  std::vector<double> inside(n);
  for (double& value : inside) value = random.below(3) == 0 ? 0.0 : 2 * random.uniform();
  for (Index i = 0; i < m; ++i) {
    LinearProgram::Row row;
    for (Index p = 0; p < n; ++p) {
      const double coefficient = static_cast<double>(random.below(5)) - 2;
      if (coefficient != 0) row.terms.push_back({p, coefficient});
    }
    const double value = value_of(row, inside);
    const Index kind = random.below(4);
    row.lower = kind == 1 ? -kInfinity : kind == 3 ? value - random.uniform() : value;
    row.upper = kind == 2 ? kInfinity : kind == 3 ? value + random.uniform() : value;
    program.rows.push_back(row);
    if (random.below(5) == 0) program.rows.push_back(row);
  }
  LinearProgram::Row total{{}, -kInfinity, 20};
  for (Index p = 0; p < n; ++p) total.terms.push_back({p, 1.0});
  program.rows.push_back(total);
  if (random.below(2) == 0) {
    for (const double value : inside) {
      program.upper_bounds.push_back(random.below(3) == 0 ? value : value + random.uniform());
    }
  }
  return program;
}

// z lies in the polytope, and nothing in it lies further in the direction of v − z.
void expect_nearest(const LinearProgram& program, const std::vector<double>& v,
                    const std::vector<double>& z) {
  double size = 1;
  for (const double value : v) size = std::max(size, std::abs(value));
  std::vector<double> direction(v.size());
  double reached = 0;
  for (Index p = 0; p < z.size(); ++p) {
    ASSERT_GE(z[p], 0);
    if (!program.upper_bounds.empty()) {
      ASSERT_LE(z[p], program.upper_bounds[p]);
    }
    direction[p] = v[p] - z[p];
    reached += direction[p] * z[p];
  }
  for (const LinearProgram::Row& row : program.rows) {
    EXPECT_GE(value_of(row, z), row.lower - 1e-9 * size);
    EXPECT_LE(value_of(row, z), row.upper + 1e-9 * size);
  }
  const LpSolution furthest = maximize_linear_program(program, direction);
  ASSERT_EQ(furthest.status, LpStatus::kOptimal);
  // Clp's rows hold to 1e-7, and this is that times a multiplier.
  EXPECT_NEAR(furthest.value, reached, 2e-5 * size);
}

TEST(PolytopeProjection, SatisfiesTheKktConditions) {
  Index factorizations = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const LinearProgram program = random_polytope(random);
    PolytopeProjection projection(program);
    std::vector<double> z(program.num_parts);
    for (const double scale : {1e-2, 1.0, 30.0, 1e3, 1e6}) {
      const std::vector<double> v = draw_point(random, z.size(), scale);
      const ProjectionResult result = projection.project(v, z);
      ASSERT_EQ(result.status, ProjectionStatus::kOptimal) << scale << " " << result.residual;
      EXPECT_LE(result.residual, 1e-10);
      factorizations = std::max(factorizations, result.factorizations);
      expect_nearest(program, v, z);
    }
    if (HasFailure()) return;
  }
  EXPECT_LE(factorizations, 150u);  // far from the limit, where steps are cut off
}

TEST(PolytopeProjection, OnASimplexIsTheSimplexProjection) {
  Random random(2);
  std::vector<double> memory;
  for (Index i = 0; i < 200; ++i) {
    const Index n = 1 + random.below(20);
    LinearProgram program;
    program.num_parts = program.num_variables = n;
    LinearProgram::Row total{{}, 3, 3};
    for (Index p = 0; p < n; ++p) total.terms.push_back({p, 1.0});
    program.rows.push_back(total);
    const double scale = std::pow(10.0, static_cast<double>(i % 8) - 1);
    const std::vector<double> v = draw_point(random, n, scale);
    std::vector<double> z(n), expected(n);
    EXPECT_EQ(PolytopeProjection(program).project(v, z).status, ProjectionStatus::kOptimal);
    project_simplex(v, 3, expected, memory);
    for (Index p = 0; p < n; ++p) EXPECT_NEAR(z[p], expected[p], 1e-12 * (1 + scale));
  }
}

TEST(PolytopeProjection, PointsOfThePolytopeStay) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed, 3);
    const LinearProgram program = random_polytope(random);
    PolytopeProjection projection(program);
    std::vector<double> z(program.num_parts), again(program.num_parts);
    projection.project(draw_point(random, z.size(), 3), z);
    projection.project(z, again);
    for (Index p = 0; p < z.size(); ++p) EXPECT_NEAR(z[p], again[p], 1e-9);
  }
}

TEST(PolytopeProjection, DoesNotRememberWhatCameBefore) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed, 4);
    const LinearProgram program = random_polytope(random);
    const std::vector<double> v = draw_point(random, program.num_parts, 10);
    std::vector<double> fresh(v.size()), later(v.size());
    PolytopeProjection(program).project(v, fresh);
    PolytopeProjection projection(program);
    projection.project(draw_point(random, v.size(), 1e4), later);
    projection.project(v, later);
    EXPECT_EQ(fresh, later);
  }
}

TEST(PolytopeProjection, WorksInPlace) {
  LinearProgram program;
  program.num_parts = program.num_variables = 2;
  program.rows.push_back({{{0, 1.0}, {1, 1.0}}, 1, 1});
  std::vector<double> z = {2, 1.5};
  PolytopeProjection(program).project(z, z);
  EXPECT_NEAR(z[0], 0.75, 1e-12);
  EXPECT_NEAR(z[1], 0.25, 1e-12);
}

TEST(PolytopeProjection, WithoutRowsClips) {
  LinearProgram program;
  program.num_parts = program.num_variables = 3;
  program.upper_bounds = {1, 1, 0};
  std::vector<double> z(3);
  const ProjectionResult result =
      PolytopeProjection(program).project(std::vector<double>{-1, 0.5, 9}, z);
  EXPECT_EQ(result.status, ProjectionStatus::kOptimal);
  EXPECT_EQ(z, (std::vector<double>{0, 0.5, 0}));
}

// Rows at odds with themselves, with a bound, and with each other.
TEST(PolytopeProjection, EmptyPolytopesAreToldApart) {
  LinearProgram program;
  program.num_parts = program.num_variables = 3;
  const std::vector<LinearProgram::Term> all = {{0, 1.0}, {1, 1.0}, {2, 1.0}};
  std::vector<std::vector<LinearProgram::Row>> cases = {
      {{all, -1, -1}},
      {{all, 0, 0}, {{{0, 1.0}, {1, -1.0}}, 1, 1}},
      {{all, 1, 1}, {all, 2, 2}},
      {{all, -kInfinity, 1}, {{{0, 1.0}, {1, 1.0}}, 2, kInfinity}},
      {{all, 4, 4}},
  };
  std::vector<double> z(3);
  for (Index i = 0; i < cases.size(); ++i) {
    program.rows = cases[i];
    program.upper_bounds.assign(3, i == 4 ? 1.0 : kInfinity);
    for (const double scale : {0.0, 1.0, 1e5}) {
      const std::vector<double> v = {scale, -scale, 2 * scale};
      EXPECT_EQ(PolytopeProjection(program).project(v, z).status, ProjectionStatus::kEmpty)
          << "case " << i << " scale " << scale;
      EXPECT_EQ(z, std::vector<double>(3, 0.0));
    }
  }
}

TEST(PolytopeProjection, AuxiliaryVariablesAreRefused) {
  LinearProgram program;
  program.num_parts = 1;
  program.num_variables = 2;
  program.rows.push_back({{{0, 1.0}, {1, -1.0}}, 0, 0});
  EXPECT_THROW(PolytopeProjection{program}, UsageError);
}

TEST(ProjectionCache, AsksForAProgramOnceWhileItIsAmongTheLast) {
  ProjectionCache cache;
  Index built = 0;
  const auto project = [&](std::uint32_t n) {
    const std::vector<std::uint32_t> key = {n};
    PolytopeProjection& projection = cache.find(key, [&] {
      ++built;
      LinearProgram program;
      program.num_parts = program.num_variables = n;
      program.rows.push_back({{{n - 1, 1.0}}, 1, 1});
      return program;
    });
    std::vector<double> z(n);
    projection.project(z, z);
    EXPECT_NEAR(z.back(), 1.0, 1e-12);
  };
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t n = 1; n <= ProjectionCache::kCapacity; ++n) project(n);
  }
  EXPECT_EQ(built, ProjectionCache::kCapacity);
  project(100);
  EXPECT_EQ(built, ProjectionCache::kCapacity + 1);
  project(2);
  EXPECT_EQ(built, ProjectionCache::kCapacity + 1);
  project(1);
  EXPECT_EQ(built, ProjectionCache::kCapacity + 2);
}

}  // namespace
}  // namespace trellis
