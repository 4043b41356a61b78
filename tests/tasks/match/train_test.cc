// From files to a model, for both estimators.
#include "trellis/tasks/match/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/match/match_graphs.h"
#include "trellis/base/error.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/structure/covering_matching.h"
#include "trellis/tasks/match/choose_lambda.h"
#include "trellis/tasks/match/graph_model.h"
#include "trellis/tasks/match/matcher.h"

namespace trellis::match {
namespace {

using testing::GraphShape;
using testing::random_graphs;
using trellis::testing::content_of;
using trellis::testing::TemporaryDirectory;

static_assert(PartModel<GraphModel<Matching>> && PartModel<GraphModel<CoveringMatching>>);

class MatchTraining : public ::testing::Test {
 protected:
  TrainOptions options(Estimator estimator, const std::string& text) {
    TrainOptions options;
    options.files = {folder_.make("train.txt", text)};
    options.estimator = estimator;
    options.lambdas = {0.01};
    options.model = folder_.file("m");
    options.threads = 1;
    return options;
  }
  MatchScores test_scores(const std::string& text) {
    const MatchModel model = MatchModel::load(folder_.file("m"));
    const MatchInput input{{folder_.make("test.txt", text)}, false, {}, true};
    return evaluate(Matcher(model), read_examples(input, model.features(), 1), 1);
  }

