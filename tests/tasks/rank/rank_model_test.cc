#include "trellis/tasks/rank/rank_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/tasks/rank/small_queries.h"
#include "trellis/base/error.h"
#include "trellis/data/model_file.h"
#include "trellis/tasks/rank/predict.h"
#include "trellis/tasks/rank/subsets.h"

namespace trellis::rank {
namespace {

RankModel small_model(Normalization normalization, const char* expansion) {
  const std::vector<Query> queries = testing::random_queries(8, 8, 1);
  RankFeatures features = RankFeatures::learn(queries, normalization, Expansion::parse(expansion),
                                              3, draw_subsets(queries, {}, "queries"));
  std::vector<double> weights(features.dimension());
  Random random(2);
  for (double& weight : weights) weight = random.normal();
  return RankModel(std::move(features), std::move(weights), Value::record({{"estimator", "map"}}));
}

RankModel from_bytes(const std::string& bytes) {
  return RankModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
}

TEST(RankModel, LoadsWhatItSavedAndRanksTheSame) {
  const std::vector<Query> queries = testing::random_queries(40, 5, 9);
  for (const Normalization normalization : {Normalization::kNone, Normalization::kScale,
                                            Normalization::kMinmax, Normalization::kZscore}) {
    for (const char* expansion : {"none", "binned:4", "random:6", "trees:3,4"}) {
      const RankModel model = small_model(normalization, expansion);
      const RankModel loaded = from_bytes(model.to_bytes());
      EXPECT_EQ(loaded.to_bytes(), model.to_bytes());
      EXPECT_EQ(score_queries(loaded, queries, 2), score_queries(model, queries, 1));
    }
  }
}

struct Hostile {
  Value meta = Value::record(
      {{"normalization", "scale"}, {"expansion", "binned:3"}, {"training", Value::record()}});
  std::vector<std::uint32_t> indices = {1, 5};
  std::vector<double> scales = {1, 2};
  std::vector<std::uint32_t> knot_begin = {0, 2, 4};
  std::vector<float> knots = {0, 1, 0, 1};
  std::vector<double> weights = {1, 2, 3, 4, 5, 6};

  std::string bytes() const {
    ModelWriter writer(std::string(RankModel::kKind.name), RankModel::kKind.newest);
    writer.add_json("meta", meta);
    writer.add_array<std::uint32_t>("indices", indices);
    writer.add_array<double>("scales", scales);
    writer.add_array<std::uint32_t>("knot_begin", knot_begin);
    writer.add_array<float>("knots", knots);
    writer.add_array<double>("weights", weights);
    return writer.to_bytes();
  }
};

TEST(RankModel, RefusesWhatDoesNotFitTogether) {
  EXPECT_NO_THROW(from_bytes(Hostile().bytes()));
  const std::vector<std::function<void(Hostile&)>> faults = {
      [](Hostile& h) {
        h.indices = {5, 1};
      },
      [](Hostile& h) {
        h.indices = {5, 5};
      },
      [](Hostile& h) { h.indices = {1}; },
      [](Hostile& h) {
        h.scales = {1, -1};
      },
      [](Hostile& h) {
        h.scales = {1, NAN};
      },
      [](Hostile& h) {
        h.scales = {1, 1e200};
      },
      [](Hostile& h) {
        h.knot_begin = {0, 3, 2};
      },
      [](Hostile& h) {
        h.knot_begin = {1, 2, 4};
      },
      [](Hostile& h) {
        h.knot_begin = {0, 2, 9};
      },
      [](Hostile& h) { h.knots[1] = 0; },
      [](Hostile& h) { h.knots[3] = INFINITY; },
      [](Hostile& h) { h.weights.pop_back(); },
      [](Hostile& h) { h.weights[0] = NAN; },
      [](Hostile& h) { h.weights[0] = 1e200; },
      [](Hostile& h) { h.meta["normalization"] = "best"; },
      [](Hostile& h) { h.meta["expansion"] = "random:4"; },
      [](Hostile& h) { h.meta["expansion"] = 3; },
      [](Hostile& h) { h.meta.erase("training"); },
  };
  for (Index k = 0; k < faults.size(); ++k) {
    Hostile hostile;
    faults[k](hostile);
    EXPECT_THROW(from_bytes(hostile.bytes()), InputError) << k;
  }
}

// Which trees are none: trees_test.cc.
TEST(RankModel, RefusesTreesThatAreNone) {
  const auto bytes = [](const std::vector<std::int32_t>& children, Index weights) {
    const std::vector<std::uint32_t> indices = {1, 5}, begin = {0, 2}, columns = {0, 1};
    const std::vector<float> thresholds = {0, 1}, gains = {1, 1};
    const std::vector<double> w(weights, 1.0);
    ModelWriter writer(std::string(RankModel::kKind.name), RankModel::kKind.newest);
    writer.add_json("meta", Value::record({{"normalization", "none"},
                                           {"expansion", "trees:1,8"},
                                           {"training", Value::record()}}));
    writer.add_array<std::uint32_t>("indices", indices);
    writer.add_array<std::uint32_t>("tree_begin", begin);
    writer.add_array<std::uint32_t>("node_columns", columns);
    writer.add_array<float>("node_thresholds", thresholds);
    writer.add_array<std::int32_t>("node_children", children);
    writer.add_array<float>("node_gains", gains);
    writer.add_array<double>("weights", w);
    return writer.to_bytes();
  };
  EXPECT_NO_THROW(from_bytes(bytes({~0, 1, ~1, ~2}, 5)));
  EXPECT_THROW(from_bytes(bytes({~0, 0, ~1, ~2}, 5)), InputError);  // round and round
  EXPECT_THROW(from_bytes(bytes({~0, 1, ~1}, 5)), InputError);
  EXPECT_THROW(from_bytes(bytes({~0, 1, ~1, ~2}, 4)), InputError);
}

}  // namespace
}  // namespace trellis::rank
