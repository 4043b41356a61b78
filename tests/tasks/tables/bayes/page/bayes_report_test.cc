#include "trellis/tasks/tables/bayes/page/bayes_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tests/well_formed.h"
#include "trellis/tasks/tables/bayes/page/bayes_page.h"

namespace trellis::report::bayes_report_test {
namespace {

// wind → sea → trip ← crew; the last has a row whose mass is 0.75.
BayesNetwork small_network() {
  const std::vector<NetworkVariable> variables = {{"wind", {"calm", "gale"}},
                                                  {"sea", {"smooth", "<rough>"}},
                                                  {"crew", {"few", "full"}},
                                                  {"trip", {"yes", "no"}}};
  const auto graph =
      std::make_shared<const NetworkGraph>(variables, NetworkParents{{}, {0}, {}, {1, 2}});
  std::vector<double> theta;
  for (const double p :
       {0.7, 0.3, 0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.8, 0.2, 0.95, 0.05, 0.1, 0.9, 0.5, 0.25}) {
    theta.push_back(std::log(p));
  }
  return {graph, theta};
}

std::string page_of(const BayesReport& report) {
  const std::string page = bayes_report(report);
  EXPECT_EQ(find_markup_fault(page), "");
  EXPECT_EQ(bayes_report(report), page);
  return visible_text(page);
}

TEST(BayesReport, ShowsAllThatItWasGiven) {
  const BayesNetwork network = small_network();
  BayesReport report;
  report.title = "Training";
  report.network = &network;
  report.options = {{"estimator", "max-margin"}};
  report.targets = {1};
  report.latent = {2};
  report.history = {{1, 10, 5, 5}, {2, 9, 8, 1}};
  report.iterations = {{1, 0, 2, 10, 5}};
  report.trials = {{{1, 1}, 3}, {{0.1, 1}, 2}};
  report.setting = {0.1, 1};
  report.evaluated_on = "test.csv";
  report.scores = {{"Error", "12 %", ""}};
  report.mistakes = {{"sea", 10, 1, 0.1, {{"smooth", "<rough>"}, {5, 0, 1, 4}}},
                     {"crew", 10, 5, 0.5, {{"few", "full"}, {0, 5, 0, 5}}}};
  const std::string text = page_of(report);
  for (const char* words :
       {"Network", "never seen", "predicted", "wind → sea", "depends most on", "Tables",
        "<rough>, few", "missing", "Errors by variable", "Confusion", "Choice of eta",
        "Decomposition", "On test.csv", "How the model was trained"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
  EXPECT_LT(text.find("50.00", text.find("Errors by variable")), text.find("10.00"));
}

TEST(BayesReport, TablesAreThoseOfTargetsAndTheirChildren) {
  const BayesNetwork network = small_network();
  BayesReport report;
  report.network = &network;
  report.targets = {1};
  const std::string text = page_of(report);
  const std::string tables = text.substr(text.find("Predicted variables come first"));
  EXPECT_LT(tables.find("sea"), tables.find("trip"));
  EXPECT_EQ(tables.find("always"), std::string::npos);  // wind and crew have no parents
  report.targets = {};
  EXPECT_NE(page_of(report).find("always"), std::string::npos);
}

TEST(BayesReport, LeavesOutWhatIsEmpty) {
  const BayesNetwork network = small_network();
  BayesReport report;
  report.network = &network;
  const std::string text = page_of(report);
  for (const char* words : {"Errors", "Confusion", "Choice", "Decomposition", "Starts", "Training",
                            "How the model was trained"}) {
    EXPECT_EQ(text.find(words), std::string::npos) << words;
  }
}

TEST(BayesReport, OfManyVariablesDrawsTheNearestToTheTargets) {
  constexpr Index kVariables = 300;  // a chain
  std::vector<NetworkVariable> variables;
  NetworkParents parents(kVariables);
  std::vector<double> theta(2, std::log(0.5));
  for (Index v = 0; v < kVariables; ++v) {
    variables.push_back({fmt::format("x{}.", v), {"0", "1"}});
    if (v == 0) continue;
    parents[v] = {v - 1};
    for (const double p : {0.9, 0.1, 0.1, 0.9}) theta.push_back(std::log(p));
  }
  const BayesNetwork network(std::make_shared<const NetworkGraph>(variables, parents), theta);
  BayesReport report;
  report.network = &network;
  report.targets = {299};
  const std::string text = page_of(report);
  EXPECT_NE(text.find("200 of 300 variables are shown"), std::string::npos);
  EXPECT_NE(text.find("x100."), std::string::npos);
  EXPECT_EQ(text.find("x98."), std::string::npos);
}

TEST(BayesPage, TellsWhatTheTaskFound) {
  const bayes::BayesModel model(small_network(), {{1}, {2}, {}}, "hamming", {CostTable::hamming(2)},
                                Value::record({{"estimator", "em"}}));
  BayesReport report = model_report(model, "Evaluation of m");
  EXPECT_EQ(report.targets, std::vector<Index>{1});
  EXPECT_EQ(report.latent, std::vector<Index>{2});
  bayes::Evaluation evaluation;
  evaluation.rows = evaluation.cells = 4;
  evaluation.wrong = 1;
  evaluation.variables = {
      {"sea", {"smooth", "<rough>"}, 4, 1, 25, 0.25, {2, 0, 0, 1, 1, 0}, {"?!"}}};
  add_evaluation(evaluation, "test.csv", report);
  ASSERT_EQ(report.mistakes.size(), 1);
  const ConfusionMatrix& confusion = report.mistakes[0].confusion;
  EXPECT_EQ(confusion.labels, (std::vector<std::string>{"smooth", "<rough>", "(others)"}));
  EXPECT_EQ(confusion.counts, (std::vector<Index>{2, 0, 0, 0, 1, 0, 1, 0, 0}));
  bayes::TrainResult result;
  result.estimator = generative::Estimator::kEm;
  result.runs = {{{-5, -4}, -4, true}, {{-6, -3}, -3, true}};
  result.best_run = 1;
  add_training(result, report);
  const std::string text = page_of(report);
  for (const char* words : {"On test.csv", "Starts", "start 2, the best", "Confusion", "em"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
}

}  // namespace
}  // namespace trellis::report::bayes_report_test
