// From files to a ranker, by both estimators.
#include "trellis/tasks/rank/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <stop_token>
#include <string>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/rank/small_queries.h"
#include "trellis/base/error.h"
#include "trellis/tasks/rank/query_reader.h"
#include "trellis/tasks/rank/rank_model.h"

namespace trellis::rank {
namespace {

using trellis::testing::content_of;
using trellis::testing::TemporaryDirectory;

class RankTraining : public ::testing::Test {
 protected:
  RankTraining() {
    write("train", testing::random_queries(30, 10, 1));
    write("dev", testing::random_queries(15, 10, 2));
  }
  void write(const char* name, const std::vector<Query>& queries) {
    std::ofstream(folder_.file(name)) << testing::to_file(queries);
  }
  TrainOptions options(Estimator estimator) const {
    TrainOptions options;
    options.files = {folder_.file("train")};
    options.model = folder_.file("m");
    options.estimator = estimator;
    options.threads = 1;
    return options;
  }
  RankScores test_scores() const {
    const RankModel model = RankModel::load(folder_.file("m"));
    const auto queries = testing::random_queries(40, 12, 3);
    return evaluate(model.features(), model.weights(), queries, Ndcg::kStandard, Empty::kZero, 1);
  }

  TemporaryDirectory folder_;
};

TEST_F(RankTraining, EveryLearnerOfBothEstimatorsRanksWell) {
  const std::vector<std::pair<Estimator, Learner>> cells = {
      {Estimator::kMap, Learner::kLbfgs},
      {Estimator::kMap, Learner::kBmrm},
      {Estimator::kMap, Learner::kBcfw},
      {Estimator::kMaxMargin, Learner::kBmrm},
      {Estimator::kMaxMargin, Learner::kBcfw}};
  for (const auto& [estimator, learner] : cells) {
    TrainOptions call = options(estimator);
    call.learner = learner;
    call.lambdas = {0.01};
    call.gap = 1e-3;
    const TrainResult result = train_ranker(call);
    EXPECT_GT(test_scores().ndcg(5), 0.93) << to_string(estimator) << " " << to_string(learner);
    EXPECT_LE(result.summary.gap, 1e-3 * result.summary.objective);
    EXPECT_LE(result.summary.bound, result.summary.objective);
  }
}

TEST_F(RankTraining, LearnersOfOneEstimatorFindOneOptimum) {
  for (const Estimator estimator : {Estimator::kMap, Estimator::kMaxMargin}) {
    TrainOptions call = options(estimator);
    call.gap = 1e-6;
    call.lambdas = {0.1};
    call.learner = Learner::kBmrm;
    const double by_bundles = train_ranker(call).summary.objective;
    call.learner = estimator == Estimator::kMap ? Learner::kLbfgs : Learner::kBcfw;
    EXPECT_NEAR(train_ranker(call).summary.objective, by_bundles, 2e-6 * by_bundles);
  }
}

TEST_F(RankTraining, ThreadsDoNotChangeAByte) {
  for (const Estimator estimator : {Estimator::kMap, Estimator::kMaxMargin}) {
    TrainOptions call = options(estimator);
    call.dev = folder_.file("dev");
    call.lambdas = {0.1, 0.01};
    train_ranker(call);
    const std::string once = content_of(call.model);
    call.threads = 3;
    train_ranker(call);
    EXPECT_EQ(content_of(call.model), once);
  }
}

TEST_F(RankTraining, ChoosesTheLambdaThatRanksTheDevQueriesBest) {
  TrainOptions call = options(Estimator::kMap);
  call.dev = folder_.file("dev");
  call.lambdas = {1e-3, 1e3, 1};
  call.select = Selection("ndcg@10");
  const TrainResult result = train_ranker(call);
  ASSERT_EQ(result.choices.size(), 3U);
  double best = 0;
  for (const auto& choice : result.choices) best = std::max(best, choice.figure);
  ASSERT_TRUE(result.dev);
  EXPECT_EQ(result.dev->ndcg(10), best);
  const RankModel model = RankModel::load(call.model);
  EXPECT_EQ(evaluate(model.features(), model.weights(), read_queries(call.dev), Ndcg::kStandard,
                     Empty::kZero, 1)
                .ndcg(10),
            best);
}

TEST_F(RankTraining, CrossValidationEndsWithAllQueries) {
  TrainOptions call = options(Estimator::kMap);
  call.folds = 3;
  call.lambdas = {0.1, 0.01};
  const TrainResult chosen = train_ranker(call);
  const std::string by_folds = content_of(call.model);
  EXPECT_EQ(chosen.choices.size(), 2U);
  call.folds = 0;
  call.lambdas = {chosen.lambda};
  train_ranker(call);
  const RankModel alone = RankModel::load(call.model);
  const RankModel chosen_model =
      RankModel::from_bytes(std::as_bytes(std::span(by_folds)), "by folds");
  EXPECT_TRUE(std::equal(alone.weights().begin(), alone.weights().end(),
                         chosen_model.weights().begin(), chosen_model.weights().end()));
}

// Interrupts after every few epochs, wherever in the sequence of runs that is.
TEST_F(RankTraining, ResumedRunsEndWithTheSameBytes) {
  for (const Estimator estimator : {Estimator::kMap, Estimator::kMaxMargin}) {
    TrainOptions call = options(estimator);
    call.folds = 2;
    call.lambdas = {0.1, 0.01};
    train_ranker(call);
    const std::string once = content_of(call.model);
    call.checkpoint = folder_.file("state");
    bool interrupted = true;
    int parts = 0;
    while (interrupted && parts < 200) {
      std::stop_source source;
      TrainEvents events;
      int epochs = 0;
      events.on_epoch = [&](const EpochRecord&) {
        if (++epochs == 4) source.request_stop();
      };
      events.stop = source.get_token();
      interrupted = train_ranker(call, events).interrupted;
      call.resume = true;
      ++parts;
    }
    EXPECT_GT(parts, 3);
    EXPECT_EQ(content_of(call.model), once);
    EXPECT_THROW(content_of(call.checkpoint).at(0), std::exception);
  }
}

TEST_F(RankTraining, RefusesTheStateOfAnotherRun) {
  TrainOptions call = options(Estimator::kMap);
  call.checkpoint = folder_.file("state");
  std::stop_source source;
  TrainEvents events;
  events.on_epoch = [&](const EpochRecord&) { source.request_stop(); };
  events.stop = source.get_token();
  ASSERT_TRUE(train_ranker(call, events).interrupted);
  call.resume = true;
  call.seed = 2;
  EXPECT_THROW(train_ranker(call), InputError);
}

TEST_F(RankTraining, FunctionsOfFeaturesRankWhatLinesCannot) {
  // Relevant in the middle.
  std::vector<Query> queries;
  for (Index q = 0; q < 40; ++q) {
    Query query;
    query.id = std::to_string(q);
    Random random(7, q);
    for (int d = 0; d < 12; ++d) {
      const double x = random.normal();
      testing::add_document(query, std::abs(x) < 0.5 ? 1 : 0, {{1, static_cast<float>(x)}});
    }
    queries.push_back(query);
  }
  write("train", queries);
  TrainOptions call = options(Estimator::kMap);
  call.normalization = Normalization::kNone;
  call.lambdas = {0.001};
  const auto figure = [&](const char* expansion) {
    call.expansion = Expansion::parse(expansion);
    train_ranker(call);
    const RankModel model = RankModel::load(call.model);
    return evaluate(model.features(), model.weights(), read_queries(call.files[0]), Ndcg::kStandard,
                    Empty::kSkip, 1)
        .ndcg(5);
  };
  EXPECT_LT(figure("none"), 0.7);
  EXPECT_GT(figure("binned:8"), 0.95);
  EXPECT_GT(figure("random:100"), 0.95);
}

TEST_F(RankTraining, RefusesWhatDoesNotGoTogether) {
  const auto with = [&](auto change) {
    TrainOptions call = options(Estimator::kMap);
    change(call);
    train_ranker(call);
  };
  EXPECT_THROW(with([](auto& o) { o.files.clear(); }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.lambdas = {1, 2}; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.lambdas = {0}; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.folds = 1; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.folds = 31; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.folds = 2, o.dev = "dev"; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.epochs = 0; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.gap = -1; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.gamma = NAN; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.subsets.size = 1; }), UsageError);
  EXPECT_THROW(with([](auto& o) {
                 o.estimator = Estimator::kMaxMargin;
                 o.learner = Learner::kLbfgs;
               }),
               UsageError);
}

TEST_F(RankTraining, RefusesExactSumsOverTooManyOrders) {
  write("train", testing::random_queries(2, 30, 5));
  TrainOptions call = options(Estimator::kMap);
  call.subsets.size = 30;
  call.subsets.fraction = 0.01;
  EXPECT_THROW(train_ranker(call), UsageError);
  call.estimator = Estimator::kMaxMargin;
  EXPECT_NO_THROW(train_ranker(call));
}

TEST_F(RankTraining, QueriesOfOneGradeSayNothing) {
  auto queries = testing::random_queries(5, 6, 4);
  queries.push_back(testing::graded("flat", {1, 1, 1}));
  queries.push_back(testing::graded("single", {2}));
  write("train", queries);
  const TrainResult result = train_ranker(options(Estimator::kMap));
  EXPECT_EQ(result.silent_queries, 2U);
  EXPECT_EQ(result.queries, 7U);
  write("train", {testing::graded("flat", {1, 1, 1})});
  EXPECT_THROW(train_ranker(options(Estimator::kMap)), InputError);
}

}  // namespace
}  // namespace trellis::rank
