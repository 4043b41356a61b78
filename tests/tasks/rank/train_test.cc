// From graded documents to a ranker, by every learner.
#include "trellis/tasks/rank/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/rank/small_queries.h"
#include "trellis/base/error.h"
#include "trellis/fit/dials.h"
#include "trellis/tasks/rank/predict.h"
#include "trellis/tasks/rank/rank_trial.h"

namespace trellis::rank {
namespace {

using trellis::testing::TemporaryDirectory;

RankData data_of(std::vector<Query> queries) {
  return {"queries", std::move(queries)};
}

class RankTraining : public ::testing::Test {
 protected:
  static TrainOptions options(const char* loss = "crf") {
    TrainOptions options;
    options.training.learner.loss = Loss::named(loss);
    options.training.threads = 1;
    return options;
  }
  Trained train_on(const TrainOptions& options) const { return train(train_, nullptr, options); }
  Trained watched(const TrainOptions& options) const { return train(train_, &dev_, options); }
  static double ndcg(const RankModel& model, Index k) {
    return evaluate(model, testing::random_queries(40, 12, 3), {}).ndcg(k);
  }

  RankData train_ = data_of(testing::random_queries(30, 10, 1));
  RankData dev_ = data_of(testing::random_queries(15, 10, 2));
};

TEST_F(RankTraining, EveryLearnerRanksWellWithEachOfItsLosses) {
  train_ = data_of(testing::random_queries(12, 8, 1));
  Index cells = 0;
  for (const LearnerKind learner : learners_for(able()).list()) {
    for (const char* loss : {"crf", "softmax-margin", "svm", "perceptron"}) {
      TrainOptions call = options(loss);
      call.training.learner.learner = learner;
      if (dial("lambda").learners.has(learner)) call.training.learner.lambda = 0.03;
      if (dial("gap").learners.has(learner)) call.training.learner.gap = 1e-2;
      try {
        plan(call, false);
      } catch (const UsageError&) {
        continue;
      }
      ++cells;
      EXPECT_GT(ndcg(*train_on(call).model, 5), 0.85) << to_string(learner) << " " << loss;
    }
  }
  // lbfgs 2; dca, bcfw and bmrm 3 each; sgd 4; perceptron 2; the others the hinge alone.
  EXPECT_EQ(cells, 22U);
}

TEST_F(RankTraining, LearnersOfOneLossFindOneOptimum) {
  const auto optimum = [&](const char* loss, const char* learner, const char* dual = nullptr) {
    TrainOptions call = options(loss);
    call.training.learner.learner = parse_learner(learner);
    call.training.learner.gap = 1e-5;
    if (dual != nullptr) call.training.learner.dual = dual;
    const Trained trained = train_on(call);
    const LearnSummary& summary = trained.result.learned.fitted.summary;
    EXPECT_LE(summary.gap(), 1e-5) << learner;
    return summary.objective;
  };
  const double smooth = optimum("crf", "lbfgs");
  EXPECT_NEAR(optimum("crf", "bmrm"), smooth, 2e-5 * smooth);
  EXPECT_NEAR(optimum("crf", "bcfw"), smooth, 2e-5 * smooth);
  const double hinge = optimum("svm", "bmrm");
  EXPECT_NEAR(optimum("svm", "bcfw"), hinge, 2e-5 * hinge);
  EXPECT_NEAR(optimum("svm", "structured-smo"), hinge, 2e-5 * hinge);
}

TEST_F(RankTraining, SilenceMeansMostProbableWeightsToACertifiedGap) {
  TrainOptions silent;
  silent.training.threads = 1;
  const Trained trained = train_on(silent);
  EXPECT_EQ(trained.result.learned.choice.loss.description(), "crf");
  EXPECT_EQ(trained.result.lambda, 0.1);
  const LearnSummary& summary = trained.result.learned.fitted.summary;
  EXPECT_LE(summary.gap(), 1e-6);
  TrainOptions named = silent;
  named.estimator = Estimator::kMap;
  EXPECT_EQ(train_on(named).model->to_bytes(), trained.model->to_bytes());
}

TEST_F(RankTraining, AnEstimatorIsALossByAnotherName) {
  TrainOptions margin;
  margin.estimator = Estimator::kMaxMargin;
  EXPECT_EQ(plan(margin, false).choice.description(),
            plan(options("svm"), false).choice.description());
  TrainOptions scaled;
  scaled.estimator = Estimator::kMap;
  scaled.training.learner.gamma = 1;
  EXPECT_EQ(plan(scaled, false).choice.loss.description(), "softmax-margin");
  TrainOptions contradiction = options("svm");
  contradiction.estimator = Estimator::kMap;
  EXPECT_THROW(plan(contradiction, false), UsageError);
  TrainOptions other_beta = margin;
  other_beta.training.learner.beta = 1;
  EXPECT_THROW(plan(other_beta, false), UsageError);
}

TEST_F(RankTraining, ThreadsDoNotChangeAByte) {
  for (const char* loss : {"crf", "svm"}) {
    TrainOptions call = options(loss);
    call.training.candidates = {{"lambda", {0.1, 0.01}}};
    const std::string once = watched(call).model->to_bytes();
    call.training.threads = 3;
    EXPECT_EQ(watched(call).model->to_bytes(), once);
  }
}

TEST_F(RankTraining, ChoosesTheLambdaThatRanksTheDevQueriesBest) {
  TrainOptions call = options();
  call.training.candidates = {{"lambda", {1e-3, 1e3, 1}}};
  call.select = Selection("ndcg@10");
  const Trained trained = watched(call);
  const std::vector<Tried>& tried = trained.result.learned.tried;
  ASSERT_EQ(tried.size(), 3U);
  double best = 0;
  for (const Tried& one : tried) best = std::max(best, one.figure);
  EXPECT_EQ(trained.result.dev->ndcg(10), best);
  EXPECT_EQ(evaluate(*trained.model, dev_.queries, {}).ndcg(10), best);
}

TEST_F(RankTraining, WhereThereIsSomethingToChooseByLambdaIsChosen) {
  const auto chosen = [](const TrainOptions& options, bool has_dev) {
    return plan(options, has_dev).training.candidates.size();
  };
  TrainOptions call = options();
  EXPECT_EQ(chosen(call, false), 0U);
  EXPECT_EQ(chosen(call, true), 1U);
  EXPECT_GT(watched(call).result.learned.tried.size(), 2U);  // a walk, which ends behind its peak
  call.training.learner.c = 1;
  EXPECT_EQ(chosen(call, true), 0U);
  call.training.folds = 3;
  EXPECT_THROW(plan(call, false), UsageError);  // nothing to choose
}

TEST_F(RankTraining, CrossValidationEndsWithAllQueries) {
  TrainOptions call = options();
  call.training.folds = 3;
  call.training.candidates = {{"lambda", {0.1, 0.01}}};
  const Trained chosen = train_on(call);
  EXPECT_EQ(chosen.result.learned.tried.size(), 2U);
  TrainOptions alone = options();
  alone.training.learner.lambda = chosen.result.lambda;
  const Trained direct = train_on(alone);
  EXPECT_TRUE(std::equal(direct.model->weights().begin(), direct.model->weights().end(),
                         chosen.model->weights().begin(), chosen.model->weights().end()));
}

// What a fold says of its queries is what an evaluation of those says that has never seen the rest,
// and the figure of all folds is that of all queries, however those without a relevant document
// count.
TEST_F(RankTraining, TreesAreTooLargeForQp) {
  train_ = data_of(testing::random_queries(12, 4, 1));
  const auto tried = [&](LearnerKind learner) {
    TrainOptions call = options("svm");
    call.race = standard_race();
    call.subsets.size = 2;
    call.training.learner.learner = learner;
    call.training.candidates = {{"lambda", {0.1, 1}}};
    call.training.learner.epochs =
        learner == LearnerKind::kQp ? std::nullopt : std::optional<Index>(2);
    call.training.folds = 2;
    return train_on(call).result.learned.variants;
  };
  EXPECT_EQ(tried(LearnerKind::kQp), (std::vector<std::string>{"none", "binned:8"}));
  EXPECT_EQ(tried(LearnerKind::kBcfw).size(), 3U);
}

TEST_F(RankTraining, TheFigureOfAllFoldsIsThatOfAllQueries) {
  train_.queries.push_back(testing::graded("none", {0, 0, 0}));
  train_.queries.push_back(testing::graded("nothing", {0}));
  for (const Empty empty : {Empty::kZero, Empty::kOne, Empty::kSkip}) {
    for (const char* select : {"mean", "map", "ndcg@3"}) {
      TrainOptions call = options();
      call.empty = empty;
      call.select = Selection(select);
      const Plan planned = plan(call, false);
      const std::vector<double> w = {1, -0.5, 0.25};
      std::vector<double> sum;
      RankScores pooled(call.ndcg, call.empty);
      const std::span<const Query> all = train_.queries;
      for (const auto& [first, count] : {std::pair<Index, Index>{0, 11}, {11, 11}, {22, 10}}) {
        const RankTrial trial(call, planned.choice, "q", all, all.subspan(first, count), 1);
        const std::vector<double> tally = trial.tally(w);
        sum.resize(tally.size());
        for (Index k = 0; k < tally.size(); ++k) sum[k] += tally[k];
        const RankModel model(trial.features(), w, {});
        const RankScores scores =
            evaluate(model, all.subspan(first, count), {call.ndcg, call.empty, 1});
        EXPECT_EQ(call.select.figure(tally), call.select(scores));
      }
      const RankTrial whole(call, planned.choice, "q", all, all, 1);
      EXPECT_NEAR(call.select.figure(sum), call.select(whole.scores(w)), 1e-14);
    }
  }
}

// Interrupts again and again, wherever in the sequence of runs that is.
TEST_F(RankTraining, ResumedRunsEndWithTheSameBytes) {
  const TemporaryDirectory folder;
  for (const char* loss : {"crf", "svm"}) {
    for (const Index folds : {0, 2}) {
      TrainOptions call = options(loss);
      call.training.folds = folds;
      call.training.candidates = {{"lambda", {0.1, 0.01}}};
      const RankData* dev = folds == 0 ? &dev_ : nullptr;
      const std::string once = train(train_, dev, call).model->to_bytes();
      call.training.checkpoint = folder.file("state");
      call.training.resume = false;
      Trained trained;
      int parts = 0;
      do {
        std::stop_source source;
        TrainEvents events;
        int seen = 0;
        events.on_epoch = [&](const EpochRecord&) {
          if (++seen == 4) source.request_stop();
        };
        int told = 0;  // of fits, those that are known among them
        events.on_progress = [&](const std::string&) {
          if (++told > parts) source.request_stop();
        };
        events.stop = source.get_token();
        trained = train(train_, dev, call, events);
        call.training.resume = true;
        ++parts;
      } while (trained.result.learned.interrupted && parts < 1000);
      EXPECT_GT(parts, 3);
      ASSERT_TRUE(trained.model);
      EXPECT_EQ(trained.model->to_bytes(), once);
      trained.result.learned.stages->discard();
      EXPECT_FALSE(std::filesystem::exists(call.training.checkpoint));
    }
  }
}

TEST_F(RankTraining, RefusesTheStateOfAnotherRun) {
  const TemporaryDirectory folder;
  TrainOptions call = options();
  call.training.checkpoint = folder.file("state");
  std::stop_source source;
  TrainEvents events;
  events.on_epoch = [&](const EpochRecord&) { source.request_stop(); };
  events.stop = source.get_token();
  ASSERT_TRUE(train(train_, nullptr, call, events).result.learned.interrupted);
  call.training.resume = true;
  TrainOptions other = call;
  other.training.seed = 2;
  EXPECT_THROW(train_on(other), InputError);
  other = call;
  other.training.options_given = "\n--position root";  // as the command says it
  EXPECT_THROW(train_on(other), InputError);
  EXPECT_THROW(watched(call), std::exception);
  EXPECT_NO_THROW(train_on(call));
}

TEST_F(RankTraining, FunctionsOfFeaturesRankWhatLinesCannot) {
  // Relevant in the middle.
  train_.queries.clear();
  for (Index q = 0; q < 40; ++q) {
    Query query;
    query.id = std::to_string(q);
    Random random(7, q);
    for (int d = 0; d < 12; ++d) {
      const double x = random.normal();
      testing::add_document(query, std::abs(x) < 0.5 ? 1 : 0, {{1, static_cast<float>(x)}});
    }
    train_.queries.push_back(query);
  }
  TrainOptions call = options();
  call.normalization = Normalization::kNone;
  call.training.learner.lambda = 0.001;
  const auto figure = [&](const char* expansion) {
    call.expansion = Expansion::parse(expansion);
    return evaluate(*train_on(call).model, train_.queries, {Ndcg::kStandard, Empty::kSkip, 1})
        .ndcg(5);
  };
  EXPECT_LT(figure("none"), 0.7);
  EXPECT_GT(figure("binned:8"), 0.95);
  EXPECT_GT(figure("random:100"), 0.95);
}

TEST_F(RankTraining, RefusesWhatDoesNotGoTogether) {
  const auto with = [&](auto change) {
    TrainOptions call = options();
    change(call, call.training.learner);
    train_on(call);
  };
  using Options = TrainOptions;
  using Said = LearnerOptions;
  EXPECT_THROW(with([](Options& o, Said&) {
                 o.training.candidates = {{"lambda", {1, 2}}};
               }),
               UsageError);
  EXPECT_THROW(with([](Options&, Said& s) { s.lambda = 0; }), UsageError);
  EXPECT_THROW(with([](Options& o, Said&) { o.training.folds = 1; }), UsageError);
  EXPECT_THROW(with([](Options& o, Said&) { o.training.folds = 31; }), UsageError);
  EXPECT_THROW(with([](Options&, Said& s) { s.epochs = 0; }), UsageError);
  EXPECT_THROW(with([](Options&, Said& s) { s.gap = -1; }), UsageError);
  EXPECT_THROW(with([](Options&, Said& s) { s.gamma = NAN; }), UsageError);
  EXPECT_THROW(with([](Options& o, Said&) { o.subsets.size = 1; }), UsageError);
  EXPECT_THROW(with([](Options&, Said& s) {
                 s.loss = Loss::named("svm");
                 s.learner = parse_learner("lbfgs");
               }),
               UsageError);
  EXPECT_THROW(with([](Options&, Said& s) {
                 s.loss.reset();
                 s.learner = parse_learner("perceptron");
                 s.voters = 3;
               }),
               UsageError);
  EXPECT_THROW(with([](Options&, Said& s) { s.learner = parse_learner("smo"); }), UsageError);
  TrainOptions both = options();
  both.training.folds = 2;
  EXPECT_THROW(watched(both), UsageError);
  EXPECT_THROW(read_rank_data({}), UsageError);
}

TEST_F(RankTraining, RefusesExactSumsOverTooManyOrders) {
  train_ = data_of(testing::random_queries(2, 30, 5));
  TrainOptions call = options();
  call.subsets.size = 30;
  call.subsets.fraction = 0.01;
  EXPECT_THROW(train_on(call), UsageError);
  call.training.learner.loss = Loss::named("svm");
  EXPECT_NO_THROW(train_on(call));
  call.training.learner.learner = parse_learner("extragradient");
  call.training.learner.epochs = 1;
  call.training.learner.geometry = "entropic";
  EXPECT_THROW(train_on(call), UsageError);
  call.training.learner.geometry = "euclidean";
  EXPECT_NO_THROW(train_on(call));
}

TEST_F(RankTraining, QueriesOfOneGradeSayNothing) {
  train_ = data_of(testing::random_queries(5, 6, 4));
  train_.queries.push_back(testing::graded("flat", {1, 1, 1}));
  train_.queries.push_back(testing::graded("single", {2}));
  const TrainResult result = train_on(options()).result;
  EXPECT_EQ(result.silent_queries, 2U);
  EXPECT_EQ(result.queries, 7U);
  train_ = data_of({testing::graded("flat", {1, 1, 1})});
  EXPECT_THROW(train_on(options()), InputError);
}

}  // namespace
}  // namespace trellis::rank
