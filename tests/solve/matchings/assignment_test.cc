#include "trellis/solve/matchings/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/solve/vectors/each_target.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

// A graph that owns its edges.
struct Instance {
  BipartiteGraph graph;
  std::vector<Index> begin;
  std::vector<std::uint32_t> column;
  std::vector<double> weights;

  Instance() = default;
  Instance(const Instance&) = delete;

  Index edge(Index i, Label j) const {
    if (graph.complete()) return i * graph.columns + static_cast<Index>(j);
    Index e = begin[i];
    while (e < begin[i + 1] && column[e] != static_cast<std::uint32_t>(j)) ++e;
    return e;
  }
};

using Draw = double (*)(Random&);
double draw_normal(Random& random) {
  return random.normal();
}
double draw_tie(Random& random) {
  return static_cast<double>(random.below(5)) - 2;
}
double draw_huge(Random& random) {
  return 1e9 * (2 * random.uniform() - 1);
}
double draw_negative(Random& random) {
  return -random.uniform();
}
constexpr Draw kDraws[] = {draw_normal, draw_tie, draw_huge, draw_negative};

void fill_dense(Instance& instance, Index rows, Index columns, Draw draw, Random& random) {
  instance.graph = {rows, columns, {}, {}};
  for (Index e = 0; e < rows * columns; ++e) instance.weights.push_back(draw(random));
}

// Every pair is an edge with this probability.
void fill_sparse(Instance& instance, Index rows, Index columns, double density, Draw draw,
                 Random& random) {
  instance.begin = {0};
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      if (random.uniform() >= density) continue;
      instance.column.push_back(static_cast<std::uint32_t>(j));
      instance.weights.push_back(draw(random));
    }
    instance.begin.push_back(instance.column.size());
  }
  instance.graph = {rows, columns, instance.begin, instance.column};
}

double largest_weight(const Instance& instance) {
  double largest = 1;
  for (const double s : instance.weights) largest = std::max(largest, std::abs(s));
  return largest;
}

// Both sides agree on who is matched; returns the weight.
double check_matching(const Instance& instance, const AssignmentSolver& solver, Cover cover) {
  const auto column_of = solver.column_of_row();
  const auto row_of = solver.row_of_column();
  EXPECT_EQ(column_of.size(), instance.graph.rows);
  EXPECT_EQ(row_of.size(), instance.graph.columns);
  double value = 0;
  Index matched = 0;
  for (Index i = 0; i < column_of.size(); ++i) {
    if (column_of[i] == kNoLabel) continue;
    ++matched;
    EXPECT_EQ(row_of[static_cast<Index>(column_of[i])], static_cast<Label>(i));
    const Index e = instance.edge(i, column_of[i]);
    const bool is_edge = instance.graph.complete() || e < instance.begin[i + 1];
    EXPECT_TRUE(is_edge);
    if (!is_edge) return value;
    value += instance.weights[e];
    if (cover == Cover::kPartial) {
      EXPECT_GT(instance.weights[e], 0);
    }
  }
  const Index columns_taken = static_cast<Index>(
      std::count_if(row_of.begin(), row_of.end(), [](Label i) { return i != kNoLabel; }));
  EXPECT_EQ(columns_taken, matched);
  if (cover == Cover::kPerfect) {
    EXPECT_EQ(matched, std::min(instance.graph.rows, instance.graph.columns));
  }
  return value;
}

// u and v are feasible for the dual, and their value is that of the matching: both are optimal.
void check_certificate(const Instance& instance, const AssignmentSolver& solver, Cover cover,
                       double value) {
  const auto u = solver.row_duals();
  const auto v = solver.column_duals();
  const double slack = 1e-13 * largest_weight(instance);
  double dual = 0;
  const auto check_sign = [&](double x, bool must_be_covered, Label mate) {
    dual += x;
    if (must_be_covered) return;
    EXPECT_GE(x, -slack);
    if (mate == kNoLabel) {
      EXPECT_LE(x, slack);
    }
  };
  const Index rows = u.size(), columns = v.size();
  const bool perfect = cover == Cover::kPerfect;
  for (Index i = 0; i < rows; ++i) {
    check_sign(u[i], perfect && rows <= columns, solver.column_of_row()[i]);
  }
  for (Index j = 0; j < columns; ++j) {
    check_sign(v[j], perfect && columns <= rows, solver.row_of_column()[j]);
  }
  for (Index i = 0; i < rows; ++i) {
    const Index first = instance.graph.complete() ? i * columns : instance.begin[i];
    const Index last = instance.graph.complete() ? first + columns : instance.begin[i + 1];
    for (Index e = first; e < last; ++e) {
      const Index j = instance.graph.complete() ? e - first : instance.column[e];
      EXPECT_GE(u[i] + v[j], instance.weights[e] - slack);
      if (solver.column_of_row()[i] == static_cast<Label>(j)) {
        EXPECT_NEAR(u[i] + v[j], instance.weights[e], slack);
      }
    }
  }
  EXPECT_NEAR(value, dual, slack * static_cast<double>(1 + rows + columns));
}

void check_optimal(const Instance& instance, AssignmentSolver& solver, Cover cover) {
  const double value = check_matching(instance, solver, cover);
  check_certificate(instance, solver, cover, value);
}

