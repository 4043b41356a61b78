// Weights that are held to the unlearned score, or to those of another model.
#include "trellis/tasks/match/centre.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/match/match_graphs.h"
#include "tests/tasks/match/turning_landmarks.h"
#include "trellis/base/error.h"
#include "trellis/tasks/match/matcher.h"
#include "trellis/tasks/match/train.h"

namespace trellis::match {
namespace {

using testing::random_graphs;
using testing::TurningLandmarks;
using trellis::testing::TemporaryDirectory;

MatchData shapes(const std::vector<ShapePair>& pairs) {
  return pair_data(pairs, {}, Cover::kPerfect, 1);
}

MatchData graphs(const std::string& text) {
  std::vector<InputFile> files;
  files.push_back(InputFile::from_bytes(text, "graphs.txt"));
  return graph_data(std::move(files), Cover::kPerfect);
}

TrainOptions calling(const std::string& centre) {
  TrainOptions options;
  options.centre = parse_centre(centre);
  options.training.threads = 1;
  return options;
}

TrainOptions holding(const std::string& centre, double lambda) {
  TrainOptions options = calling(centre);
  options.training.learner.lambda = lambda;
  return options;
}

double error_of(const MatchModel& model, const std::vector<ShapePair>& pairs) {
  return evaluate(Matcher(model), pair_examples(pairs, model.features(), 1), 1).hamming();
}

double unlearned_error(const std::vector<ShapePair>& pairs) {
  TrainOptions options;
  options.estimator = Estimator::kDistance;
  return error_of(*train(shapes(pairs), {}, options).model, pairs);
}

// Histograms are often equal, and of matchings that score the same each model may take another.
void expect_best_unlearned(const MatchModel& model, const std::vector<ShapePair>& pairs) {
  const std::vector<double> w(model.features().dimension(), -1.0);
  const Matcher unlearned(Cover::kPerfect, w);
  Matcher::Scratch scratch;
  for (const MatchExample& example : pair_examples(pairs, model.features(), 1)) {
    Matching::Output found, best;
    Matcher(model).match(example, scratch, found);
    const double most = unlearned.match(example, scratch, best);
    const auto s = unlearned.scores(example, scratch);
    EXPECT_NEAR(example.structure(Cover::kPerfect).score(s, found), most, 1e-6);
  }
}

TEST(Centre, AStrongPenaltyLeavesTheUnlearnedScore) {
  const auto pairs = TurningLandmarks(111, 20, 1).pairs(0, 10, 1, 30);
  for (const char* learner : {"bmrm", "bcfw", "extragradient"}) {
    TrainOptions options = holding("unlearned", 1e9);
    options.training.learner.learner = parse_learner(learner);
    if (learner == std::string("extragradient")) options.training.learner.geometry = "euclidean";
    const Trained found = train(shapes(pairs), {}, options);
    const auto w = found.model->weights();
    EXPECT_LT(w[0], 0);
    for (const double weight : w) EXPECT_NEAR(weight / w[0], 1, 1e-4) << learner;
    expect_best_unlearned(*found.model, pairs);
    EXPECT_EQ(found.model->training().at("centre"), "unlearned");
    EXPECT_GT(found.model->training().at("centre_scale").get<double>(), 0);
  }
}

// The margin loss along the ray, by which the scale is chosen.
TEST(Centre, TheUnlearnedScoreIsScaledToItsLeastLoss) {
  const MatchData data = shapes(TurningLandmarks(111, 20, 2).pairs(0, 8, 1, 30));
  const std::vector<double> ones(data.features.dimension(), 1.0);
  const double best = unlearned_scale(data.examples, ones, 1);
  const auto risk = [&](double length) {
    double sum = 0;
    for (const MatchExample& example : data.examples) {
      std::vector<double> s(example.features.num_edges(), 0.0);
      example.features.add_scores(std::vector<double>(ones.size(), -length), s);
      const Matching structure = example.structure(Cover::kPerfect);
      const auto n = static_cast<double>(example.num_left);
      for (Index i = 0; i < example.num_left; ++i) {
        s[edge_between(example, i, static_cast<Index>(example.gold[i]))] -= 1 / n;
      }
      Matching::Scratch scratch;
      Matching::Output y;
      sum += structure.maximize(s, scratch, y) - structure.score(s, example.gold);
    }
    return sum;
  };
  for (const double factor : {0.5, 0.9, 1.1, 2.0}) EXPECT_LE(risk(best), risk(factor * best));
  // In the same units whatever features are multiplied by: tens say that they were tenths.
  const std::vector<double> tens(ones.size(), 10.0);
  EXPECT_NEAR(unlearned_scale(data.examples, tens, 1), 10 * best, 0.01 * 10 * best);
  // Where it is worth little, its loss is least at nothing; it stays a score.
  const MatchData hard = shapes(TurningLandmarks(40, 30, 2).pairs(0, 8, 1, 30));
  const double least = unlearned_scale(hard.examples, ones, 1);
  EXPECT_GT(least, best / 1000);
  EXPECT_LT(least, best);
}

TEST(Centre, AModelIsAdapted) {
  TemporaryDirectory folder;
  const std::string text = random_graphs(20, {4, 4, 1, true}, 1, 0.5);
  const Trained first = train(graphs(text), {}, holding("none", 0.01));
  const std::string path = folder.file("first.trellis");
  first.model->write(path);
  // Of other graphs, among whose features one is new and two are missing.
  std::string other = random_graphs(20, {4, 4, 1, true}, 2, 0.5);
  for (Index at = 0; (at = other.find("b:", at)) != std::string::npos; ++at) other[at] = 'd';
  const Trained strong = train(graphs(other), {}, holding(path, 1e9));
  for (Index k = 0; k < 3; ++k) {
    const std::string name = strong.model->features().weight_name(k);
    const Index at = name == "a" ? 0 : 2;
    const double expected = name == "d" ? 0 : first.model->weights()[at];
    EXPECT_NEAR(strong.model->weights()[k], expected, 1e-6) << name;
  }
  EXPECT_EQ(strong.model->training().at("centre"), path);
  EXPECT_EQ(MatchModel::read(path).weights()[0], first.model->weights()[0]);
  const Trained weak = train(graphs(other), {}, holding(path, 0.01));
  EXPECT_GT(std::abs(weak.model->weights()[0] - strong.model->weights()[0]), 1e-3);
}

TEST(Centre, GivesTheSameBytesForAnyNumberOfThreads) {
  const MatchData data = shapes(TurningLandmarks(111, 20, 3).pairs(0, 12, 1, 30));
  TrainOptions options = calling("auto");
  const std::string one = train(data, {}, options).model->to_bytes();
  options.training.threads = 4;
  EXPECT_EQ(train(data, {}, options).model->to_bytes(), one);
}

TEST(Centre, IsChosenTogetherWithLambda) {
  const MatchData data = shapes(TurningLandmarks(111, 20, 4).pairs(0, 30, 2, 30));
  const TrainResult result = train(data, {}, calling("auto")).result;
  ASSERT_EQ(result.learned.variants.size(), 2U);
  double best = 0;
  for (const Tried& tried : result.learned.tried) best = std::max(best, tried.figure);
  for (const Tried& tried : result.learned.tried) {
    if (tried.figure == best) {
      EXPECT_EQ(tried.variant, "centre " + result.centre);
      break;
    }
  }
  EXPECT_NE(result.against_unlearned().find("on held-out data"), std::string::npos);
  // Where there is nothing to choose by, shapes are held to what nobody had to learn.
  EXPECT_EQ(train(data, {}, holding("auto", 0.1)).result.centre, "unlearned");
}

// Of a sequence, pairs of frames 30 apart: what is learned from some of it is used on the rest.
// Folds of neighbouring frames promise more than there is to be had, and what is held to 0 forgets
// what the unlearned score knows.
TEST(Centre, LearningFromASequenceDoesNoHarmToItsRest) {
  double learned = 0;
  double unlearned = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const TurningLandmarks sequence(111, 20, seed);
    const auto rest = sequence.pairs(45, 81, 1, 30);
    const Trained found = train(shapes(sequence.pairs(0, 40, 3, 30)), {}, calling("auto"));
    learned += error_of(*found.model, rest) / 4;
    unlearned += unlearned_error(rest) / 4;
  }
  EXPECT_LE(learned, unlearned + 0.5);
}

TEST(Centre, RefusesWhatIsNotThere) {
  TemporaryDirectory folder;
  EXPECT_THROW(parse_centre(folder.file("none.trellis")), InputError);
  const MatchData named = graphs(random_graphs(6, {4, 4, 1, true}, 1));
  const MatchData dense = graphs(random_graphs(6, {4, 4}, 1));
  EXPECT_THROW(train(dense, {}, holding("unlearned", 1)), UsageError);
  EXPECT_EQ(train(dense, {}, holding("auto", 1)).result.centre, "none");
  const std::string path = folder.file("m.trellis");
  train(named, {}, holding("none", 1)).model->write(path);
  EXPECT_THROW(train(dense, {}, holding(path, 1)), UsageError);
  const auto pairs = TurningLandmarks(31, 20, 1).pairs(0, 1, 1, 30);
  EXPECT_THROW(train(shapes(pairs), {}, holding(path, 1)), UsageError);
  train(shapes(pairs), {}, holding("none", 1)).model->write(path);
  EXPECT_THROW(train(dense, {}, holding(path, 1)), UsageError);
  ContextOptions others;
  others.rings = 3;
  EXPECT_THROW(train(pair_data(pairs, others, Cover::kPerfect, 1), {}, holding(path, 1)),
               UsageError);
  TrainOptions distance = calling("none");
  distance.estimator = Estimator::kDistance;
  EXPECT_THROW(train(shapes(pairs), {}, distance), UsageError);
  const MatchData partial = pair_data(pairs, {}, Cover::kPartial, 1);
  EXPECT_THROW(train(partial, {}, holding("unlearned", 1)), UsageError);
  EXPECT_EQ(train(partial, {}, holding("auto", 1)).result.centre, "none");
}

}  // namespace
}  // namespace trellis::match
