#include "trellis/tasks/tables/bayes/bayes_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "small_tables.h"
#include "trellis/base/error.h"
#include "trellis/data/value.h"
#include "trellis/tasks/tables/value_costs.h"

namespace trellis::bayes {
namespace {

using testing::model_from;
using testing::weather_network;

BayesModel small_model() {
  return {weather_network(),
          {{2, 3}, {4}, {"id"}},
          "ring",
          {generative::ring_costs(3), generative::ring_costs(2)},
          Value::record({{"estimator", "ml"}})};
}

TEST(BayesModel, LoadsWhatItSaved) {
  const BayesModel model = small_model();
  const std::string bytes = model.to_bytes();
  const BayesModel loaded = model_from(bytes);
  EXPECT_EQ(loaded.to_bytes(), bytes);
  EXPECT_EQ(loaded.graph().all_parents(), model.graph().all_parents());
  EXPECT_TRUE(std::equal(loaded.network().theta().begin(), loaded.network().theta().end(),
                         model.network().theta().begin()));
  EXPECT_EQ(loaded.roles().targets, (std::vector<Index>{2, 3}));
  EXPECT_EQ(loaded.roles().latent, (std::vector<Index>{4}));
  EXPECT_EQ(loaded.roles().ignored, (std::vector<std::string>{"id"}));
  EXPECT_EQ(loaded.loss(), "ring");
  EXPECT_EQ(loaded.costs(2).row(0)[2], 1);
  EXPECT_EQ(loaded.costs(0).row(0)[1], 1);
}

TEST(BayesModel, RefusesAFileThatIsCutOrChanged) {
  const std::string bytes = small_model().to_bytes();
  for (Index n = 0; n < bytes.size(); n += 7) {
    EXPECT_THROW(model_from(bytes.substr(0, n)), InputError) << n;
  }
  for (Index n = 0; n < bytes.size(); ++n) {
    std::string changed = bytes;
    changed[n] = static_cast<char>(changed[n] ^ 0x41);
    EXPECT_THROW(model_from(changed), InputError) << n;
  }
}

// b ← a, two values each; b is the target.
struct Hostile {
  Value meta = Value::record({{"targets", Value::list({1})},
                              {"latent", Value::list()},
                              {"ignored", Value::list()},
                              {"loss", "hamming"},
                              {"training", Value()}});
  std::vector<std::uint64_t> offsets = {0, 1, 2}, value_offsets = {0, 1, 2};
  std::string names = "ab", values = "xy";
  std::vector<std::uint64_t> ends = {0, 1};
  std::vector<std::uint32_t> parents = {0};
  std::vector<double> theta = std::vector<double>(6, std::log(0.5));
  std::vector<double> costs = {0, 1, 1, 0};

  std::string bytes() const {
    ModelWriter writer(std::string(BayesModel::kKind.name), BayesModel::kKind.newest);
    writer.add_json("meta", meta);
    writer.add_array<std::uint64_t>("variables/offsets", offsets);
    writer.add_array<char>("variables/bytes", names);
    for (const char* v : {"0", "1"}) {
      writer.add_array<std::uint64_t>(std::string("values/") + v + "/offsets", value_offsets);
      writer.add_array<char>(std::string("values/") + v + "/bytes", values);
    }
    writer.add_array<std::uint64_t>("parents/ends", ends);
    writer.add_array<std::uint32_t>("parents/numbers", parents);
    writer.add_array<double>("theta", theta);
    writer.add_array<double>("costs", costs);
    return writer.to_bytes();
  }
};

TEST(BayesModel, RefusesWhatDoesNotFitTogether) {
  EXPECT_NO_THROW(model_from(Hostile().bytes()));
  const std::vector<std::function<void(Hostile&)>> faults = {
      [](Hostile& h) { h.theta.pop_back(); },
      [](Hostile& h) { h.theta.push_back(-1); },
      [](Hostile& h) { h.theta[3] = 0.1; },
      [](Hostile& h) { h.theta[3] = std::log(0.6); },
      [](Hostile& h) { h.theta[0] = std::nan(""); },
      [](Hostile& h) { h.theta[0] = INFINITY; },
      [](Hostile& h) { h.names = "aa"; },
      [](Hostile& h) { h.values = "xx"; },
      [](Hostile& h) { h.values = "x\xff"; },
      [](Hostile& h) { h.offsets = {0}; },
      [](Hostile& h) { h.value_offsets = {0}; },
      [](Hostile& h) {
        h.ends = {1, 0};
      },
      [](Hostile& h) {
        h.ends = {0, 2};
      },
      [](Hostile& h) {
        h.ends = {0, 0};
      },
      [](Hostile& h) { h.ends = {0}; },
      [](Hostile& h) { h.parents = {1}; },
      [](Hostile& h) { h.parents = {7}; },
      [](Hostile& h) { h.parents = {}; },
      [](Hostile& h) { h.costs.pop_back(); },
      [](Hostile& h) { h.costs.push_back(0); },
      [](Hostile& h) { h.costs[0] = 1; },
      [](Hostile& h) { h.costs[1] = -1; },
      [](Hostile& h) { h.costs[1] = std::nan(""); },
      [](Hostile& h) { h.meta.erase("training"); },
      [](Hostile& h) { h.meta["targets"] = Value::list({2}); },
      [](Hostile& h) { h.meta["targets"] = Value::list({-1}); },
      [](Hostile& h) {
        h.meta["targets"] = Value::list({1, 1});
      },
      [](Hostile& h) { h.meta["targets"] = "b"; },
      [](Hostile& h) { h.meta["latent"] = Value::list({5}); },
      [](Hostile& h) { h.meta["ignored"] = 3; },
      [](Hostile& h) { h.meta["loss"] = 3; },
  };
  for (Index k = 0; k < faults.size(); ++k) {
    Hostile hostile;
    faults[k](hostile);
    EXPECT_THROW(model_from(hostile.bytes()), InputError) << k;
  }
}

// A file of a few hundred bytes that speaks of tables with 2^60 cells.
TEST(BayesModel, MakesNothingOfATableThatIsNotThere) {
  const Index n = 61;
  std::vector<std::uint64_t> offsets = {0}, ends;
  std::string names;
  std::vector<std::uint32_t> parents;
  ModelWriter writer(std::string(BayesModel::kKind.name), BayesModel::kKind.newest);
  for (Index v = 0; v < n; ++v) {
    names += static_cast<char>('0' + v);
    offsets.push_back(names.size());
    if (v > 0) parents.push_back(static_cast<std::uint32_t>(v));
  }
  ends.assign(n, n - 1);
  const std::vector<std::uint64_t> value_offsets = {0, 1, 2};
  const std::string values = "xy";
  const std::vector<double> theta(8, std::log(0.5)), costs;
  writer.add_json("meta", Hostile().meta);
  writer.add_array<std::uint64_t>("variables/offsets", offsets);
  writer.add_array<char>("variables/bytes", names);
  for (Index v = 0; v < n; ++v) {
    writer.add_array<std::uint64_t>("values/" + std::to_string(v) + "/offsets", value_offsets);
    writer.add_array<char>("values/" + std::to_string(v) + "/bytes", values);
  }
  writer.add_array<std::uint64_t>("parents/ends", ends);
  writer.add_array<std::uint32_t>("parents/numbers", parents);
  writer.add_array<double>("theta", theta);
  writer.add_array<double>("costs", costs);
  EXPECT_THROW(model_from(writer.to_bytes()), InputError);
}

}  // namespace
}  // namespace trellis::bayes
