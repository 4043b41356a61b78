// What is said of graphs: values, shares, probabilities, figures and reasons.
#include "trellis/tasks/factors/predict.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/factors/enumerated_graph.h"
#include "trellis/base/error.h"
#include "trellis/tasks/factors/explain.h"
#include "trellis/tasks/factors/graph_decoder.h"

namespace trellis::factors {
namespace {

using trellis::testing::EnumeratedGraph;
using trellis::testing::TemporaryDirectory;

constexpr const char* kWeatherGraphs =
    "domain weather rain sun snow\n"
    "var w1 weather =rain wet\n"
    "var w2 weather =sun\n"
    "var u switch =on\n"
    "sequence days w1 w2\n"
    "pair carry w1=rain u\n"
    "or u w2=snow\n"
    "\n"
    "var w weather ?\n"
    "var u switch =off\n"
    "at-most-one u w=rain\n";

// Weights by name; the others are 0.
FactorsModel model_of(const std::vector<std::pair<std::string, double>>& known,
                      const std::string& text = kWeatherGraphs) {
  FactorFeatures features;
  read_graphs(InputFile::from_bytes(text, "g.txt"), features, false);
  std::vector<double> w(features.dimension(), 0.0);
  for (Index k = 0; k < w.size(); ++k) {
    for (const auto& [name, weight] : known) {
      if (features.weight_name(k) == name) w[k] = weight;
    }
  }
  return FactorsModel(features, Inference::kExact, w, Value::record());
}

FactorsModel weather_model() {
  return model_of({{"var weather=rain wet", 2},
                   {"var weather=sun bias", 0.5},
                   {"sequence days rain,sun bias", 0.25},
                   {"pair carry bias", 1},
                   {"var switch=on bias", -0.5}});
}

std::string predicted(const FactorsModel& model, const PredictOptions& options,
                      const std::string& text = kWeatherGraphs, PredictCounts* counts = nullptr) {
  TemporaryDirectory folder;
  const std::string path = folder.file("out");
  OutputFile out(path);
  const PredictCounts found = predict(model, InputFile::from_bytes(text, "g.txt"), options, out);
  if (counts != nullptr) *counts = found;
  out.commit();
  return read_file(path);
}

TEST(FactorsPredict, WritesALineForEachVariable) {
  PredictOptions options;
  options.threads = 2;
  EXPECT_EQ(predicted(weather_model(), options), "w1 rain\nw2 sun\nu on\n\nw sun\nu off\n\n");
  options.json = true;
  const auto json = nlohmann::json::parse(predicted(weather_model(), options));
  EXPECT_EQ(json.at("graphs").at(0).at("line"), 2);
  EXPECT_EQ(json.at("graphs").at(0).at("score"), 2 + 0.5 + 0.25 + 1 - 0.5);
  EXPECT_EQ(json.at("graphs").at(1).at("variables").at(0).at("value"), "sun");
}

TEST(FactorsPredict, SaysTheLineOfAGraphWithoutALegalAssignment) {
  const FactorsModel model = weather_model();
  const std::string text =
      "var a switch\n\nvar a switch\nvar b switch\none-of a b\nor a !b\nor !a\n";
  EXPECT_EQ(predicted(model, {}, "var a switch\nvar b switch\none-of a b\n"), "a on\nb off\n\n");
  for (const Inference inference : {Inference::kExact, Inference::kRelaxed}) {
    PredictOptions options;
    options.inference = inference;
    try {
      predicted(model, options, text);
      ADD_FAILURE() << to_string(inference);
    } catch (const InputError& error) {
      EXPECT_EQ(error.line(), 3U);
    }
  }
}

// Three variables that all want to differ, of two values: no assignment pleases all.
TEST(FactorsPredict, WritesFractionalVariablesAsShares) {
  const std::string text =
      "domain coin head tail\nvar a coin\nvar b coin\nvar c coin\n"
      "table other a b\ntable other b c\ntable other c a\n";
  const FactorsModel model =
      model_of({{"table other head,tail bias", 1}, {"table other tail,head bias", 1}}, text);
  PredictOptions options;
  options.inference = Inference::kRelaxed;
  PredictCounts counts;
  const std::string found = predicted(model, options, text, &counts);
  EXPECT_EQ(found.find("# relaxed: fractional, no assignment scores above 3; "), 0U) << found;
  EXPECT_NE(found.find("\na head:0.5 tail:0.5\n"), std::string::npos) << found;
  EXPECT_EQ(counts.whole, 0U);
  EXPECT_EQ(counts.notes(options)[0], "relaxed: 0 of 1 graphs integral, and proven best");
  EXPECT_EQ(predicted(weather_model(), options).find("# relaxed: whole"), 0U);
}

TEST(FactorsPredict, WritesMarginalsAndWhetherTheyConverged) {
  // Without a cycle both ways to sum are exact.
  const std::string text =
      "domain coin head tail\nvar a coin =head x\nvar b coin\nsequence s a b\n";
  const FactorsModel model =
      model_of({{"var coin=head x", 1.5}, {"sequence s head,tail bias", 0.75}}, text);
  const double z = std::exp(1.5) + std::exp(2.25) + 2;
  const double head = (std::exp(1.5) + std::exp(2.25)) / z;
  for (const Inference method : {Inference::kBeliefs, Inference::kReweighted}) {
    PredictOptions options;
    options.marginals = method;
    options.json = true;
    PredictCounts counts;
    const auto json = nlohmann::json::parse(predicted(model, options, text, &counts));
    const auto& graph = json.at("graphs").at(0);
    EXPECT_EQ(graph.at("marginals").at("converged"), true);
    EXPECT_NEAR(graph.at("marginals").at("log_sum").get<double>(), std::log(z), 1e-6);
    EXPECT_NEAR(graph.at("variables").at(0).at("marginals").at("head").get<double>(), head, 1e-3);
    EXPECT_EQ(counts.converged, 1U);
    options.json = false;
    const std::string lines = predicted(model, options, text);
    EXPECT_EQ(lines.find(fmt::format("# {}: converged after ", to_string(method))), 0U) << lines;
    EXPECT_NE(lines.find("\na head head:0.87"), std::string::npos) << lines;
  }
}

TEST(FactorsPredict, RefusesAnInferenceForWhatItDoesNotDo) {
  PredictOptions options;
  options.inference = Inference::kBeliefs;
  EXPECT_THROW(require_inference(options), UsageError);
  options.inference = Inference::kExact;
  options.marginals = Inference::kRelaxed;
  EXPECT_THROW(require_inference(options), UsageError);
}

TEST(FactorsEvaluate, CountsVariablesAndGraphsWhoseTruthIsKnown) {
  const FactorsScores scores =
      evaluate_file(weather_model(),
                    InputFile::from_bytes(std::string_view(kWeatherGraphs), "g.txt"),
                    Inference::kExact, 2)
          .scores;
  EXPECT_EQ(scores.graphs(), 2U);
  EXPECT_EQ(scores.variables().total, 4U);
  EXPECT_EQ(scores.variables().right, 4U);
  EXPECT_EQ(scores.exact(), 100);
  // Everything is rain.
  const FactorsScores wrong =
      evaluate_file(model_of({{"var weather=rain bias", 9}, {"var switch=on bias", -1}}),
                    InputFile::from_bytes(std::string_view(kWeatherGraphs), "g.txt"),
                    Inference::kExact, 1)
          .scores;
  EXPECT_EQ(wrong.variables().right, 3U);
  EXPECT_EQ(wrong.exact(), 50);
  EXPECT_DOUBLE_EQ(wrong.hamming_loss(), 0.25);
  EXPECT_DOUBLE_EQ(wrong.mean_hamming_loss(), 1.0 / 6);
  const Value record = wrong.record();
  const Value& weather = record.at("per_domain").at(1);
  EXPECT_EQ(weather.at("domain"), "weather");
  EXPECT_EQ(weather.at("accuracy"), 50);
  EXPECT_EQ(weather.at("values").at(0).at("found"), 2);
  EXPECT_NE(wrong.to_text().find("weather          2       1       2    50.00 %"),
            std::string::npos)
      << wrong.to_text();
  EXPECT_THROW(evaluate_file(weather_model(), InputFile::from_bytes("var a switch\n", "g.txt"),
                             Inference::kExact, 1),
               InputError);
}

// The contributions of a variable add up to what its value is worth more than the rival.
TEST(FactorsExplain, ContributionsAddUpToTheDifference) {
  const FactorsModel model = weather_model();
  FactorFeatures features = model.features();
  for (const GraphRecord& graph :
       read_graphs(InputFile::from_bytes(kWeatherGraphs, "g.txt"), features, false)) {
    GraphDecoder::Scratch scratch;
    Decoded found;
    const GraphDecoder decoder(model.weights(), Inference::kExact);
    decoder.decode(graph, scratch, found);
    const std::span<const double> s = decoder.scores(graph, scratch);
    const EnumeratedGraph all(graph.layout);
    for (const VariableExplanation& one : explain(model, graph, found)) {
      for (const auto& other : one.others) {
        std::vector<std::uint32_t> values = found.values;
        values[one.variable] = other.value;
        EXPECT_NEAR(other.difference, found.score - all.score(s, values), 1e-12);
        EXPECT_EQ(other.forbidden_by == 0, graph.layout.legal(values));
        double best = -std::numeric_limits<double>::infinity();
        for (const auto& y : all.outputs()) {
          if (y[one.variable] == other.value) best = std::max(best, all.score(s, y));
        }
        EXPECT_NEAR(other.margin, found.score - best, 1e-9);
        if (other.value != one.rival) continue;
        double sum = 0;
        for (const Contribution& part : one.contributions) sum += part.product;
        EXPECT_NEAR(sum, other.difference, 1e-12);
      }
    }
  }
}

TEST(FactorsExplain, SaysWhatForbidsTheOtherValues) {
  ExplainOptions options;
  options.variable = "u";
  EXPECT_EQ(explain_file(weather_model(), InputFile::from_bytes(kWeatherGraphs, "g.txt"), options),
            "u on\n  against off: +0.5 with the other variables fixed (line 7 forbids it), +1.25 "
            "at best\n           +1  pair carry bias\n         -0.5  var switch=on bias\n\n");
  options.graph = 3;
  EXPECT_THROW(
      explain_file(weather_model(), InputFile::from_bytes(kWeatherGraphs, "g.txt"), options),
      UsageError);
  options.graph = 0;
  options.variable = "x";
  EXPECT_THROW(
      explain_file(weather_model(), InputFile::from_bytes(kWeatherGraphs, "g.txt"), options),
      UsageError);
}

}  // namespace
}  // namespace trellis::factors
