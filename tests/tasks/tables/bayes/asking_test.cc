// Predictions, evaluations and draws against sums over all rows.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "small_tables.h"
#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/tasks/tables/bayes/evaluate.h"
#include "trellis/tasks/tables/bayes/inspect.h"
#include "trellis/tasks/tables/bayes/predict.h"

namespace trellis::bayes {
namespace {

using testing::for_completions;
using testing::header_of;
using testing::table_of;
using testing::weather_network;
using testing::weather_table;
using trellis::testing::TemporaryDirectory;

BayesModel weather_model(std::vector<Index> targets = {}) {
  std::vector<CostTable> costs;
  for (const Index v : targets)
    costs.push_back(CostTable::hamming(weather_network().graph().num_values(v)));
  return {weather_network(),
          {std::move(targets), {}, {}},
          "hamming",
          std::move(costs),
          Value::record()};
}

// A network in which nobody is in a good mood under much rain.
BayesModel grim_model() {
  const BayesNetwork network = weather_network();
  std::vector<double> theta(network.theta().begin(), network.theta().end());
  const Index first = network.graph().first_parameter(3);
  for (Index row = 4; row < 6; ++row) {
    theta[first + 2 * row] = 0;
    theta[first + 2 * row + 1] = -kInfinity;
  }
  return {BayesNetwork(network.shared_graph(), theta), {}, "hamming", {}, Value::record()};
}

struct Filled {
  std::vector<std::string> lines;
  PredictResult result;
};

Filled filled(const BayesModel& model, const std::string& text, const PredictOptions& options) {
  const TemporaryDirectory folder;
  const std::string path = folder.file("out.csv");
  Filled found;
  OutputFile out(path);
  found.result = predict(model, InputFile::from_bytes(text, "test.csv"), options, out);
  out.commit();
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) found.lines.push_back(line);
  return found;
}

TEST(BayesPredict, FillsInWhatIsJointlyMostProbable) {
  const BayesModel model = weather_model();
  const NetworkGraph& graph = model.graph();
  std::string text = header_of(graph), expected;
  Random random(5);
  for (Index n = 0; n < 40; ++n) {
    std::vector<Label> row(graph.num_variables());
    for (Index v = 0; v < row.size(); ++v) {
      row[v] =
          random.below(2) == 0 ? kNoLabel : static_cast<Label>(random.below(graph.num_values(v)));
    }
    text += table_of(graph, row);
    double best = -kInfinity;
    std::vector<Label> most;
    for_completions(graph, row, [&](const std::vector<Label>& one) {
      const double p = model.network().log_probability(one);
      if (p <= best + 1e-12) return;
      best = p;
      most = one;
    });
    expected += table_of(graph, most);
  }
  const Filled found = filled(model, text, {});
  std::istringstream lines(expected);
  Index n = 1;
  for (std::string line; std::getline(lines, line); ++n) EXPECT_EQ(found.lines[n], line) << n;
  EXPECT_EQ(found.result.rows, 40u);
}

TEST(BayesPredict, MarginalsAreThoseOfEnumeration) {
  const BayesModel model = weather_model({2});
  const NetworkGraph& graph = model.graph();
  PredictOptions options;
  options.marginals = true;
  options.json = true;
  options.decode = Decode::kPosterior;
  const Filled found = filled(model, "season,guests,mood,umbrella\nwet,?,good,yes\n", options);
  const Value record = parse_json(found.lines.at(0)).value();
  double total = 0;
  std::vector<double> rain(3, 0.0);
  for_completions(graph, {1, kNoLabel, kNoLabel, 1, 1}, [&](const std::vector<Label>& one) {
    const double p = std::exp(model.network().log_probability(one));
    total += p;
    rain[static_cast<Index>(one[2])] += p;
  });
  EXPECT_NEAR(record.at("log_likelihood").get<double>(), std::log(total), 1e-12);
  const Value& marginals = record.at("marginals").at("rain");
  Index best = 0;
  for (Index k = 0; k < 3; ++k) {
    EXPECT_NEAR(marginals.at(graph.variable(2).values[k]).get<double>(), rain[k] / total, 1e-12);
    if (rain[k] > rain[best]) best = k;
  }
  EXPECT_EQ(record.at("values").at("rain"), graph.variable(2).values[best]);
  EXPECT_EQ(record.at("filled"), Value::list({"guests", "rain"}));
}

TEST(BayesPredict, HidesTargetsUnlessToldOtherwise) {
  const BayesModel model = weather_model({3});
  const std::string text = "season;guests;rain;mood;umbrella\nwet;few;much;good;yes\n";
  EXPECT_EQ(filled(model, text, {}).lines.at(1), "wet;few;much;bad;yes");
  PredictOptions options;
  options.hide.emplace();
  EXPECT_EQ(filled(model, text, options).lines.at(1), "wet;few;much;good;yes");
  options.hide = {"mood", "umbrella"};
  EXPECT_EQ(filled(model, "season,guests,rain\nwet,few,much\n", options).lines,
            (std::vector<std::string>{"season,guests,rain,mood,umbrella", "wet,few,much,bad,yes"}));
  options.hide = {"moon"};
  EXPECT_THROW(filled(model, text, options), UsageError);
}

TEST(BayesPredict, ImpossibleRowsAreAnErrorWithTheLine) {
  const std::string text =
      "season,guests,rain,mood,umbrella\nwet,few,no,good,?\nwet,few,much,good,?\n";
  for (const Decode decode : {Decode::kMap, Decode::kPosterior}) {
    PredictOptions options;
    options.decode = decode;
    try {
      filled(grim_model(), text, options);
      ADD_FAILURE() << "no complaint";
    } catch (const InputError& error) {
      EXPECT_EQ(error.line(), 3u);
      EXPECT_NE(std::string(error.what()).find("probability 0"), std::string::npos);
    }
  }
}

TEST(BayesEvaluate, CountsMistakesAndLikelihoods) {
  const BayesModel model = weather_model({3});
  const std::string text = weather_table(200, 9);
  EvaluateOptions options;
  options.threads = 2;
  const Evaluation found = evaluate(model, InputFile::from_bytes(text, "test.csv"), options);
  const RowData data = testing::rows_of(text, {}, &model.graph());
  Index wrong = 0;
  double joint = 0, evidence = 0;
  for (Index i = 0; i < data.rows.size(); ++i) {
    std::vector<Label> row(data.rows.row(i).begin(), data.rows.row(i).end());
    joint += model.network().log_probability(row);
    const Label truth = row[3];
    double p[2];
    for (const Label value : {0, 1}) {
      row[3] = value;
      p[value] = model.network().log_probability(row);
    }
    wrong += (p[1] > p[0] ? 1 : 0) != truth ? 1 : 0;
    evidence += std::log(std::exp(p[0]) + std::exp(p[1]));
  }
  EXPECT_EQ(found.wrong, wrong);
  EXPECT_DOUBLE_EQ(found.error, 100.0 * static_cast<double>(wrong) / 200);
  EXPECT_DOUBLE_EQ(found.loss, static_cast<double>(wrong) / 200);
  EXPECT_NEAR(found.joint_log_likelihood, joint, 1e-9);
  EXPECT_NEAR(found.log_likelihood, evidence, 1e-9);
  const std::vector<Index>& confusion = found.variables.at(0).confusion;
  EXPECT_EQ(confusion[1] + confusion[2], wrong);
  const Value record = found.record();
  EXPECT_EQ(record.at("variables").at(0).at("name"), "mood");
  options.threads = 1;
  EXPECT_EQ(evaluate(model, InputFile::from_bytes(text, "test.csv"), options).record(), record);
}

TEST(BayesEvaluate, UnseenTruthIsAMistakeAndMissingTruthIsNone) {
  const BayesModel model = weather_model({3});
  const std::string text =
      "season,guests,rain,mood,umbrella\nwet,few,no,mixed,no\nwet,few,no,?,no\nwet,few,no,good,"
      "no\n";
  const Evaluation found = evaluate(model, InputFile::from_bytes(text, "t"), {});
  EXPECT_EQ(found.rows, 3u);
  EXPECT_EQ(found.cells, 2u);
  EXPECT_EQ(found.wrong, 1u);
  EXPECT_EQ(found.joint_log_likelihood, -kInfinity);
  EXPECT_EQ(found.variables[0].unseen_values, (std::vector<std::string>{"mixed"}));
  EXPECT_EQ(found.warnings().size(), 1u);
  EXPECT_THROW(evaluate(weather_model(), InputFile::from_bytes(text, "t"), {}), UsageError);
  EXPECT_THROW(
      evaluate(model, InputFile::from_bytes("season,guests,rain,umbrella\nwet,few,no,no\n", "t"),
               {}),
      InputError);
}

TEST(BayesSample, DrawsGivenValues) {
  const BayesModel model = weather_model();
  const std::string text = sample_text(model, 4000, {{"mood", "good"}, {"guests", "few"}}, 3);
  const RowData drawn = testing::rows_of(text, {}, &model.graph());
  std::vector<double> counts(3, 0.0), expected(3, 0.0);
  double total = 0;
  for (Index i = 0; i < drawn.rows.size(); ++i) {
    EXPECT_EQ(drawn.rows.row(i)[3], 1);
    EXPECT_EQ(drawn.rows.row(i)[1], 0);
    counts[static_cast<Index>(drawn.rows.row(i)[2])] += 1.0 / 4000;
  }
  for_completions(model.graph(), {kNoLabel, 0, kNoLabel, 1, kNoLabel},
                  [&](const std::vector<Label>& one) {
                    const double p = std::exp(model.network().log_probability(one));
                    expected[static_cast<Index>(one[2])] += p;
                    total += p;
                  });
  for (Index k = 0; k < 3; ++k) EXPECT_NEAR(counts[k], expected[k] / total, 0.03);
  EXPECT_EQ(sample_text(model, 3, {}, 3), sample_text(model, 3, {}, 3));
  EXPECT_THROW(sample_text(model, 1, {{"mood", "mixed"}}, 1), UsageError);
  EXPECT_THROW(sample_text(model, 1, {{"moon", "full"}}, 1), UsageError);
  EXPECT_THROW(sample_text(model, 1, {{"mood", "bad"}, {"mood", "good"}}, 1), UsageError);
  EXPECT_THROW(sample_text(grim_model(), 1, {{"mood", "good"}, {"rain", "much"}}, 1), UsageError);
}

TEST(BayesSample, ReadsWhatIsGiven) {
  EXPECT_EQ(parse_given("a=b, c = d=e"), (Given{{"a", "b"}, {"c", "d=e"}}));
  for (const char* text : {"", "a", "a=", "=b", "a=b,,c=d"}) {
    EXPECT_THROW(parse_given(text), UsageError) << text;
  }
}

TEST(BayesInspect, TellsTablesByTheValuesOfParents) {
  const BayesModel model = weather_model({3});
  const Value record = inspect_record(model, true);
  const Value& mood = record.at("variables").at(3);
  EXPECT_EQ(mood.at("parents"), Value::list({"rain", "guests"}));
  EXPECT_EQ(mood.at("rows").at(5).at("given"), Value::list({"much", "many"}));
  EXPECT_NEAR(mood.at("rows").at(1).at("probabilities").at(1).get<double>(), 0.95, 1e-12);
  const std::string text = inspect_text(model, true);
  EXPECT_NE(text.find("mood: 2 values <- rain guests  (target)"), std::string::npos) << text;
  EXPECT_NE(text.find("no, many"), std::string::npos) << text;
}

}  // namespace
}  // namespace trellis::bayes