  TemporaryDirectory folder_;
};

TEST_F(MatchTraining, FindsTheWeightsBehindTheMatchings) {
  const GraphShape shapes[] = {
      {5, 5, 1, false}, {3, 6, 1, true}, {6, 4, 1, false}, {5, 5, 0.6, true}};
  for (const Estimator estimator : {Estimator::kMap, Estimator::kMaxMargin}) {
    for (const GraphShape& shape : shapes) {
      train_matcher(options(estimator, random_graphs(40, shape, 1)));
      const MatchScores scores = test_scores(random_graphs(60, shape, 2));
      EXPECT_LT(scores.hamming(), 4)
          << to_string(estimator) << " " << shape.left << " by " << shape.right;
      EXPECT_EQ(scores.graphs().size(), 60U);
    }
  }
}

TEST_F(MatchTraining, BothLearnersOfTheMarginFindOneOptimum) {
  TrainOptions call = options(Estimator::kMaxMargin, random_graphs(20, {4, 4}, 3, 1));
  call.gap = 1e-4;
  const double bmrm = train_matcher(call).summary.objective;
  call.learner = Learner::kBcfw;
  const TrainResult other = train_matcher(call);
  EXPECT_NEAR(other.summary.objective, bmrm, 2e-4 * bmrm);
  EXPECT_LE(other.summary.bound, bmrm * (1 + 1e-9));
}

TEST_F(MatchTraining, DrawsLeadToTheOptimumOfExactSums) {
  TrainOptions call = options(Estimator::kMap, random_graphs(30, {4, 5}, 12, 1));
  call.lambdas = {0.1};
  train_matcher(call);
  const MatchModel exact = MatchModel::load(call.model);
  call.draws = 20;
  call.eta = 0.5;
  call.epochs = 60;
  const TrainResult result = train_matcher(call);
  EXPECT_EQ(result.learner, Learner::kSgd);
  EXPECT_EQ(result.draws.acceptance, 1);  // tables of sums
  EXPECT_GT(result.draws.gradient_error, 0);
  const MatchModel drawn = MatchModel::load(call.model);
  for (Index k = 0; k < 3; ++k) EXPECT_NEAR(drawn.weights()[k], exact.weights()[k], 0.05);
}

TEST_F(MatchTraining, NormalizingDoesNotChangeWhatAScaleMeans) {
  // Features a thousand times as large are the same problem, once they are normalized.
  const GraphShape shape{4, 4, 1, false};
  train_matcher(options(Estimator::kMap, random_graphs(10, shape, 4)));
  const MatchModel small = MatchModel::load(folder_.file("m"));
  std::string text = random_graphs(10, shape, 4);
  std::string scaled;
  for (Index at = 0; at < text.size(); ++at) {
    scaled += text[at];
    // The last column of each edge has four decimals: "0.1234\n" becomes "0.1234e3\n".
    if (at + 1 < text.size() && text[at + 1] == '\n' && text[at] >= '0' && text[at] <= '9' &&
        at > 4 && text[at - 4] == '.') {
      scaled += "e3";
    }
  }
  train_matcher(options(Estimator::kMap, scaled));
  const MatchModel large = MatchModel::load(folder_.file("m"));
  EXPECT_NEAR(large.weights()[0], small.weights()[0], 1e-4 * std::abs(small.weights()[0]));
  EXPECT_NEAR(1000 * large.weights()[2], small.weights()[2], 1e-3 * std::abs(small.weights()[2]));
}

TEST_F(MatchTraining, EveryNormalizationLearns) {
  for (const Normalize normalize : {Normalize::kEach, Normalize::kCommon, Normalize::kNone}) {
    TrainOptions call = options(Estimator::kMap, random_graphs(40, {4, 4}, 13));
    call.normalize = normalize;
    EXPECT_LT(train_matcher(call).train->hamming(), 4) << to_string(normalize);
    EXPECT_EQ(MatchModel::load(call.model).training().at("normalize"), to_string(normalize));
    EXPECT_EQ(parse_normalize(to_string(normalize)), normalize);
  }
}

TEST_F(MatchTraining, PartialMatchingsLearnWhoStaysSingle) {
  // An edge is true where its feature is positive; the constant feature says what staying single is
  // worth.
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
  TrainOptions call = options(Estimator::kMaxMargin, text);
  EXPECT_THROW(train_matcher(call), InputError);  // they do not cover a side
  call.cover = Cover::kPartial;
  EXPECT_LT(train_matcher(call).train->hamming(), 2);
  call.estimator = Estimator::kMap;
  EXPECT_THROW(train_matcher(call), UsageError);
}

TEST_F(MatchTraining, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const Estimator estimator : {Estimator::kMap, Estimator::kMaxMargin}) {
    TrainOptions call = options(estimator, random_graphs(30, {4, 5}, 6, 1));
    call.lambdas = {0.1, 0.01};
    call.folds = 3;
    train_matcher(call);
    const std::string one = content_of(call.model);
    call.threads = 4;
    train_matcher(call);
    EXPECT_EQ(content_of(call.model), one);
  }
}

TEST_F(MatchTraining, ChoosesTheLambdaWithTheFewestMistakes) {
  TrainOptions call = options(Estimator::kMaxMargin, random_graphs(12, {5, 5}, 7, 2));
  call.lambdas = {100, 1, 0.01};
  call.dev = {folder_.make("dev.txt", random_graphs(30, {5, 5}, 8, 2))};
  const TrainResult result = train_matcher(call);
  ASSERT_EQ(result.choices.size(), 3U);
  double best = 100;
  for (const LambdaFigure& figure : result.choices) best = std::min(best, figure.hamming);
  EXPECT_EQ(result.dev->hamming(), best);
  EXPECT_EQ(result.lambda, best_lambda(result.choices));
}

TEST(ChooseLambda, TakesTheLargestOfEquals) {
  const LambdaFigure figures[] = {{0.1, 5}, {1, 3}, {10, 3}, {100, 4}};
  EXPECT_EQ(best_lambda(figures), 10);
}

TEST(ChooseLambda, FoldsShareOutAllExamples) {
  const auto folds = deal_folds(11, 3, 1);
  std::vector<bool> seen(11, false);
  for (const auto& fold : folds) {
    EXPECT_GE(fold.size(), 3U);
    for (const Index i : fold) {
      EXPECT_FALSE(seen[i]);
      seen[i] = true;
    }
  }
}

TEST(ChooseLambda, GoesOnWhereItWasInterrupted) {
  const double lambdas[] = {1, 0.1};
  const auto folds = deal_folds(6, 2, 1);
  Checkpoint checkpoint;
  std::vector<LambdaFigure> figures;
  Index runs = 0;
  const auto until = [&](Index last) {
    return [&runs, last](double, std::span<const Index>, std::span<const Index>, MatchScores&) {
      return ++runs <= last;
    };
  };
  EXPECT_FALSE(try_lambdas(lambdas, folds, 6, until(3), checkpoint, figures));
  EXPECT_EQ(runs, 4U);
  EXPECT_TRUE(try_lambdas(lambdas, folds, 6, until(99), checkpoint, figures));
  EXPECT_EQ(runs, 5U);
  EXPECT_EQ(figures.size(), 2U);
}

TEST_F(MatchTraining, GoesOnToTheSameBytesAfterAnInterruption) {
  for (const Estimator estimator : {Estimator::kMap, Estimator::kMaxMargin}) {
    for (const bool choosing : {false, true}) {
      TrainOptions call = options(estimator, random_graphs(12, {4, 4}, 9, 1));
      if (choosing) {
        call.lambdas = {0.3, 0.03};
        call.folds = 2;
      }
      call.checkpoint = folder_.file("state");
      train_matcher(call);
      const std::string whole = content_of(call.model);
      for (const Index stop_after : {Index{1}, Index{3}}) {
        std::stop_source source;
        TrainEvents events;
        events.stop = source.get_token();
        events.on_epoch = [&](const EpochRecord& record) {
          if (record.epoch == stop_after) source.request_stop();
        };
        EXPECT_TRUE(train_matcher(call, events).interrupted);
        TrainOptions again = call;
        again.resume = true;
        train_matcher(again);
        EXPECT_EQ(content_of(call.model), whole);
        again.lambdas.push_back(7);
        EXPECT_THROW(train_matcher(again), std::exception);  // the state is gone, or another's
      }
      // While λ is being chosen.
      if (!choosing) continue;
      std::stop_source source;
      TrainEvents events;
      events.stop = source.get_token();
      events.on_phase = [&](const std::string& message) {
        if (message.starts_with("lambda 0.3")) source.request_stop();
      };
      EXPECT_TRUE(train_matcher(call, events).interrupted);
      call.resume = true;
      train_matcher(call);
      EXPECT_EQ(content_of(call.model), whole);
    }
  }
}

TEST_F(MatchTraining, RefusesOptionsThatDoNotFit) {
  const auto refused = [&](auto change) {
    TrainOptions call = options(Estimator::kMaxMargin, random_graphs(3, {2, 2}, 1));
    change(call);
    EXPECT_THROW(train_matcher(call), UsageError);
  };
  refused([](TrainOptions& o) { o.learner = Learner::kLbfgs; });
  refused([](TrainOptions& o) { o.draws = 5; });
  refused([](TrainOptions& o) {
    o.estimator = Estimator::kMap;
    o.learner = Learner::kSgd;
  });
  refused([](TrainOptions& o) { o.lambdas = {0}; });
  refused([](TrainOptions& o) { o.lambdas = {1, 2}; });
  refused([](TrainOptions& o) { o.folds = 1; });
  refused([](TrainOptions& o) { o.folds = 4; });
  refused([](TrainOptions& o) { o.estimator = Estimator::kDistance; });
  refused([](TrainOptions& o) { o.files.clear(); });
  refused([](TrainOptions& o) {
    o.estimator = Estimator::kMap;
    o.learner = Learner::kBmrm;
  });
}

TEST_F(MatchTraining, SaysHowManyNodesSumsCanTake) {
  const TrainOptions call = options(Estimator::kMap, random_graphs(1, {25, 25}, 1));
  try {
    train_matcher(call);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("--draws"), std::string::npos);
  }
}

// The cost of a matching is the share of nodes that it gets wrong: what evaluation counts.
TEST(HammingCosts, EqualTheErrorThatIsCounted) {
  TemporaryDirectory folder;
  Random random(10);
  for (const GraphShape& shape : {GraphShape{3, 3}, GraphShape{2, 4}, GraphShape{4, 2}}) {
    const TrainingData data =
        read_training_data({{folder.make("g.txt", random_graphs(5, shape, 11))}, false, {}, true},
                           {}, Cover::kPerfect, 1);
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
