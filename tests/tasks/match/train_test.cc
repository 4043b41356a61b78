// From graphs to a model, for every estimator and every learner.
#include "trellis/tasks/match/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/match/match_graphs.h"
#include "trellis/base/error.h"
#include "trellis/fit/dials.h"
#include "trellis/problem/part_model.h"
#include "trellis/structure/matchings/covering_matching.h"
#include "trellis/tasks/match/graph_model.h"
#include "trellis/tasks/match/matcher.h"

namespace trellis::match {
namespace {

using testing::GraphShape;
using testing::random_graphs;
using trellis::testing::TemporaryDirectory;

static_assert(PartModel<GraphModel<Matching>> && PartModel<GraphModel<CoveringMatching>>);

std::vector<InputFile> file_of(const std::string& text) {
  std::vector<InputFile> files;
  files.push_back(InputFile::from_bytes(text, "graphs.txt"));
  return files;
}

MatchData data_of(const std::string& text, Cover cover = Cover::kPerfect) {
  return graph_data(file_of(text), cover);
}

TrainOptions options(Estimator estimator) {
  TrainOptions options;
  options.estimator = estimator;
  options.training.learner.lambda = 0.01;
  options.training.threads = 1;
  return options;
}

Trained trained(Estimator estimator, const std::string& text) {
  return train(data_of(text), {}, options(estimator));
}

MatchScores test_scores(const MatchModel& model, const std::string& text) {
  return evaluate(Matcher(model), graph_examples(file_of(text), model.features()), 1);
}

TEST(MatchTraining, FindsTheWeightsBehindTheMatchings) {
  const GraphShape shapes[] = {
      {5, 5, 1, false}, {3, 6, 1, true}, {6, 4, 1, false}, {5, 5, 0.6, true}};
  for (const Estimator estimator : {Estimator::kMap, Estimator::kMaxMargin}) {
    for (const GraphShape& shape : shapes) {
      const Trained found = trained(estimator, random_graphs(40, shape, 1));
      const MatchScores scores = test_scores(*found.model, random_graphs(60, shape, 2));
      EXPECT_LT(scores.hamming(), 4)
          << to_string(estimator) << " " << shape.left << " by " << shape.right;
      EXPECT_EQ(scores.graphs().size(), 60U);
      EXPECT_EQ(found.result.estimator, estimator);
    }
  }
}

// Graphs whose nodes may stay single: an edge is true where its feature is positive; the constant
// feature says what staying single is worth.
std::string partial_graphs() {
  std::string text;
  for (Index g = 0; g < 20; ++g) {
    Random random(5, g);
    text += fmt::format("graph g{} 3 3\n", g);
    for (Index i = 0; i < 3; ++i) {
      const bool is_match = random.uniform() < 0.5;
      for (Index j = 0; j < 3; ++j) {
        const bool true_edge = is_match && i == j;
        text += fmt::format("{} {}{} {:.3f} 1\n", i, j, true_edge ? " *" : "",
                            (true_edge ? 1 : -1) + 0.3 * random.normal());
      }
    }
    text += "\n";
  }
  return text;
}

// A learner with the values of some dials.
struct Cell {
  const char* learner;
  std::vector<std::pair<const char*, const char*>> dials;
  double slack;  // how far above the optimum it may end, relatively
};
constexpr double kOptimum = 3e-4;
constexpr double kNear = 2;  // online learners only come near

TrainOptions options(const Cell& cell, const char* loss) {
  TrainOptions options;
  LearnerOptions& said = options.training.learner;
  said.learner = parse_learner(cell.learner);
  said.loss = Loss::named(loss);
  said.lambda = 0.1;
  said.certify = true;
  if (dial("gap").learners.has(*said.learner)) said.gap = 1e-4;
  if (dial("epochs").learners.has(*said.learner)) said.epochs = 3000;
  for (const auto& [name, value] : cell.dials) dial(name).set(said, value);
  options.training.threads = 1;
  return options;
}

// The first goes to the optimum.
void expect_optimum(const MatchData& data, std::span<const Cell> cells, const char* loss) {
  double optimum = 0;
  for (const Cell& cell : cells) {
    const Trained found = train(data, {}, options(cell, loss));
    const LearnSummary& summary = found.result.learned.fitted.summary;
    if (optimum == 0) optimum = summary.objective;
    EXPECT_GE(summary.objective, optimum * (1 - kOptimum)) << cell.learner;
    EXPECT_LE(summary.objective, optimum * (1 + cell.slack)) << cell.learner;
    EXPECT_LE(summary.bound, optimum * (1 + 1e-9)) << cell.learner;
    EXPECT_EQ(found.model->estimator(),
              Loss::named(loss).hinge() ? Estimator::kMaxMargin : Estimator::kMap);
  }
}

TEST(MatchTraining, EveryLearnerMinimisesTheMarginLoss) {
  const Cell cells[] = {{"bmrm", {}, kOptimum},
                        {"bcfw", {}, kOptimum},
                        {"qp", {}, kOptimum},
                        {"dca", {{"dual", "stored"}}, kOptimum},
                        {"structured-smo", {}, kOptimum},
                        {"extragradient", {{"geometry", "entropic"}}, kOptimum},
                        {"extragradient", {{"geometry", "euclidean"}}, kOptimum},
                        {"projected-gradient", {}, kNear},
                        {"dca", {{"epochs", "100"}}, kNear},
                        {"mira", {{"epochs", "100"}}, kNear},
                        {"sgd", {{"epochs", "100"}, {"eta", "0.1"}}, kNear}};
  expect_optimum(data_of(random_graphs(20, {4, 4}, 3, 0.5)), cells, "svm");
}

TEST(MatchTraining, EveryLearnerWithoutSumsAndFacesTakesPartialMatchings) {
  const Cell cells[] = {{"bmrm", {}, kOptimum},
                        {"bcfw", {}, kOptimum},
                        {"qp", {}, kOptimum},
                        {"dca", {{"dual", "stored"}}, kOptimum},
                        {"extragradient", {}, kOptimum},
                        {"projected-gradient", {}, kNear},
                        {"dca", {{"epochs", "100"}}, kNear},
                        {"mira", {{"epochs", "100"}}, kNear},
                        {"sgd", {{"epochs", "100"}, {"eta", "0.1"}}, kNear}};
  expect_optimum(data_of(partial_graphs(), Cover::kPartial), cells, "svm");
  const LearnerSet learners = learners_for(able(Cover::kPartial));
  EXPECT_FALSE(learners.has(parse_learner("lbfgs")));
  EXPECT_FALSE(learners.has(parse_learner("structured-smo")));
}

TEST(MatchTraining, EveryLearnerOfSmoothLossesMinimisesThem) {
  const Cell cells[] = {{"lbfgs", {}, kOptimum},
                        {"dca", {{"dual", "stored"}}, kOptimum},
                        {"bcfw", {}, kOptimum},
                        {"bmrm", {}, kOptimum},
                        {"dca", {{"epochs", "100"}}, kNear},
                        {"sgd", {{"epochs", "100"}, {"eta", "0.1"}}, kNear}};
  const MatchData data = data_of(random_graphs(15, {3, 4}, 3, 0.5));
  for (const char* loss : {"crf", "softmax-margin"}) expect_optimum(data, cells, loss);
}

// Weights without a mistake exist: after finitely many of its own there are no more (Novikoff
// 1962).
TEST(MatchTraining, ThePerceptronEndsWithoutAMistake) {
  TrainOptions call;
  call.training.learner.learner = parse_learner("perceptron");
  call.training.learner.average = false;
  call.training.learner.epochs = 1000;
  const MatchData data = data_of(random_graphs(20, {4, 4}, 3));
  EXPECT_EQ(train(data, {}, call).result.train->hamming(), 0);
}

TEST(MatchTraining, DrawsLeadToTheOptimumOfExactSums) {
  const MatchData data = data_of(random_graphs(30, {4, 5}, 12, 1));
  TrainOptions call = options(Estimator::kMap);
  LearnerOptions& said = call.training.learner;
  said.lambda = 0.1;
  const Trained exact = train(data, {}, call);
  said.draws = 20;
  said.eta = 0.5;
  said.epochs = 60;
  const Trained drawn = train(data, {}, call);
  EXPECT_EQ(to_string(drawn.result.learned.choice.learner), "sgd");
  EXPECT_EQ(drawn.result.draws.acceptance, 1);  // tables of sums
  EXPECT_GT(drawn.result.draws.gradient_error, 0);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_NEAR(drawn.model->weights()[k], exact.model->weights()[k], 0.05);
  }
}

TEST(MatchTraining, NormalizingDoesNotChangeWhatAScaleMeans) {
  // Features a thousand times as large are the same problem, once they are normalized.
  const GraphShape shape{4, 4, 1, false};
  const std::string text = random_graphs(10, shape, 4);
  std::string scaled;
  for (Index at = 0; at < text.size(); ++at) {
    scaled += text[at];
    // The last column of each edge has four decimals: "0.1234\n" becomes "0.1234e3\n".
    if (at + 1 < text.size() && text[at + 1] == '\n' && text[at] >= '0' && text[at] <= '9' &&
        at > 4 && text[at - 4] == '.') {
      scaled += "e3";
    }
  }
  const Trained small = trained(Estimator::kMap, text);
  const Trained large = trained(Estimator::kMap, scaled);
  const auto a = small.model->weights();
  const auto b = large.model->weights();
  EXPECT_NEAR(b[0], a[0], 1e-4 * std::abs(a[0]));
  EXPECT_NEAR(1000 * b[2], a[2], 1e-3 * std::abs(a[2]));
}

TEST(MatchTraining, EveryNormalizationLearns) {
  const MatchData data = data_of(random_graphs(40, {4, 4}, 13));
  for (const Normalize normalize : {Normalize::kEach, Normalize::kCommon, Normalize::kNone}) {
    TrainOptions call = options(Estimator::kMap);
    call.normalize = normalize;
    const Trained found = train(data, {}, call);
    EXPECT_LT(found.result.train->hamming(), 4) << to_string(normalize);
    EXPECT_EQ(found.model->training().at("normalize"), to_string(normalize));
    EXPECT_EQ(parse_named<Normalize>(to_string(normalize)), normalize);
  }
}

TEST(MatchTraining, PartialMatchingsLearnWhoStaysSingle) {
  const std::string text = partial_graphs();
  EXPECT_THROW(data_of(text), InputError);  // they do not cover a side
  const MatchData data = data_of(text, Cover::kPartial);
  EXPECT_LT(train(data, {}, options(Estimator::kMaxMargin)).result.train->hamming(), 2);
  EXPECT_THROW(train(data, {}, options(Estimator::kMap)), UsageError);
}

TEST(MatchTraining, GivesTheSameBytesForAnyNumberOfThreads) {
  const MatchData data = data_of(random_graphs(30, {4, 5}, 6, 1));
  for (const Estimator estimator : {Estimator::kMap, Estimator::kMaxMargin}) {
    TrainOptions call = options(estimator);
    call.training.learner.lambda.reset();
    call.training.candidates = {{"lambda", {0.1, 0.01}}};
    call.training.folds = 3;
    const std::string one = train(data, {}, call).model->to_bytes();
    call.training.threads = 4;
    EXPECT_EQ(train(data, {}, call).model->to_bytes(), one);
  }
}

TEST(MatchTraining, ChoosesTheLambdaWithTheFewestMistakes) {
  const MatchData data = data_of(random_graphs(12, {5, 5}, 7, 2));
  const auto dev = graph_examples(file_of(random_graphs(30, {5, 5}, 8, 2)), data.features);
  TrainOptions call = options(Estimator::kMaxMargin);
  call.training.learner.lambda.reset();
  call.training.candidates = {{"lambda", {100, 1, 0.01}}};
  const TrainResult result = train(data, dev, call).result;
  ASSERT_EQ(result.learned.tried.size(), 3U);
  double best = 0;
  for (const Tried& tried : result.learned.tried) best = std::max(best, tried.figure);
  EXPECT_NEAR(100 - result.dev->hamming(), best, 1e-9);
  // Of equals the one that holds the weights most, which was tried first.
  for (const Tried& tried : result.learned.tried) {
    if (tried.figure < best) continue;
    EXPECT_EQ(result.lambda, *tried.setting.values.lambda);
    break;
  }
}

TEST(MatchTraining, ChoosesLambdaWhereNothingIsSaid) {
  const MatchData data = data_of(random_graphs(6, {3, 3}, 7, 1));
  const MatchData few = data_of(random_graphs(4, {3, 3}, 7, 1));
  const auto tried = [](const MatchData& from, Estimator estimator, bool dev) {
    TrainOptions call;
    call.estimator = estimator;
    const auto held_out = std::span(from.examples).first(dev ? from.examples.size() : 0);
    return train(from, held_out, call).result.learned.tried.size();
  };
  EXPECT_GT(tried(data, Estimator::kMaxMargin, false), 2U);  // a walk, which ends behind its peak
  EXPECT_EQ(tried(data, Estimator::kMap, false), 0U);
  EXPECT_EQ(tried(few, Estimator::kMaxMargin, false), 0U);
  EXPECT_GT(tried(few, Estimator::kMap, true), 2U);
}

TEST(MatchTraining, GoesOnToTheSameBytesAfterAnInterruption) {
  TemporaryDirectory folder;
  const MatchData data = data_of(random_graphs(12, {4, 4}, 9, 1));
  for (const Estimator estimator : {Estimator::kMap, Estimator::kMaxMargin}) {
    for (const bool choosing : {false, true}) {
      TrainOptions call = options(estimator);
      call.training.checkpoint = folder.file("state");
      if (choosing) {
        call.training.learner.lambda.reset();
        call.training.candidates = {{"lambda", {0.3, 0.03}}};
        call.training.folds = 2;
      }
      const std::string whole = train(data, {}, call).model->to_bytes();
      std::stop_source source;
      TrainEvents events;
      events.stop = source.get_token();
      events.on_epoch = [&](const EpochRecord& record) {
        if (record.epoch == 3) source.request_stop();
      };
      const Trained stopped = train(data, {}, call, events);
      EXPECT_TRUE(stopped.result.learned.interrupted);
      EXPECT_EQ(stopped.model.has_value(), choosing);  // the best so far
      TrainOptions again = call;
      again.training.resume = true;
      TrainOptions other = again;
      other.training.seed = 7;
      EXPECT_THROW(train(data, {}, other), InputError);
      EXPECT_EQ(train(data, {}, again).model->to_bytes(), whole);
    }
  }
}

TEST(MatchTraining, RefusesOptionsThatDoNotFit) {
  const MatchData data = data_of(random_graphs(3, {2, 3}, 1));
  const auto refused = [&](auto change) {
    TrainOptions call = options(Estimator::kMaxMargin);
    change(call, call.training.learner);
    EXPECT_THROW(train(data, {}, call), UsageError);
  };
  refused([](TrainOptions&, LearnerOptions& said) { said.learner = parse_learner("lbfgs"); });
  refused([](TrainOptions&, LearnerOptions& said) { said.learner = parse_learner("smo"); });
  // Its sides are not equally large.
  refused(
      [](TrainOptions&, LearnerOptions& said) { said.learner = parse_learner("structured-smo"); });
  refused([](TrainOptions&, LearnerOptions& said) { said.draws = 5; });
  refused([](TrainOptions&, LearnerOptions& said) { said.loss = Loss::named("crf"); });
  refused([](TrainOptions&, LearnerOptions& said) { said.beta = 1; });
  refused([](TrainOptions&, LearnerOptions& said) { said.lambda = 0; });
  refused([](TrainOptions&, LearnerOptions& said) { said.k = 3; });
  refused([](TrainOptions& o, LearnerOptions&) { o.training.folds = 1; });
  refused([](TrainOptions& o, LearnerOptions& said) {
    said.lambda.reset();
    o.training.folds = 4;
  });
  refused([](TrainOptions& o, LearnerOptions&) { o.estimator = Estimator::kDistance; });
  refused([](TrainOptions& o, LearnerOptions& said) {
    said.lambda.reset();
    o.training.candidates = {{"lambda", {1, 2}}};
  });
  EXPECT_THROW(train_files({}, {}), UsageError);
}

TEST(MatchTraining, SaysHowManyNodesSumsCanTake) {
  const MatchData data = data_of(random_graphs(1, {25, 25}, 1));
  const auto refusal = [&](const TrainOptions& call) -> std::string {
    try {
      train(data, {}, call);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  TrainOptions call = options(Estimator::kMap);
  EXPECT_NE(refusal(call).find("--draws"), std::string::npos);
  call.training.learner.draws = 3;
  call.training.learner.eta = 0.01;
  call.training.learner.epochs = 1;
  EXPECT_EQ(refusal(call), "");
  TrainOptions entropic = options(Estimator::kMaxMargin);
  entropic.training.learner.learner = parse_learner("extragradient");
  entropic.training.learner.geometry = "entropic";
  EXPECT_NE(refusal(entropic).find("--geometry euclidean"), std::string::npos);
}

TEST(MatchTraining, SaysAllThatAResultHas) {
  const Trained found = trained(Estimator::kMap, random_graphs(10, {3, 3}, 3, 1));
  const Value record = found.result.record();
  for (const char* key : {"objective", "bound", "gap", "epochs", "seconds", "lambda", "examples",
                          "nodes", "edges", "weights", "train", "learner", "loss", "dials"}) {
    EXPECT_TRUE(record.contains(key)) << key;
  }
  EXPECT_EQ(record.at("nodes"), 30);
  EXPECT_EQ(found.model->training().at("loss"), "crf");
  EXPECT_EQ(found.model->training().at("lambda"), 0.01);
}

// The cost of a matching is the share of nodes that it gets wrong: what evaluation counts.
TEST(HammingCosts, EqualTheErrorThatIsCounted) {
  Random random(10);
  for (const GraphShape& shape : {GraphShape{3, 3}, GraphShape{2, 4}, GraphShape{4, 2}}) {
    const MatchData data = data_of(random_graphs(5, shape, 11));
    for (const MatchExample& example : data.examples) {
      for (const Cover cover : {Cover::kPerfect, Cover::kPartial}) {
        const Matching structure = example.structure(cover);
        const std::vector<double> p = hamming_costs(example);
        std::vector<double> s(structure.num_parts()), z(s.size()), truth(s.size());
        for (double& score : s) score = random.normal();
        Matching::Scratch scratch;
        Matching::Output y;
        structure.maximize(s, scratch, y);
        structure.indicator(y, z);
        structure.indicator(example.gold, truth);
        double cost = 0;
        for (Index e = 0; e < z.size(); ++e) cost += p[e] * (z[e] - truth[e]);
        MatchScores scores;
        scores.add(example, y);
        EXPECT_NEAR(100 * cost, scores.hamming(), 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace trellis::match
