// A model is what it was when it was saved, and a stranger's file is refused or is one.
#include "trellis/tasks/factors/factors_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "trellis/base/error.h"
#include "trellis/data/model_file.h"
#include "trellis/tasks/factors/graph_file.h"

namespace trellis::factors {
namespace {

FactorsModel some_model() {
  FactorFeatures features;
  read_graphs(InputFile::from_bytes("domain weather rain sun snow\n"
                                    "domain umbrella switch\n"
                                    "var w weather =rain wet\n"
                                    "var v weather =sun\n"
                                    "var u umbrella =on\n"
                                    "var s switch =off\n"
                                    "table likes w u | cold:2\n"
                                    "sequence days w v\n"
                                    "pair both w=rain u\n"
                                    "head kids u s | far\n"
                                    "next u s\n",
                                    "g.txt"),
              features, true);
  std::vector<double> w(features.dimension());
  for (Index k = 0; k < w.size(); ++k) w[k] = static_cast<double>(k) - 7.5;
  return FactorsModel(features, Inference::kRelaxed, w, Value::record({{"lambda", 0.1}}));
}

TEST(FactorsModel, LoadsWhatWasSaved) {
  const FactorsModel model = some_model();
  const std::string bytes = model.to_bytes();
  const FactorsModel back = FactorsModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
  EXPECT_EQ(back.to_bytes(), bytes);
  EXPECT_EQ(back.inference(), Inference::kRelaxed);
  EXPECT_TRUE(back.features().frozen());
  ASSERT_EQ(back.weights().size(), model.weights().size());
  for (Index k = 0; k < model.weights().size(); ++k) {
    EXPECT_EQ(back.weights()[k], model.weights()[k]);
    EXPECT_EQ(back.features().weight_name(k), model.features().weight_name(k));
  }
}

// A file in which one thing is another.
std::string message_of(const std::function<void(nlohmann::json& meta)>& change,
                       const std::string& attribute = {}, double weight = 0) {
  const FactorsModel model = some_model();
  const std::string good = model.to_bytes();
  nlohmann::json meta = nlohmann::json::parse(
      ModelReader::from_bytes(std::as_bytes(std::span(good)), "good").text("meta"));
  change(meta);
  NameList names;
  for (Index r = 0; r < model.features().num_runs(); ++r) {
    names.add(r == 3 && !attribute.empty() ? attribute : model.features().run_names()[r]);
  }
  std::vector<double> weights(model.weights().begin(), model.weights().end());
  weights[0] = weight;
  ModelWriter writer("factors", 1);
  writer.add_text("meta", meta.dump());
  writer.add_array<std::uint64_t>("attributes/offsets", names.offsets());
  writer.add_array<char>("attributes/bytes", names.bytes());
  writer.add_array<double>("weights", weights);
  const std::string bytes = writer.to_bytes();
  try {
    FactorsModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FactorsModel, RefusesWhatIsNoModel) {
  const auto same = [](nlohmann::json&) {};
  EXPECT_EQ(message_of(same), "accepted");
  const std::function<void(nlohmann::json&)> changes[] = {
      [](auto& meta) { meta.erase("domains"); },
      [](auto& meta) { meta["domains"] = 7; },
      [](auto& meta) { meta["domains"][0]["name"] = "x"; },
      [](auto& meta) { meta["domains"][0]["switch"] = false; },
      [](auto& meta) { meta["domains"].push_back(meta["domains"][1]); },
      [](auto& meta) { meta["domains"][1]["values"] = {"rain"}; },
      [](auto& meta) {
        meta["domains"][1]["values"] = {"rain", "rain", "sun"};
      },
      [](auto& meta) {
        meta["domains"][1]["values"] = {"rain", "sun", "a b"};
      },
      [](auto& meta) { meta["domains"][1]["values"].push_back("more"); },  // more weights
      [](auto& meta) { meta["types"].push_back(meta["types"][0]); },
      [](auto& meta) { meta["types"].erase(0); },
      [](auto& meta) { meta["types"][0]["kind"] = "hat"; },
      [](auto& meta) { meta["types"][0]["name"] = "hat"; },
      [](auto& meta) { meta["types"][0]["domains"] = {9}; },
      [](auto& meta) { meta["types"][0]["domains"] = {-1}; },
      [](auto& meta) { meta["types"][0]["domains"] = nlohmann::json::array(); },
      [](auto& meta) { meta["inference"] = "guess"; },
      [](auto& meta) { meta.erase("training"); },
  };
  for (Index k = 0; k < std::size(changes); ++k) {
    EXPECT_NE(message_of(changes[k]), "accepted") << k;
  }
  for (const char* attribute : {"bias", "99 bias", "-1 bias", "00 bias", "0 bias", " bias"}) {
    EXPECT_NE(message_of(same, attribute), "accepted") << attribute;
  }
  EXPECT_NE(message_of(same, {}, std::numeric_limits<double>::infinity()), "accepted");
}

// 2^24 joint assignments are enough for anybody's table, and a file of some bytes asks for no more.
TEST(FactorsModel, ATypeIsNoLargerThanATable) {
  EXPECT_EQ(message_of([](nlohmann::json& meta) {
              for (auto& type : meta["types"]) {
                if (type["kind"] == "table") type["domains"] = std::vector<int>(40, 1);
              }
            }),
            "m: a table has at most 16777216 joint assignments");
}

}  // namespace
}  // namespace trellis::factors