TEST(Assignment, DualsProveDenseMatchingsOptimal) {
  AssignmentSolver solver;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    Instance instance;
    fill_dense(instance, random.below(30), random.below(30), kDraws[seed % 4], random);
    for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
      ASSERT_TRUE(solver.solve(instance.graph, instance.weights, cover));
      check_optimal(instance, solver, cover);
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(Assignment, DualsProveSparseMatchingsOptimal) {
  AssignmentSolver solver;
  Index perfect = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    Instance instance;
    fill_sparse(instance, random.below(20), random.below(20), random.uniform(), kDraws[seed % 4],
                random);
    ASSERT_TRUE(solver.solve(instance.graph, instance.weights, Cover::kPartial));
    check_optimal(instance, solver, Cover::kPartial);
    if (solver.solve(instance.graph, instance.weights, Cover::kPerfect)) {
      ++perfect;
      check_optimal(instance, solver, Cover::kPerfect);
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(perfect, 300u);
  EXPECT_LT(perfect, 900u);
}

// With a bonus for each edge that outweighs all differences, a partial matching has as many edges
// as there can be.
TEST(Assignment, FindsAPerfectMatchingWhereverThereIsOne) {
  AssignmentSolver solver;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed, 1);
    Instance instance;
    fill_sparse(instance, 1 + random.below(12), 1 + random.below(12), 0.4 * random.uniform(),
                draw_tie, random);
    const bool found = solver.solve(instance.graph, instance.weights, Cover::kPerfect);
    for (double& s : instance.weights) s += 1000;
    ASSERT_TRUE(solver.solve(instance.graph, instance.weights, Cover::kPartial));
    Index most = 0;
    for (const Label j : solver.column_of_row()) most += j == kNoLabel ? 0 : 1;
    EXPECT_EQ(found, most == std::min(instance.graph.rows, instance.graph.columns));
  }
}

TEST(Assignment, AnEdgeListOfAllPairsIsWorthAsMuchAsTheCompleteGraph) {
  AssignmentSolver solver;
  for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
    Random random(5);
    Instance sparse;
    fill_sparse(sparse, 60, 70, 2.0, draw_normal, random);
    Instance dense;
    dense.graph = {60, 70, {}, {}};
    dense.weights = sparse.weights;
    ASSERT_TRUE(solver.solve(sparse.graph, sparse.weights, cover));
    const double value = check_matching(sparse, solver, cover);
    ASSERT_TRUE(solver.solve(dense.graph, dense.weights, cover));
    EXPECT_NEAR(check_matching(dense, solver, cover), value, 1e-12 * std::abs(value));
  }
}

// Worst cases of shortest augmenting paths, and prices that differ by less than rounding shows.
TEST(Assignment, StopsOnProductsAndOnNearTies) {
  AssignmentSolver solver;
  Instance products;
  products.graph = {80, 80, {}, {}};
  for (Index e = 0; e < 6400; ++e) {
    products.weights.push_back(-static_cast<double>((e / 80 + 1) * (e % 80 + 1)));
  }
  Random random(3);
  Instance ties;
  fill_dense(
      ties, 80, 80, [](Random& r) { return 1e8 + 1e-8 * static_cast<double>(r.below(4)); }, random);
  for (const Instance* instance : {&products, &ties}) {
    for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
      ASSERT_TRUE(solver.solve(instance->graph, instance->weights, cover));
      check_optimal(*instance, solver, cover);
    }
  }
}

TEST(Assignment, LeavesOutEdgesOfWeightZero) {
  AssignmentSolver solver;
  const std::vector<double> weights = {0, -1, 0, 0};
  ASSERT_TRUE(solver.solve({2, 2, {}, {}}, weights, Cover::kPartial));
  EXPECT_EQ(solver.column_of_row()[0], kNoLabel);
  EXPECT_EQ(solver.column_of_row()[1], kNoLabel);
  ASSERT_TRUE(solver.solve({2, 2, {}, {}}, weights, Cover::kPerfect));
  EXPECT_EQ(solver.column_of_row()[0], 0);
  EXPECT_EQ(solver.column_of_row()[1], 1);
}

TEST(Assignment, ResultsDependNeitherOnVectorsNorOnWhatWasSolvedBefore) {
  Random random(11);
  Instance instance, other;
  fill_dense(instance, 37, 45, draw_normal, random);
  fill_dense(other, 50, 20, draw_normal, random);
  AssignmentSolver used;
  for (const Cover cover : {Cover::kPartial, Cover::kPerfect}) {
    const auto solve = [&] {
      EXPECT_TRUE(used.solve(other.graph, other.weights, cover));
      EXPECT_TRUE(used.solve(instance.graph, instance.weights, cover));
      const auto v = used.column_duals();
      return std::vector<double>(v.begin(), v.end());
    };
    const auto duals = on_each_target(solve);
    AssignmentSolver fresh;
    ASSERT_TRUE(fresh.solve(instance.graph, instance.weights, cover));
    const auto v = fresh.column_duals();
    for (const auto& found : duals) {
      EXPECT_TRUE(std::equal(v.begin(), v.end(), found.begin(), found.end()));
    }
  }
}

}  // namespace
}  // namespace trellis
