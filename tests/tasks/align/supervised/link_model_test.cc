#include "trellis/tasks/align/supervised/link_model.h"

#include <gtest/gtest.h>

#include "tests/problem/oracle_conformance.h"
#include "tests/tasks/align/supervised/random_parts.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/structure/limited_search.h"
#include "trellis/structure/matchings/fertility_matching.h"
#include "trellis/structure/matchings/relaxed_quadratic_matching.h"
#include "trellis/tasks/align/metrics/alignment_scores.h"

namespace trellis::align {
namespace {

using testing::all_shapes;
using testing::random_example;
using testing::random_weights;
using testing::small_layout;

std::vector<LinkExample> random_examples(const LinkShape& shape, std::uint64_t seed) {
  Random random(seed);
  LeftOut left_out;
  std::vector<LinkExample> examples;
  for (int k = 0; k < 6; ++k) examples.push_back(random_example(shape, random, left_out));
  return examples;
}

template <class Check>
void for_each_model(const Check& check) {
  for (const LinkShape& shape : all_shapes()) {
    const std::vector<LinkExample> examples = random_examples(shape, 7);
    const WeightLayout layout = small_layout(shape);
    if (!shape.quadratic) {
      check(LinkModel<FertilityMatching>(examples, layout, 3), layout);
    } else {
      check(LinkModel<QuadraticMatching>(examples, layout, 3), layout);
      check(LinkModel<RelaxedQuadraticMatching>(examples, layout, 3), layout);
    }
  }
}

TEST(LinkModel, ScoresAndFeaturesAreTransposesOfEachOther) {
  Random random(1);
  for_each_model([&](const auto& model, const WeightLayout& layout) {
    using Model = std::decay_t<decltype(model)>;
    typename Model::Workspace workspace;
    for (Index i = 0; i < model.num_examples(); ++i) {
      const std::vector<double> w = random_weights(layout, random);
      std::vector<double> s(model.structure(i).num_parts()), z(s.size());
      model.scores(i, w, s);
      for (double& value : z) value = random.normal();
      std::vector<double> gradient(model.dimension(), 0.0), sparse(model.dimension(), 0.0);
      model.add_features(i, z, 2, gradient);
      SparseVector slope;
      model.features(i, z, 2, workspace, slope);
      slope.add_to(sparse, 1);
      double by_parts = 0;
      double by_weights = 0;
      for (Index p = 0; p < s.size(); ++p) by_parts += 2 * s[p] * z[p];
      for (Index k = 0; k < w.size(); ++k) {
        by_weights += w[k] * gradient[k];
        EXPECT_NEAR(gradient[k], sparse[k], 1e-12);
      }
      EXPECT_NEAR(by_parts, by_weights, 1e-6);
    }
  });
}

TEST(LinkModel, PenaltiesOfFurtherLinksAreConvex) {
  Random random(2);
  const LinkShape shape{3, false};
  const std::vector<LinkExample> examples = random_examples(shape, 8);
  const LinkModel<FertilityMatching> model(examples, small_layout(shape), 1);
  for (Index i = 0; i < model.num_examples(); ++i) {
    const FertilityMatching& structure = model.structure(i);
    std::vector<double> s(structure.num_parts());
    model.scores(i, random_weights(small_layout(shape), random), s);
    for (Index n = 0; n < structure.num_left(); ++n) {
      EXPECT_LE(s[structure.left_part(n, 2)], 0);
      EXPECT_LE(s[structure.left_part(n, 3)], s[structure.left_part(n, 2)]);
    }
  }
}

TEST(LinkModel, CostsCountMissingAndImpossibleLinks) {
  for_each_model([&](const auto& model, const WeightLayout& layout) {
    using Model = std::decay_t<decltype(model)>;
    if constexpr (!std::same_as<typename Model::Structure, RelaxedQuadraticMatching>) {
      const std::vector<LinkExample> examples =
          random_examples({layout.most_links, layout.pairs > 0}, 7);
      typename Model::Structure::Scratch scratch;
      for (Index i = 0; i < model.num_examples(); ++i) {
        const auto& structure = model.structure(i);
        std::vector<double> costs(structure.num_parts(), 0.0);
        model.add_costs(i, 1, costs);
        const double of_gold = structure.score(costs, model.gold(i));
        std::vector<ScoredOutput<std::vector<std::uint32_t>>> all;
        structure.k_best(std::vector<double>(costs.size(), 0.0), 40, scratch, all);
        for (const auto& one : all) {
          Links links;
          for (const std::uint32_t p : one.output) {
            links.push_back({examples[i].parts.links[p].left, examples[i].parts.links[p].right});
          }
          const AlignmentCounts counts = count_links(links, examples[i].gold);
          const AlignmentCounts truth = [&] {
            Links gold;
            for (const std::uint32_t p : model.gold(i)) {
              gold.push_back({examples[i].parts.links[p].left, examples[i].parts.links[p].right});
            }
            return count_links(gold, examples[i].gold);
          }();
          const double expected =
              static_cast<double>(counts.found - counts.found_possible) +
              3 * (static_cast<double>(truth.found_sure) - static_cast<double>(counts.found_sure));
          EXPECT_NEAR(structure.score(costs, one.output) - of_gold, expected, 1e-9);
        }
      }
    }
  });
}

TEST(LinkModel, MakesAnOracle) {
  for_each_model([&](const auto& model, const WeightLayout& layout) {
    const HingeProblem problem(model, 1);
    const auto keep_signs = [&](std::vector<double>& w) {
      for (const WeightRange& range : layout.nonnegative()) {
        for (Index k = range.begin; k < range.end; ++k) w[k] = std::abs(w[k]);
      }
    };
    trellis::testing::expect_touching(problem, 3, keep_signs);
    trellis::testing::expect_minorant(problem, 4, keep_signs);
  });
}

TEST(LinkModel, TheRelaxedLossIsNotBelowTheExactOne) {
  Random random(5);
  for (const LinkShape& shape : all_shapes()) {
    if (!shape.quadratic) continue;
    const std::vector<LinkExample> examples = random_examples(shape, 9);
    const WeightLayout layout = small_layout(shape);
    const LinkModel<QuadraticMatching> exact(examples, layout, 2);
    const LinkModel<RelaxedQuadraticMatching> relaxed(examples, layout, 2);
    const HingeProblem of_exact(exact, 1);
    const HingeProblem of_relaxed(relaxed, 1);
    for (int trial = 0; trial < 10; ++trial) {
      const std::vector<double> w = random_weights(layout, random);
      for (Index i = 0; i < exact.num_examples(); ++i) {
        EXPECT_GE(trellis::testing::value_at(of_relaxed, i, w),
                  trellis::testing::value_at(of_exact, i, w) - 1e-7);
      }
    }
  }
}

// Learning by searches that give up after one subproblem: cuts are cuts of the exact loss, which
// lies between the two bounds. Without a limit that is reached, all values are those of the exact
// type.
TEST(LinkModel, LossesOfLimitedSearchesEncloseTheExactOnes) {
  const LinkShape shape{1, true};
  Random random(6);
  LeftOut left_out;
  std::vector<LinkExample> examples;
  for (int k = 0; k < 40; ++k) {
    LinkGraph graph = testing::random_graph(6, 6, random);
    LinkExample& example = examples.emplace_back();
    example.gold = testing::random_gold(graph, random);
    const std::vector<double> preference(graph.edges.size(), 0.0);
    example.parts = link_parts(std::move(graph), small_layout(shape));
    choose_output(shape, preference, example, left_out);
  }
  const WeightLayout layout = small_layout(shape);
  const auto keep_signs = [&](std::vector<double>& w) {
    for (const WeightRange& range : layout.nonnegative()) {
      for (Index k = range.begin; k < range.end; ++k) w[k] = 3 * std::abs(w[k]);
    }
  };
  using Limited = LinkModel<LimitedSearch<QuadraticMatching>>;
  const LinkModel<QuadraticMatching> exact(examples, layout, 2);
  const Limited one_node(examples, layout, 2, 1);
  const Limited ample(examples, layout, 2, 1'000'000);
  const HingeProblem of_exact(exact, 1);
  const SearchProblem of_one_node(one_node, 1);
  const SearchProblem of_ample(ample, 1);
  const auto loss = [&](Index i, const std::vector<double>& w) {
    return trellis::testing::value_at(of_exact, i, w);
  };
  constexpr Index kAll = 5 * 40;
  EXPECT_LT(trellis::testing::expect_enclosed(of_one_node, loss, 11, keep_signs), kAll);
  EXPECT_EQ(trellis::testing::expect_enclosed(of_ample, loss, 11, keep_signs), kAll);
  trellis::testing::expect_touching(of_one_node, 12, keep_signs);
  trellis::testing::expect_minorant(of_one_node, of_exact, 13, keep_signs);
}

TEST(LinkModel, TrueLinksBeyondTheLimitAreLeftOutAndCounted) {
  LinkExample example;
  LinkGraph graph;
  graph.num_source = 1;
  graph.num_target = 3;
  graph.edges = {{0, 0}, {0, 1}};  // the third link is no candidate
  graph.links = FeatureRows::dense(1, {0, 0});
  example.gold.sure = example.gold.possible = {{0, 0}, {0, 1}, {0, 2}};
  example.parts = link_parts(std::move(graph), {1, 0, 0, 0, 1});
  LeftOut left_out;
  const std::vector<double> preference = {0.1, 0.4};
  choose_output({1, false}, preference, example, left_out);
  EXPECT_EQ(example.output, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(left_out.not_candidates, 1U);
  EXPECT_EQ(left_out.over_limit, 1U);
  EXPECT_EQ(left_out.pairs_over_limit, 1U);
}

}  // namespace
}  // namespace trellis::align
