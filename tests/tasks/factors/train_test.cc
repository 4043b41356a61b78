// From graphs to a model, with every inference and every learner that it allows.
#include "trellis/tasks/factors/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/factors/enumerated_graph.h"
#include "tests/tasks/factors/toy_graphs.h"
#include "trellis/base/error.h"
#include "trellis/fit/dials.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/structure/graphs/belief_factor_graph.h"
#include "trellis/structure/graphs/reweighted_factor_graph.h"
#include "trellis/tasks/factors/feature_map.h"
#include "trellis/tasks/factors/graph_decoder.h"
#include "trellis/tasks/factors/graph_model.h"

namespace trellis::factors {
namespace {

using testing::Shape;
using testing::toy_data;
using trellis::testing::EnumeratedGraph;
using trellis::testing::TemporaryDirectory;

TrainOptions options_of(const std::string& learner, const std::string& loss,
                        std::optional<Inference> inference) {
  TrainOptions options;
  LearnerOptions& said = options.training.learner;
  said.learner = parse_learner(learner);
  said.loss = Loss::named(loss);
  if (said.learner != parse_learner("perceptron")) said.c = 1;
  options.inference = inference;
  options.training.threads = 1;
  return options;
}

// To the optimum.
Trained trained_to_gap(const FactorsData& data, const std::string& learner, const std::string& loss,
                       Inference inference, double gap) {
  TrainOptions options = options_of(learner, loss, inference);
  LearnerOptions& said = options.training.learner;
  if (said.learner == parse_learner("dca")) said.dual = "stored";
  if (said.learner != parse_learner("qp")) said.epochs = 2000;
  said.gap = gap;
  return train(data, {}, options);
}

double objective(const Trained& trained) {
  return trained.result.learned.fitted.summary.objective;
}

// λ/2‖w‖² + (1/n) Σ L_i(w) with best outputs by enumeration.
double enumerated_objective(const FactorsData& data, std::span<const double> w, double lambda) {
  const GraphModel<EnumeratedGraph> model(data.graphs, data.features.dimension());
  const HingeProblem<GraphModel<EnumeratedGraph>> problem(model);
  const auto scratch = problem.make_scratch();
  Cut cut;
  double sum = 0;
  for (Index i = 0; i < problem.num_examples(); ++i) sum += problem.evaluate(i, w, *scratch, cut);
  double squares = 0;
  for (const double weight : w) squares += weight * weight;
  return lambda / 2 * squares + sum / static_cast<double>(problem.num_examples());
}

// Each is within its own gap of the optimum, and that is what the reference has.
TEST(FactorsTraining, LearnersOfBestOutputsReachOneCertifiedOptimum) {
  const FactorsData data = toy_data(5, 1);
  for (const Inference inference : {Inference::kExact, Inference::kRelaxed}) {
    const double optimum = objective(trained_to_gap(data, "bmrm", "svm", inference, 1e-5));
    for (const char* learner : {"bcfw", "dca"}) {
      const Trained trained = trained_to_gap(data, learner, "svm", inference, 3e-3);
      const LearnSummary& summary = trained.result.learned.fitted.summary;
      ASSERT_TRUE(trained.model) << learner;
      EXPECT_LE(summary.gap(), 3e-3) << learner << " " << to_string(inference);
      EXPECT_LE(summary.bound, optimum + 1e-5) << learner;
      EXPECT_GE(summary.objective, optimum - 2e-5) << learner;
      if (inference != Inference::kExact) continue;
      EXPECT_NEAR(enumerated_objective(data, trained.model->weights(), trained.result.lambda),
                  summary.objective, 1e-6);
    }
  }
}

TEST(FactorsTraining, TheRelaxedLossIsNowhereBelowTheExactOne) {
  const FactorsData data = toy_data(4, 2);
  const Trained relaxed = trained_to_gap(data, "bmrm", "svm", Inference::kRelaxed, 1e-3);
  EXPECT_GE(objective(relaxed) + 1e-9,
            enumerated_objective(data, relaxed.model->weights(), relaxed.result.lambda));
  // Where the relaxation is tight, they are the same.
  const FactorsData forest = toy_data(4, 2, Shape::kForest);
  EXPECT_NEAR(objective(trained_to_gap(forest, "bmrm", "svm", Inference::kRelaxed, 1e-4)),
              objective(trained_to_gap(forest, "bmrm", "svm", Inference::kExact, 1e-4)), 3e-4);
}

// (1/n) Σ L_i(w) of the conditional likelihood, with the sums of a structure.
template <class S>
double likelihood_loss(const FactorsData& data, std::span<const double> w) {
  const GraphModel<S> model(data.graphs, data.features.dimension());
  const SmoothProblem<GraphModel<S>> problem(model);
  const auto scratch = problem.make_scratch();
  Cut cut;
  double sum = 0;
  for (Index i = 0; i < problem.num_examples(); ++i) sum += problem.evaluate(i, w, *scratch, cut);
  return sum / static_cast<double>(problem.num_examples());
}

// The same by enumeration.
double enumerated_loss(const FactorsData& data, std::span<const double> w) {
  double sum = 0;
  for (const GraphRecord& graph : data.graphs) {
    const EnumeratedGraph structure(graph.layout);
    std::vector<double> s(graph.layout.num_parts());
    part_scores(graph.rows, w, s);
    const double truth = structure.score(s, graph.gold);
    double odds = 0;
    for (const auto& y : structure.outputs()) odds += std::exp(structure.score(s, y) - truth);
    sum += std::log(odds);
  }
  return sum / static_cast<double>(data.graphs.size());
}

TEST(FactorsTraining, SumsAreExactWithoutCyclesAndElsewhereBounded) {
  Random random(11);
  for (const Shape shape : {Shape::kForest, Shape::kCycle}) {
    const FactorsData data = toy_data(6, 4, shape);
    for (const double size : {0.1, 1.0, 3.0}) {
      std::vector<double> w(data.features.dimension());
      for (double& weight : w) weight = size * random.normal();
      const double exact = enumerated_loss(data, w);
      const double bound = likelihood_loss<ReweightedFactorGraph>(data, w);
      EXPECT_GE(bound, exact - 1e-9 * (1 + exact));
      if (shape == Shape::kCycle) continue;
      EXPECT_NEAR(bound, exact, 1e-6 * (1 + exact));
      EXPECT_NEAR(likelihood_loss<BeliefFactorGraph>(data, w), exact, 1e-6 * (1 + exact));
    }
  }
}

TEST(FactorsTraining, LearnersOfBoundedSumsComeToOneObjective) {
  const FactorsData data = toy_data(4, 3);
  std::optional<double> lowest;
  for (const char* learner : {"lbfgs", "sgd"}) {
    TrainOptions options = options_of(learner, "crf", Inference::kReweighted);
    options.training.learner.epochs = 100;
    const Trained trained = train(data, {}, options);
    double squares = 0;
    for (const double weight : trained.model->weights()) squares += weight * weight;
    const double value = trained.result.lambda / 2 * squares +
                         likelihood_loss<ReweightedFactorGraph>(data, trained.model->weights());
    if (!lowest) lowest = value;
    EXPECT_NEAR(value, *lowest, 0.02 * *lowest) << learner;
  }
}

TEST(FactorsTraining, EveryInferenceLearnsMostOfTheToy) {
  const FactorsData data = toy_data(24, 5);
  FactorFeatures features = data.features.frozen_copy();
  const std::string text = testing::toy_text(24, 6);
  const auto test = read_graphs(InputFile::from_bytes(text, "test.txt"), features, true);
  for (const Inference inference :
       {Inference::kExact, Inference::kRelaxed, Inference::kBeliefs, Inference::kReweighted}) {
    TrainOptions options;
    options.inference = inference;
    options.training.learner.loss = Loss::named(sums(inference) ? "crf" : "svm");
    options.training.learner.c = 1;
    options.training.learner.epochs = 12;
    const Trained trained = train(data, test, options);
    EXPECT_EQ(trained.model->inference(), inference);
    ASSERT_TRUE(trained.result.dev);
    EXPECT_GT(trained.result.dev->variables().accuracy(), 80) << to_string(inference);
    const FactorsScores again =
        evaluate(GraphDecoder(trained.model->weights(), decoding_of(inference)), test,
                 features.domains(), 2);
    EXPECT_EQ(again.variables().right, trained.result.dev->variables().right);
  }
}

TEST(FactorsTraining, AFoldIsLearnedFromTheRest) {
  const FactorsData data = toy_data(20, 7);
  TrainOptions options;
  options.training.candidates = {{"c", {0.01, 1}}};
  options.training.folds = 4;
  const Trained trained = train(data, {}, options);
  ASSERT_EQ(trained.result.learned.tried.size(), 2U);
  EXPECT_EQ(trained.result.learned.tally[1], static_cast<double>(trained.result.variables));
  const Value record = trained.result.record();
  EXPECT_EQ(record.at("inference"), "exact");
  EXPECT_EQ(record.at("graphs"), 20);
}

TEST(FactorsTraining, TheInferenceFollowsTheLossWhereItIsNotSaid) {
  EXPECT_EQ(plan({}, false).inference, Inference::kExact);
  EXPECT_EQ(plan(options_of("bcfw", "svm", {}), false).inference, Inference::kExact);
  EXPECT_EQ(plan(options_of("perceptron", "perceptron", {}), false).inference, Inference::kExact);
  EXPECT_EQ(plan(options_of("lbfgs", "crf", {}), false).inference, Inference::kReweighted);
  // And the loss the inference.
  for (const Inference inference : {Inference::kBeliefs, Inference::kReweighted}) {
    TrainOptions options;
    options.inference = inference;
    EXPECT_EQ(plan(options, false).choice.loss.description(), "crf");
  }
  TrainOptions crf;
  crf.training.learner.loss = Loss::named("crf");
  EXPECT_EQ(plan(crf, false).inference, Inference::kReweighted);
}

std::string refusal_of(const TrainOptions& options) {
  try {
    plan(options, false);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FactorsTraining, WhatDoesNotFitTogetherIsRefusedInASentence) {
  EXPECT_EQ(refusal_of(options_of("lbfgs", "crf", Inference::kExact)),
            "with --inference exact lbfgs cannot train this: a smooth loss requires sums over "
            "outputs, which this structure does not have; use --inference reweighted");
  EXPECT_EQ(refusal_of(options_of("bcfw", "svm", Inference::kBeliefs)),
            "with --inference beliefs bcfw cannot train this: there is no search for the best "
            "outputs of this structure; use --inference exact or relaxed");
  EXPECT_NE(refusal_of(options_of("mira", "svm", Inference::kRelaxed)), "accepted");
  EXPECT_EQ(refusal_of(options_of("mira", "svm", Inference::kExact)), "accepted");
  EXPECT_NE(refusal_of(options_of("smo", "svm", {})), "accepted");
  EXPECT_EQ(refusal_of(options_of("dca", "crf", Inference::kBeliefs)), "accepted");
  EXPECT_NE(refusal_of(options_of("qp", "svm", {})), "accepted");
  EXPECT_EQ(refusal_of(options_of("qp", "svm", Inference::kRelaxed)), "accepted");
  for (const Inference inference : {Inference::kBeliefs, Inference::kReweighted}) {
    TrainOptions certified = options_of("dca", "crf", inference);
    certified.training.learner.certify = true;
    EXPECT_NE(refusal_of(certified).find("cannot certify"), std::string::npos);
  }
}

TEST(FactorsTraining, GoesOnFromACheckpointToTheSameBits) {
  TemporaryDirectory folder;
  const FactorsData data = toy_data(12, 8);
  TrainOptions options = options_of("bcfw", "svm", Inference::kExact);
  options.training.learner.epochs = 6;
  options.training.learner.gap = 0;
  const Trained whole = train(data, {}, options);
  options.training.checkpoint = folder.file("state");
  std::stop_source source;
  TrainEvents events;
  events.stop = source.get_token();
  events.on_epoch = [&](const EpochRecord& record) {
    if (record.epoch == 3) source.request_stop();
  };
  EXPECT_FALSE(train(data, {}, options, events).model);
  options.training.resume = true;
  const Trained resumed = train(data, {}, options);
  ASSERT_TRUE(resumed.model);
  EXPECT_EQ(resumed.model->to_bytes(), whole.model->to_bytes());
}

TEST(FactorsTraining, ReadsFilesAndMindsTheirDomains) {
  TemporaryDirectory folder;
  const std::string train_file = folder.make("train.txt", testing::toy_text(6, 9));
  const std::string dev_file = folder.make("dev.txt", testing::toy_text(4, 10));
  TrainOptions options = options_of("bcfw", "svm", {});
  const Trained trained = train_files({{train_file}, {dev_file}}, options);
  EXPECT_TRUE(trained.result.dev);
  const std::string other = folder.make("other.txt", "domain hat red blue\nvar h hat =red\n");
  EXPECT_THROW(train_files({{train_file}, {other}}, options), InputError);
  EXPECT_EQ(train_files({{train_file, other}, {}}, options).result.graphs, 7U);
}

}  // namespace
}  // namespace trellis::factors
