#include "trellis/tasks/tables/bayes/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>
#include <string>

#include "small_tables.h"
#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/generative/network/bif.h"
#include "trellis/generative/network/estimation.h"
#include "trellis/tasks/tables/bayes/blanket_training.h"
#include "trellis/tasks/tables/bayes/evaluate.h"

namespace trellis::bayes {
namespace {

using generative::Estimator;
using testing::rows_of;
using testing::weather_graph;
using testing::weather_network;
using testing::weather_table;
using trellis::testing::TemporaryDirectory;

TrainOptions options_for(Estimator estimator) {
  TrainOptions options;
  options.estimator.estimator = estimator;
  if (options.estimator.discriminative()) {
    options.estimator.eta = {0.1};
    options.estimator.gamma = {1};
    options.targets = {"rain"};
  }
  return options;
}

const NetworkFile& weather_file() {
  static const NetworkFile file{weather_graph(), std::nullopt};
  return file;
}

Trained train_weather(const RowData& data, const TrainOptions& options) {
  return train(data, &weather_file(), nullptr, options, {});
}

bool same(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

TEST(BayesTrain, MlIsTheFrequencies) {
  const std::string text = weather_table(300, 1);
  const RowData data = rows_of(text, {}, weather_file().graph.get());
  TrainOptions options = options_for(Estimator::kMl);
  options.estimator.smoothing = 0.5;
  const Trained trained = train_weather(data, options);
  ASSERT_TRUE(trained.model);
  EXPECT_TRUE(
      same(trained.model->network().theta(), estimate(weather_graph(), data.rows, 0.5).theta()));
  const Value record = trained.result.record();
  for (const char* name : {"objective", "bound", "gap", "epochs", "seconds"}) {
    EXPECT_TRUE(record.at(name).is_number()) << name;
  }
  EXPECT_EQ(record.at("gap"), 0);
}

TEST(BayesTrain, LearnsStructures) {
  const std::string text = weather_table(3000, 2);
  const RowData data = rows_of(text);
  for (const char* structure : {"naive", "chow-liu", "hill-climbing"}) {
    TrainOptions options;
    options.structure.structure = structure;
    options.targets = {"rain"};
    const Trained trained = train(data, nullptr, nullptr, options, {});
    ASSERT_TRUE(trained.model) << structure;
    EXPECT_EQ(trained.result.structure, structure);
    if (structure == std::string("naive")) {
      EXPECT_EQ(trained.result.arrows, 4u);
      EXPECT_TRUE(trained.model->graph().parents(2).empty());
    }
    if (structure == std::string("chow-liu")) {
      EXPECT_EQ(trained.result.arrows, 4u);
    }
  }
  TrainOptions options;
  options.structure.max_parents = 1;
  const Trained trained = train(data, nullptr, nullptr, options, {});
  for (Index v = 0; v < 5; ++v) EXPECT_LE(trained.model->graph().parents(v).size(), 1u);
}

// All but the tables of the target and its children stay as they are counted.
TEST(BayesTrain, DiscriminativeTrainingTouchesWhatMatters) {
  const std::string text = weather_table(400, 3);
  const RowData data = rows_of(text, {}, weather_file().graph.get());
  const BayesNetwork counted = estimate(weather_graph(), data.rows, 1);
  for (const Estimator estimator : {Estimator::kConditional, Estimator::kMaxMargin}) {
    for (const char* target : {"guests", "rain", "umbrella"}) {
      TrainOptions options = options_for(estimator);
      options.targets = {target};
      const Trained trained = train_weather(data, options);
      ASSERT_TRUE(trained.model);
      EXPECT_TRUE(trained.result.discriminative->fitted.converged);
      EXPECT_LE(trained.result.discriminative->fitted.bound,
                trained.result.discriminative->fitted.objective);
      const NetworkGraph& graph = trained.model->graph();
      Index touched = 0;
      for (Index v = 0; v < 5; ++v) {
        const Index t = *graph.find(target);
        const std::vector<Index>& parents = graph.parents(v);
        const bool matters =
            v == t || std::find(parents.begin(), parents.end(), t) != parents.end();
        const Index cells = graph.num_rows(v) * graph.num_values(v);
        const auto now = trained.model->network().theta().subspan(graph.first_parameter(v), cells);
        const auto before = counted.theta().subspan(graph.first_parameter(v), cells);
        EXPECT_EQ(same(now, before), !matters) << target << " " << v;
        touched += matters ? cells : 0;
      }
      EXPECT_EQ(trained.result.touched_parameters, touched);
      for (Index d = 0; d < graph.distributions().num(); ++d) {
        EXPECT_LE(trained.model->network().mass(d), 1 + 1e-9);
      }
    }
  }
}

// The losses of the subgraph are those of the whole network.
TEST(BlanketTask, HasTheLossesOfTheWholeNetwork) {
  const RowData data = rows_of(weather_table(30, 4), {}, weather_file().graph.get());
  const auto graph = weather_graph();
  const BayesNetwork counted = estimate(graph, data.rows, 1);
  generative::EstimatorOptions options;
  options.estimator = Estimator::kMaxMargin;
  options.penalty = generative::SlackPenalty::kQuadratic;  // an example a row
  const std::vector<double> whole(counted.theta().begin(), counted.theta().end());
  const std::vector<Index> targets = {1, 2};
  const BlanketTask task(graph, whole, data.rows, nullptr, targets,
                         {CostTable::hamming(2), CostTable::hamming(3)}, options);
  EXPECT_EQ(task.touched(), (std::vector<Index>{1, 2, 3, 4}));
  std::vector<Index> all(data.rows.size());
  for (Index i = 0; i < all.size(); ++i) all[i] = i;
  const std::vector<double> theta = task.frequencies(all);
  EXPECT_TRUE(same(task.whole(theta), whole));
  const auto losses = task.losses(all, 1);
  ASSERT_EQ(losses->oracle().num_examples(), all.size());
  ASSERT_EQ(losses->oracle().dimension(), theta.size());
  const auto scratch = losses->oracle().make_scratch();
  double wrong = 0;
  for (const Index i : all) {
    const std::vector<Label> truth(data.rows.row(i).begin(), data.rows.row(i).end());
    std::vector<Label> row = truth, best_row;
    for (const Index v : targets) row[v] = kNoLabel;
    double most = -kInfinity, best = -kInfinity;
    testing::for_completions(*graph, row, [&](const std::vector<Label>& one) {
      const double p = counted.log_probability(one);
      const double cost = (one[1] != truth[1] ? 1 : 0) + (one[2] != truth[2] ? 1 : 0);
      most = std::max(most, p + cost);
      if (p > best) {
        best = p;
        best_row = one;
      }
    });
    Cut cut;
    EXPECT_NEAR(losses->oracle().evaluate(i, theta, *scratch, cut),
                most - counted.log_probability(truth), 1e-9);
    for (const Index v : targets) wrong += best_row[v] != truth[v] ? 1 : 0;
  }
  EXPECT_EQ(task.judge(theta, all).loss, wrong);
}

TEST(BayesTrain, PenaltiesLossesAndWaysToChoose) {
  const std::string text = weather_table(200, 5);
  const RowData data = rows_of(text, {}, weather_file().graph.get());
  const HeldOutRows dev =
      read_held_out_rows(InputFile::from_bytes(text, "dev"), Delimiter::kAuto, data, {"rain"});
  for (const auto penalty :
       {generative::SlackPenalty::kLinear, generative::SlackPenalty::kQuadratic,
        generative::SlackPenalty::kRescaled}) {
    TrainOptions options = options_for(Estimator::kMaxMargin);
    options.estimator.penalty = penalty;
    if (penalty == generative::SlackPenalty::kRescaled) options.estimator.gamma.clear();
    options.estimator.loss = "ring";
    options.estimator.gap = 0.01;
    const Trained trained = train_weather(data, options);
    ASSERT_TRUE(trained.model);
    EXPECT_TRUE(trained.result.discriminative->fitted.converged) << to_string(penalty);
    EXPECT_EQ(trained.model->loss(), "ring");
  }
  TrainOptions options = options_for(Estimator::kConditional);
  options.estimator.gamma = {0};
  options.estimator.eta = {0.01, 0.1};
  const Trained by_dev = train(data, &weather_file(), &dev, options, {});
  EXPECT_EQ(by_dev.result.discriminative->trials.size(), 2u);
  options.estimator.folds = 3;
  const Trained by_folds = train_weather(data, options);
  EXPECT_EQ(by_folds.result.discriminative->trials.size(), 2u);
}

TEST(BayesTrain, HoldsToAnotherModel) {
  const TemporaryDirectory folder;
  const RowData data = rows_of(weather_table(200, 6), {}, weather_file().graph.get());
  const Trained first = train_weather(data, options_for(Estimator::kMl));
  first.model->write(folder.file("first"));
  TrainOptions options = options_for(Estimator::kConditional);
  options.estimator.towards = folder.file("first");
  const Trained by_model = train_weather(data, options);
  options.estimator.towards = "ml";
  const Trained by_word = train_weather(data, options);
  // c is e^θ either way, but for the logarithms in between.
  EXPECT_NEAR(by_model.result.summary.objective, by_word.result.summary.objective, 1e-6);
  options.estimator.towards = folder.file("first");
  options.structure.structure = "naive";
  EXPECT_THROW(train(data, nullptr, nullptr, options, {}), InputError);
}

TEST(BayesTrain, EmLearnsFromGapsAndNeverSeenVariables) {
  const auto graph = weather_graph();
  std::string text = weather_table(300, 7, 0.2);
  const RowData gaps = rows_of(text, {}, graph.get());
  EXPECT_THROW(train_weather(gaps, options_for(Estimator::kMl)), InputError);
  TrainOptions options = options_for(Estimator::kEm);
  options.estimator.restarts = 3;
  const Trained trained = train_weather(gaps, options);
  ASSERT_TRUE(trained.model);
  ASSERT_EQ(trained.result.runs.size(), 3u);
  for (const generative::EmRun& run : trained.result.runs) {
    for (Index k = 1; k < run.objectives.size(); ++k) {
      EXPECT_GE(run.objectives[k], run.objectives[k - 1] - 1e-9 * std::abs(run.objectives[k]));
    }
    EXPECT_LE(run.objectives.back(),
              trained.result.runs[trained.result.best_run].objectives.back());
  }
  const RowData unseen =
      rows_of("season,guests,mood,umbrella\nwet,few,bad,yes\ndry,many,good,no\n", {}, graph.get());
  EXPECT_THROW(train_weather(unseen, options_for(Estimator::kMl)), InputError);
  const Trained latent = train_weather(unseen, options_for(Estimator::kEm));
  ASSERT_TRUE(latent.model);
  EXPECT_EQ(latent.result.latent, (std::vector<std::string>{"rain"}));
  EXPECT_EQ(latent.model->roles().latent, (std::vector<Index>{2}));
  TrainOptions climbing = options_for(Estimator::kEm);
  EXPECT_THROW(train(rows_of(text), nullptr, nullptr, climbing, {}), InputError);
}

TEST(BayesTrain, TheSameBitsForAnyNumberOfThreads) {
  const std::string text = weather_table(300, 8), holes = weather_table(300, 8, 0.2);
  for (const Estimator estimator : {Estimator::kMl, Estimator::kEm, Estimator::kMaxMargin}) {
    const bool em = estimator == Estimator::kEm;
    const RowData data = rows_of(em ? holes : text, {}, em ? weather_file().graph.get() : nullptr);
    std::vector<std::string> bytes;
    for (const int threads : {1, 3}) {
      TrainOptions options = options_for(estimator);
      options.estimator.threads = options.structure.threads = threads;
      bytes.push_back(
          train(data, em ? &weather_file() : nullptr, nullptr, options, {}).model->to_bytes());
    }
    EXPECT_EQ(bytes[0], bytes[1]) << to_string(estimator);
  }
}

TEST(BayesTrain, InterruptedAndResumedIsTheSame) {
  const RowData data = rows_of(weather_table(300, 10));
  for (const Index stop_after : {1u, 5u}) {
    const TemporaryDirectory folder;
    TrainOptions options = options_for(Estimator::kMaxMargin);
    options.estimator.eta = {0.01, 0.1};
    options.estimator.folds = 2;
    const std::string expected = train(data, nullptr, nullptr, options, {}).model->to_bytes();
    options.checkpoint = folder.file("state");
    std::stop_source source;
    TrainEvents events;
    events.stop = source.get_token();
    Index seen = 0;
    events.on_progress = [&](const std::string&) {
      if (++seen == stop_after) source.request_stop();
    };
    const Trained half = train(data, nullptr, nullptr, options, events);
    ASSERT_FALSE(half.model);
    options.resume = true;
    const Trained whole = train(data, nullptr, nullptr, options, {});
    ASSERT_TRUE(whole.model);
    EXPECT_TRUE(whole.stages->resumed());
    EXPECT_EQ(whole.model->to_bytes(), expected);
  }
}

TEST(BayesTrain, KeepsTablesOfAFile) {
  const TemporaryDirectory folder;
  const std::string path = folder.make("weather.bif", to_bif(weather_network()));
  const BayesModel imported = import_network(path, {"mood"}, "hamming");
  EXPECT_TRUE(same(imported.network().theta(), read_network(path).network().theta()));
  EXPECT_EQ(imported.roles().targets, (std::vector<Index>{3}));
  const NetworkFile file = read_network(path);
  const RowData data = rows_of(weather_table(100, 11), {}, file.graph.get());
  TrainOptions options;
  options.structure.structure = path;
  options.keep_tables = true;
  const Trained kept = train(data, &file, nullptr, options, {});
  EXPECT_TRUE(same(kept.model->network().theta(), *file.theta));
  const RowData more = rows_of("rain,mood\nhail,good\n", {}, file.graph.get());
  EXPECT_THROW(train(more, &file, nullptr, options, {}), InputError);
  const std::string arrows = folder.make("arrows.net", "variable a x y\nvariable b x y\nb <- a\n");
  EXPECT_THROW(import_network(arrows, {}, "hamming"), InputError);
}

TEST(BayesTrain, RefusesWhatDoesNotGoTogether) {
  const auto refused = [](const TrainOptions& options) {
    try {
      check({{"train.csv"}}, options);
    } catch (const UsageError&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused({}));
  TrainOptions options = options_for(Estimator::kMaxMargin);
  options.targets.clear();
  EXPECT_TRUE(refused(options));
  options = {};
  options.structure.structure = "naive";
  EXPECT_TRUE(refused(options));
  options.targets = {"a"};
  EXPECT_FALSE(refused(options));
  options.structure.max_parents = 2;
  EXPECT_TRUE(refused(options));
  options = {};
  options.structure.structure = "no such file";
  EXPECT_TRUE(refused(options));
  options = {};
  options.keep_tables = true;
  EXPECT_TRUE(refused(options));
  options = {};
  options.estimator.loss = "ring";
  EXPECT_TRUE(refused(options));
  const RowData data = rows_of("a,b\nx,y\nz,y\n");
  options = {};
  options.targets = {"c"};
  EXPECT_THROW(train(data, nullptr, nullptr, options, {}), UsageError);
  options.targets = {"a", "a"};
  EXPECT_THROW(train(data, nullptr, nullptr, options, {}), UsageError);
}

}  // namespace
}  // namespace trellis::bayes
