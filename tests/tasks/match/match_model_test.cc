// A model is what it was when it was saved, whatever was trained.
#include "trellis/tasks/match/match_model.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/match/match_graphs.h"
#include "trellis/base/error.h"
#include "trellis/data/model_file.h"
#include "trellis/tasks/match/matcher.h"

namespace trellis::match {
namespace {

using trellis::testing::TemporaryDirectory;

MatchModel graph_model(bool named) {
  GraphFeatures graphs;
  graphs.known = true;
  graphs.named = named;
  graphs.width = named ? 0 : 3;
  for (const char* name : {"a", "b", "c"}) {
    if (named) graphs.names.add(name);
  }
  return MatchModel(MatchFeatures::of_graphs(std::move(graphs), Cover::kPerfect), Estimator::kMap,
                    {2, -1, 0.5}, Value::record({{"lambda", 0.1}}));
}

MatchModel pair_model(Cover cover) {
  ContextOptions contexts;
  contexts.rings = 3;
  contexts.sectors = 4;
  contexts.difference = Difference::kAbsolute;
  MatchFeatures features = MatchFeatures::of_pairs(contexts, cover);
  std::vector<double> w(features.dimension(), -0.5);
  return MatchModel(std::move(features), Estimator::kMaxMargin, std::move(w),
                    Value::record({{"lambda", 0.1}}));
}

MatchModel reloaded(const MatchModel& model) {
  const std::string bytes = model.to_bytes();
  return MatchModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
}

TEST(MatchModel, LoadsWhatWasSaved) {
  for (const MatchModel& model : {graph_model(false), graph_model(true),
                                  pair_model(Cover::kPerfect), pair_model(Cover::kPartial)}) {
    const MatchModel back = reloaded(model);
    EXPECT_EQ(back.to_bytes(), model.to_bytes());
    EXPECT_EQ(back.features().dimension(), model.features().dimension());
    EXPECT_EQ(back.features().cover(), model.features().cover());
    EXPECT_EQ(back.estimator(), model.estimator());
    for (Index k = 0; k < model.weights().size(); ++k) {
      EXPECT_EQ(back.weights()[k], model.weights()[k]);
      EXPECT_EQ(back.features().weight_name(k), model.features().weight_name(k));
    }
  }
}

TEST(MatchModel, PredictsTheSameAfterLoading) {
  TemporaryDirectory folder;
  const MatchModel model = graph_model(true);
  const MatchModel back = reloaded(model);
  const auto examples = read_examples(
      {folder.make("g.txt", testing::random_graphs(5, {4, 6, 0.7, true}, 1))}, model.features(), 1);
  Matcher::Scratch scratch;
  for (const MatchExample& example : examples) {
    Matching::Output a, b;
    EXPECT_EQ(Matcher(model).match(example, scratch, a), Matcher(back).match(example, scratch, b));
    EXPECT_EQ(a, b);
  }
}

TEST(Matcher, MarginalsAreThoseOfTheBestMatchings) {
  TemporaryDirectory folder;
  const MatchModel model = graph_model(false);
  const auto examples = read_examples({folder.make("g.txt", testing::random_graphs(4, {3, 4}, 2))},
                                      model.features(), 1);
  Matcher::Scratch scratch;
  for (const MatchExample& example : examples) {
    std::vector<double> probabilities(example.features.num_edges());
    const double log_sum = Matcher(model).marginals(example, scratch, probabilities);
    std::vector<ScoredOutput<Matching::Output>> best;
    Matcher(model).k_best(example, 100, scratch, best);
    ASSERT_EQ(best.size(), 24U);
    std::vector<double> expected(probabilities.size(), 0.0);
    double total = 0;
    for (const auto& [y, score] : best) {
      const double p = std::exp(score - log_sum);
      total += p;
      for (Index i = 0; i < y.size(); ++i) {
        expected[edge_between(example, i, static_cast<Index>(y[i]))] += p;
      }
    }
    EXPECT_NEAR(total, 1, 1e-12);
    for (Index e = 0; e < expected.size(); ++e) EXPECT_NEAR(probabilities[e], expected[e], 1e-12);
  }
}

// What is wrong with a file that is a model in all but one thing.
std::string refusal(const Value& meta, std::vector<double> weights) {
  ModelWriter writer{std::string(MatchModel::kKind.name), MatchModel::kKind.newest};
  writer.add_json("meta", meta);
  writer.add_array<double>("weights", weights);
  const std::string bytes = writer.to_bytes();
  try {
    MatchModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MatchModel, RefusesWhatIsNoModel) {
  const Value graphs = Value::record({{"input", "graphs"},
                                      {"cover", "perfect"},
                                      {"estimator", "map"},
                                      {"named", false},
                                      {"training", nullptr}});
  const Value pairs = Value::record({{"input", "pairs"},
                                     {"cover", "perfect"},
                                     {"estimator", "map"},
                                     {"rings", 2},
                                     {"sectors", 2},
                                     {"inner", 0.1},
                                     {"outer", 2.0},
                                     {"difference", "squared"},
                                     {"points", 20},
                                     {"outline", 100},
                                     {"training", nullptr}});
  EXPECT_EQ(refusal(graphs, {1, 2}), "accepted");
  EXPECT_EQ(refusal(pairs, {1, 2, 3, 4}), "accepted");
  EXPECT_NE(refusal(pairs, {1, 2, 3}), "accepted");
  EXPECT_NE(refusal(graphs, {}), "accepted");
  EXPECT_NE(refusal(graphs, {std::numeric_limits<double>::quiet_NaN()}), "accepted");
  EXPECT_NE(refusal(graphs, {1e200}), "accepted");
  const auto changed = [](Value meta, const char* key, const Value& value) {
    meta[key] = value;
    return meta;
  };
  EXPECT_NE(refusal(changed(graphs, "input", "pictures"), {1}), "accepted");
  EXPECT_NE(refusal(changed(graphs, "cover", 1), {1}), "accepted");
  EXPECT_NE(refusal(changed(graphs, "estimator", "guess"), {1}), "accepted");
  EXPECT_NE(refusal(changed(graphs, "named", true), {1}), "accepted");
  EXPECT_NE(refusal(changed(pairs, "rings", -2), {1, 2, 3, 4}), "accepted");
  EXPECT_NE(refusal(changed(pairs, "rings", 1ULL << 63), {1, 2, 3, 4}), "accepted");
  EXPECT_NE(refusal(changed(pairs, "points", 1 << 30), {1, 2, 3, 4}), "accepted");
  EXPECT_NE(refusal(changed(pairs, "outer", 0), {1, 2, 3, 4}), "accepted");
}

}  // namespace
}  // namespace trellis::match
