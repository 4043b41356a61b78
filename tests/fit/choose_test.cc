#include "trellis/fit/choose.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/fit/choices.h"
#include "trellis/fit/dials.h"
#include "trellis/learn/frame/learner.h"

namespace trellis::testing {
namespace {

using enum LearnerKind;
using Losses = TaskDefaults::Losses;

const Loss kCrf = Loss::named("crf");
const Loss kSvm = Loss::named("svm");
const Loss kMistakes = Loss::named("perceptron");

// ---- who says what

TEST(Choose, TheUserIsHeardBeforeTheTaskAndTheTaskBeforeTheLearner) {
  TaskDefaults task = silent_task();
  LearnerOptions values;
  values.epochs = 33;
  values.cache = 5;
  task.rows.push_back({{kBcfw}, Losses::kAny, values});
  LearnerOptions said = saying(kBcfw);
  said.epochs = 77;
  const LearnerChoice choice = choose(said, task, able_to_do_all());
  EXPECT_EQ(choice.values.epochs, Index{77});   // said
  EXPECT_EQ(choice.values.cache, Index{5});     // the task's
  EXPECT_EQ(choice.values.patience, Index{5});  // the learner's own
  EXPECT_EQ(choose(saying(kBcfw), task, able_to_do_all()).values.epochs, Index{33});
  EXPECT_EQ(choose(saying(kBcfw), silent_task(), able_to_do_all()).values.epochs, Index{100});
}

TEST(Choose, TheFirstRowThatHasAValueCounts) {
  TaskDefaults task = silent_task();
  LearnerOptions first, second;
  first.epochs = 1;
  second.epochs = 2;
  second.patience = 3;
  task.rows.push_back({{kDca}, Losses::kAny, first});
  task.rows.push_back({LearnerSet::all(), Losses::kAny, second});
  const LearnerChoice dca = choose(saying(kDca), task, able_to_do_all());
  EXPECT_EQ(dca.values.epochs, Index{1});
  EXPECT_EQ(dca.values.patience, Index{3});
  EXPECT_EQ(choose(saying(kBcfw), task, able_to_do_all()).values.epochs, Index{2});
  // What a row says of dials that a learner does not have is not for it.
  EXPECT_FALSE(choose(saying(kQp), task, able_to_do_all()).values.epochs);
}

TEST(Choose, RowsCanBeForSmoothLossesOrForHingesAlone) {
  TaskDefaults task = silent_task();
  LearnerOptions smooth, hinge;
  smooth.epochs = 1;
  hinge.epochs = 2;
  task.rows.push_back({{kDca}, Losses::kSmooth, smooth});
  task.rows.push_back({{kDca}, Losses::kHinge, hinge});
  EXPECT_EQ(choose(saying(kDca, "crf"), task, able_to_do_all()).values.epochs, Index{1});
  EXPECT_EQ(choose(saying(kDca, "svm"), task, able_to_do_all()).values.epochs, Index{2});
  EXPECT_EQ(choose(saying(kDca, "perceptron"), task, able_to_do_all(), false, true).values.epochs,
            Index{2});
}

TEST(Choose, RowsCanBeForThoseWhoAskForNoProof) {
  TaskDefaults task = silent_task();
  LearnerOptions loose;
  loose.delta = 0.25;
  task.rows.push_back({{kLbfgs}, Losses::kAny, loose, false, true});
  EXPECT_EQ(choose(saying(kLbfgs), task, able_to_do_all()).values.delta, 0.25);
  LearnerOptions said = saying(kLbfgs);
  said.gap = 0;
  EXPECT_EQ(choose(said, task, able_to_do_all()).values.delta, 0.25);
  said.gap = 1e-3;
  EXPECT_EQ(choose(said, task, able_to_do_all()).values.delta, 1e-5);
  said = saying(kLbfgs);
  said.certify = true;
  EXPECT_EQ(choose(said, task, able_to_do_all()).values.delta, 1e-5);
}

TEST(Choose, BatchLearnersWithAToleranceOfTheirOwnHaveNoPatience) {
  const auto patience = [](const LearnerOptions& said) {
    return choose(said, silent_task(), able_to_do_all()).values.patience;
  };
  EXPECT_EQ(patience(saying(kLbfgs)), Index{0});
  for (const LearnerKind learner : {kBmrm, kExtragradient, kProjectedGradient}) {
    LearnerOptions said = saying(learner);
    EXPECT_EQ(patience(said), Index{20});
    said.gap = 1e-3;
    EXPECT_EQ(patience(said), Index{0});
    said.patience = 7;
    EXPECT_EQ(patience(said), Index{7});
  }
  for (const LearnerKind learner : {kDca, kBcfw, kSmo}) {
    LearnerOptions said = saying(learner);
    said.gap = 1e-3;
    EXPECT_EQ(patience(said), Index{5});
  }
}

TEST(Choose, WithoutALearnerTheLossSaysWhich) {
  TaskDefaults task = silent_task();
  task.loss = kCrf;
  task.smooth = kDca;
  task.hinge = kBmrm;
  task.mistakes = kPerceptron;
  task.drawn = kSgd;
  const auto learner = [&](const LearnerOptions& said) {
    return choose(said, task, able_to_do_all()).learner;
  };
  LearnerOptions said;
  EXPECT_EQ(learner(said), kDca);
  EXPECT_EQ(choose(said, task, able_to_do_all()).loss.description(), "crf");
  said.draws = 10;
  EXPECT_EQ(learner(said), kSgd);
  said = {};
  said.loss = kSvm;
  EXPECT_EQ(learner(said), kBmrm);
  said.loss = kMistakes;
  EXPECT_EQ(learner(said), kPerceptron);
  said.loss = kCrf;
  said.beta = Loss::kInfinity;  // β and γ turn a loss into another
  said.gamma = 1;
  EXPECT_EQ(learner(said), kBmrm);
}

TEST(Choose, WithoutALossTheLearnerSaysWhich) {
  TaskDefaults task = silent_task();
  for (const LearnerKind learner : LearnerSet::all().list()) {
    const Loss loss = choose(saying(learner), task, able_to_do_all()).loss;
    EXPECT_EQ(loss.description(), learner == kPerceptron                 ? "perceptron"
                                  : learner == kLbfgs || learner == kSgd ? "crf"
                                                                         : "svm")
        << to_string(learner);
  }
  LearnerOptions softmax;
  softmax.loss = Loss::named("softmax-margin");
  task.rows.push_back({{kLbfgs}, Losses::kAny, softmax});
  EXPECT_EQ(choose(saying(kLbfgs), task, able_to_do_all()).loss.description(), "softmax-margin");
  LearnerOptions said = saying(kLbfgs);
  said.gamma = 0;
  EXPECT_EQ(choose(said, task, able_to_do_all()).loss.description(), "crf");
}

TEST(Choose, SomeDefaultsFollowFromOtherDials) {
  LearnerOptions said = saying(kDca);
  EXPECT_EQ(chosen(said).values.epochs, Index{20});
  said.dual = "stored";
  EXPECT_EQ(chosen(said).values.epochs, Index{200});
  said = saying(kBcfw);
  EXPECT_EQ(chosen(said).values.average, false);
  EXPECT_EQ(chosen(said).values.gap_every, Index{10});
  said.cache = 0;
  said.certify = true;
  EXPECT_EQ(chosen(said).values.average, true);
  EXPECT_EQ(chosen(said).values.gap_every, Index{1});
  said = saying(kSgd);
  EXPECT_EQ(chosen(said).values.average, false);
  said.draws = 20;  // the errors of draws average out
  EXPECT_EQ(chosen(said).values.average, true);
  said.average = false;
  EXPECT_EQ(chosen(said).values.average, false);
  Able no_sums = able_to_do_all();
  no_sums.sums = false;
  EXPECT_EQ(chosen(saying(kExtragradient)).values.geometry, "euclidean");
  said = saying(kExtragradient);
  said.steps = "governed";
  EXPECT_EQ(chosen(said).values.geometry, "entropic");
  said.steps.reset();
  said.geometry = "entropic";  // all examples at once, as sums like it
  EXPECT_EQ(chosen(said).values.steps, "governed");
  said.steps = "examples";
  EXPECT_TRUE(chosen(said).by_examples());
  EXPECT_EQ(chosen(saying(kExtragradient), no_sums).values.geometry, "euclidean");
}

// ---- C, λ and the radius

TEST(Choose, CAndLambdaAndTheRadiusExcludeEachOther) {
  LearnerOptions said = saying(kQp);
  said.c = 2;
  said.lambda = 3;
  EXPECT_TRUE(contains(refusal_of(said), "--c and --lambda set the same strength"));
  said.c.reset();
  said.radius = 4;
  EXPECT_TRUE(contains(refusal_of(said), "--radius bounds the weights instead"));
  said.lambda.reset();
  said.c = 2;
  EXPECT_TRUE(contains(refusal_of(said), "--radius bounds the weights instead"));
}

TEST(Choose, LambdaIsOneOverCTimesTheExamples) {
  LearnerOptions said = saying(kBmrm);
  EXPECT_DOUBLE_EQ(chosen(said).lambda(50), 1.0 / 50);
  said.c = 4;
  EXPECT_DOUBLE_EQ(chosen(said).lambda(50), 1.0 / 200);
  said.c.reset();
  said.lambda = 0.3;
  EXPECT_EQ(chosen(said).lambda(50), 0.3);
  EXPECT_FALSE(chosen(said).values.c);
  said = saying(kQp);
  said.radius = 2;
  EXPECT_EQ(chosen(said).lambda(50), 0);  // the ball holds the weights
  EXPECT_FALSE(chosen(said).values.c);
  EXPECT_EQ(chosen(saying(kPerceptron)).lambda(50), 0);
}

// Whoever of user, first row, second row and learner says any of the three, has said it all.
TEST(Choose, ThePenaltyIsThatOfTheFirstWhoNamesOneInWhateverWay) {
  const auto held_by = [](const LearnerOptions& said, const std::vector<LearnerOptions>& rows) {
    TaskDefaults task = silent_task();
    for (const LearnerOptions& row : rows) task.rows.push_back({{kQp}, Losses::kAny, row});
    const LearnerOptions values = choose(said, task, able_to_do_all()).values;
    return (values.c ? "c" : "") + std::string(values.lambda ? "lambda" : "") +
           (values.radius ? "radius" : "");
  };
  LearnerOptions none = saying(kQp), c = none, lambda = none, radius = none;
  c.c = 1;
  lambda.lambda = 1;
  radius.radius = 1;
  EXPECT_EQ(held_by(none, {}), "c");
  for (const LearnerOptions& row : {none, c, lambda, radius}) {
    EXPECT_EQ(held_by(c, {row}), "c");
    EXPECT_EQ(held_by(lambda, {row}), "lambda");
    EXPECT_EQ(held_by(radius, {row}), "radius");
    EXPECT_EQ(held_by(none, {c, row}), "c");
    EXPECT_EQ(held_by(none, {lambda, row}), "lambda");
    EXPECT_EQ(held_by(none, {radius, row}), "radius");
  }
}

TEST(Choose, ARadiusInARowIsNotForLearnersWithoutBalls) {
  TaskDefaults task = silent_task();
  LearnerOptions row;
  row.radius = 3;
  task.rows.push_back({LearnerSet::all(), Losses::kAny, row});
  EXPECT_EQ(choose(saying(kQp), task, able_to_do_all()).values.radius, 3);
  EXPECT_EQ(choose(saying(kBmrm), task, able_to_do_all()).values.c, 1);
}

TEST(Choose, TheBallOfTheOneNormNeedsARadiusAndStartsFromItsCentre) {
  LearnerOptions said = saying(kExtragradient);
  said.l1_ball = true;
  EXPECT_TRUE(contains(refusal_of(said), "with --radius"));
  said.radius = 5;
  EXPECT_EQ(refusal_of(said), "");
  EXPECT_FALSE(chosen(said).converges());  // not from anywhere
  EXPECT_TRUE(contains(
      refusal_by([&] { choose(said, silent_task(), able_to_do_all(), false, true); }), "w = 0"));
  // A task's wish yields to a penalty that the user names.
  TaskDefaults task = silent_task();
  task.rows.push_back({{kExtragradient}, Losses::kAny, said});
  LearnerOptions c = saying(kExtragradient);
  c.c = 1;
  EXPECT_EQ(choose(c, task, able_to_do_all()).values.l1_ball, false);
}

TEST(Choose, TheWarmUpOfExtragradientKnowsNoBalls) {
  LearnerOptions said = saying(kExtragradient);
  said.warm_up = 5;
  EXPECT_EQ(refusal_of(said), "");
  said.radius = 2;
  EXPECT_TRUE(contains(refusal_of(said), "--warm-up cannot be combined with --radius"));
  TaskDefaults task = silent_task();
  LearnerOptions row;
  row.warm_up = 5;
  task.rows.push_back({{kExtragradient}, Losses::kAny, row});
  said.warm_up.reset();
  EXPECT_EQ(choose(said, task, able_to_do_all()).values.warm_up, Index{0});
}

// ---- refusals

// Each a clause without an end of its own, so that it can stand in a sentence.
void expect_one_sentence(const std::string& text) {
  EXPECT_FALSE(text.empty());
  EXPECT_FALSE(contains(text, "\n")) << text;
  EXPECT_FALSE(contains(text, ". ")) << text;
  EXPECT_FALSE(text.ends_with('.')) << text;
}

TEST(Choose, LearnersOfGradientsRefuseTheHingeAndLearnersOfOutputsRefuseTheRest) {
  constexpr LearnerSet smooth = {kLbfgs, kDca, kSgd, kBcfw, kBmrm, kSmo};
  for (const LearnerKind learner : LearnerSet::all().list()) {
    for (const char* loss : {"crf", "softmax-margin"}) {
      const std::string sentence = refusal_of(saying(learner, loss));
      EXPECT_EQ(sentence.empty(), smooth.has(learner)) << to_string(learner) << " " << sentence;
      if (!sentence.empty()) {
        expect_one_sentence(sentence);
        EXPECT_TRUE(sentence.starts_with(to_string(learner))) << sentence;
      }
    }
    const std::string sentence = refusal_of(saying(learner, "svm"));
    EXPECT_EQ(sentence.empty(), learner != kLbfgs) << to_string(learner) << " " << sentence;
  }
}

TEST(Choose, WithoutAMarginOnlyThosePassThatMoveAnyway) {
  for (const LearnerKind learner : LearnerSet::all().list()) {
    if (learner == kLbfgs) continue;
    const LearnerOptions said = saying(learner, "perceptron");
    const std::string sentence = refusal_of(said);
    EXPECT_EQ(sentence.empty(), learner == kPerceptron || learner == kSgd) << to_string(learner);
    EXPECT_EQ(contains(sentence, "would take no step"), !sentence.empty()) << sentence;
    // From other weights than 0 there are mistakes to learn from.
    const bool from_zero = learner == kSmo || learner == kStructuredSmo;
    const std::string started =
        refusal_by([&] { choose(said, silent_task(), able_to_do_all(), false, true); });
    EXPECT_EQ(started.empty(), !from_zero) << to_string(learner);
  }
}

TEST(Choose, WeightsToStartFromAreRefusedByThoseWhoWouldNotLookAtThem) {
  for (const LearnerKind learner : LearnerSet::all().list()) {
    const bool from_zero = learner == kSmo || learner == kStructuredSmo;
    const std::string sentence =
        refusal_by([&] { choose(saying(learner), silent_task(), able_to_do_all(), false, true); });
    EXPECT_EQ(contains(sentence, "starts from w = 0"), from_zero) << to_string(learner);
    EXPECT_EQ(sentence.empty(), !from_zero) << to_string(learner);
  }
}

// What a model lacks, and who is refused for that: alone those.
struct Lack {
  bool Able::*what;
  LearnerOptions said;
  std::string reason;
};

// Sums that are bounds or estimates: no cuts, no certificates, no entropic steps.
TEST(Choose, SumsThatAreNotExactCertifyNothing) {
  LearnerOptions entropic = saying(kExtragradient);
  entropic.geometry = "entropic";
  LearnerOptions stored = saying(kDca, "crf");
  stored.dual = "stored";
  LearnerOptions certified = saying(kSgd, "crf");
  certified.certify = true;
  for (bool Able::*worth : {&Able::bounded, &Able::estimated}) {
    Able able = able_to_do_all();
    able.*worth = true;
    EXPECT_EQ(refusal_of(saying(kSgd, "crf"), able), "");
    EXPECT_EQ(refusal_of(saying(kDca, "crf"), able), "");
    EXPECT_EQ(refusal_of(saying(kBmrm), able), "") << "the hinge has no sums";
    EXPECT_EQ(refusal_of(saying(kLbfgs, "crf"), able) == "", able.bounded);
    for (const LearnerOptions& said :
         {entropic, stored, certified, saying(kBcfw, "crf"), saying(kBmrm, "crf")}) {
      EXPECT_NE(refusal_of(said, able), "");
    }
  }
}

// Weights answer an example at once where a penalty and features say what the answer is.
TEST(Choose, ExtragradientStepsByExamplesWhereItCan) {
  LearnerOptions said = saying(kExtragradient);
  EXPECT_TRUE(chosen(said).by_examples());
  EXPECT_FALSE(chosen(said).batch());
  Able implicit = able_to_do_all();
  implicit.implicit = true;
  EXPECT_EQ(chosen(said, implicit).values.steps, "governed");
  said.radius = 2;
  EXPECT_EQ(chosen(said).values.steps, "governed");
  EXPECT_TRUE(chosen(said).batch());
  said.steps = "plain";
  EXPECT_EQ(chosen(said).values.steps, "plain");
  said.steps = "examples";
  expect_one_sentence(refusal_of(said, able_to_do_all()));
  said.radius.reset();
  EXPECT_EQ(refusal_of(said, able_to_do_all()), "");
  expect_one_sentence(refusal_of(said, implicit));
}

TEST(Choose, WhatAModelLacksIsTheReasonOfARefusal) {
  LearnerOptions entropic = saying(kExtragradient);
  entropic.geometry = "entropic";
  LearnerOptions euclidean = saying(kExtragradient);
  euclidean.geometry = "euclidean";
  LearnerOptions draws = saying(kSgd);
  draws.draws = 10;
  const std::vector<Lack> lacks = {
      {&Able::hinge, saying(kBmrm), "no search for the best outputs"},
      {&Able::sums, saying(kLbfgs), "a smooth loss requires sums over outputs"},
      {&Able::sums, saying(kDca, "crf"), "a smooth loss requires sums over outputs"},
      {&Able::sums, entropic, "--geometry entropic requires sums over outputs"},
      {&Able::draws, draws, "cannot be drawn"},
      {&Able::k_best, saying(kMira), "no search for the k best"},
      {&Able::linear_costs, saying(kMira), "no search for the k best"},
      {&Able::linear_costs, saying(kQp), "not linear"},
      {&Able::linear_costs, saying(kStructuredSmo), "not linear"},
      {&Able::linear_costs, saying(kProjectedGradient), "not linear"},
      {&Able::linear_costs, entropic, "not linear"},
      {&Able::flat, saying(kSmo), "flat labels"},
      {&Able::projects, saying(kProjectedGradient), "no projection"},
      {&Able::projects, euclidean, "no projection"},
      {&Able::faces, saying(kStructuredSmo), "the parts they do not contain"}};
  for (const Lack& lack : lacks) {
    Able able = able_to_do_all();
    EXPECT_EQ(refusal_of(lack.said, able), "");
    able.*lack.what = false;
    const std::string sentence = refusal_of(lack.said, able);
    expect_one_sentence(sentence);
    EXPECT_TRUE(sentence.starts_with(to_string(*lack.said.learner))) << sentence;
    EXPECT_TRUE(contains(sentence, lack.reason)) << sentence;
  }
}

TEST(Choose, ALackThatALearnerDoesNotMindIsNoReason) {
  Able cuts_alone;  // a CostMaximizer
  cuts_alone.hinge = true;
  for (const LearnerKind learner : {kPerceptron, kDca, kBcfw, kBmrm}) {
    EXPECT_EQ(refusal_of(saying(learner), cuts_alone), "");
  }
  EXPECT_EQ(refusal_of(saying(kSgd, "svm"), cuts_alone), "");
  EXPECT_NE(refusal_of(saying(kSgd, "crf"), cuts_alone), "");
}

TEST(Choose, WeightsThatMustStayPositiveAreNotForEveryone) {
  Able able = able_to_do_all();
  able.nonnegative = true;
  LearnerOptions stored = saying(kDca);
  stored.dual = "stored";
  EXPECT_EQ(refusal_of(stored, able), "");
  EXPECT_EQ(refusal_of(saying(kBmrm), able), "");
  EXPECT_EQ(refusal_of(saying(kMira), able), "");
  for (const LearnerKind learner : {kDca, kLbfgs}) {
    EXPECT_TRUE(contains(refusal_of(saying(learner), able), "must be >= 0"));
  }
}

TEST(Choose, DrawsEstimateSumsAndCertifyNothing) {
  LearnerOptions said = saying(kSgd, "svm");
  said.draws = 10;
  EXPECT_TRUE(contains(refusal_of(said), "which the hinge does not have"));
  said.loss = kCrf;
  EXPECT_EQ(refusal_of(said), "");
  Able no_sums = able_to_do_all();
  no_sums.sums = false;  // that is what draws are for
  EXPECT_EQ(refusal_of(said, no_sums), "");
  said.loss.reset();  // sgd's own, by what there is
  EXPECT_EQ(chosen(said, no_sums).loss.description(), "crf");
  EXPECT_EQ(chosen(saying(kSgd), no_sums).loss.description(), "svm");
  said.certify = true;
  EXPECT_TRUE(contains(refusal_of(said), "cannot certify a gap"));
  said.certify.reset();
  said.gap = 0.1;
  EXPECT_TRUE(contains(refusal_of(said), "cannot certify a gap"));
}

TEST(Choose, LossesThatAreNoneAreRefused) {
  LearnerOptions said;
  said.beta = 0;
  EXPECT_NE(refusal_of(said), "");
  said.beta = 1;
  said.gamma = -1;
  EXPECT_NE(refusal_of(said), "");
  said.gamma = Loss::kInfinity;
  EXPECT_NE(refusal_of(said), "");
}

TEST(Choose, ReasonsAreGivenWithoutThrowingToo) {
  LearnerChoice choice = chosen(saying(kMira));
  Able able = able_to_do_all();
  EXPECT_EQ(refusal(choice, able), std::nullopt);
  able.k_best = false;
  EXPECT_EQ(refusal(choice, able), "there is no search for the k best outputs of this structure");
}

// ---- unknown labels

TEST(Choose, UnknownLabelsAreForSmoothLossesAndLearnersWithoutConvexity) {
  const auto sentence = [](const LearnerOptions& said, const Able& able = able_to_do_all()) {
    return refusal_by([&] { choose(said, silent_task(), able, true); });
  };
  for (const LearnerKind learner : LearnerSet::all().list()) {
    const bool fine = learner == kLbfgs || learner == kSgd;
    EXPECT_EQ(sentence(saying(learner)).empty(), fine) << to_string(learner);
    EXPECT_EQ(contains(sentence(saying(learner)), "non-convex"), !fine);
  }
  EXPECT_TRUE(choose(saying(kLbfgs), silent_task(), able_to_do_all(), true).partial);
  EXPECT_TRUE(contains(sentence(saying(kSgd, "svm")), "a finite beta"));
  LearnerOptions certified = saying(kLbfgs);
  certified.certify = true;
  EXPECT_TRUE(contains(sentence(certified), "--certify and --gap are not possible"));
  certified.certify.reset();
  certified.gap = 0.1;
  EXPECT_TRUE(contains(sentence(certified), "--certify and --gap are not possible"));
  LearnerOptions draws = saying(kSgd);
  draws.draws = 10;
  EXPECT_TRUE(contains(sentence(draws), "sums over unknown labels"));
  Able whole = able_to_do_all();
  whole.partial = false;
  EXPECT_TRUE(contains(sentence(saying(kLbfgs), whole), "unknown labels are not supported"));
}

// ---- what a choice says of itself

TEST(Choose, AChoiceCertifiesWhereItIsAskedToOrHasAGapToReach) {
  LearnerOptions said = saying(kDca);
  EXPECT_FALSE(chosen(said).certifies());
  said.gap = 0.01;
  EXPECT_TRUE(chosen(said).certifies());
  said.gap = 0;
  said.certify = true;
  EXPECT_TRUE(chosen(said).certifies());
  EXPECT_EQ(chosen(said).gap(), 0);
}

TEST(Choose, LearnersThatGoToTheOptimumSaySo) {
  constexpr LearnerSet online = {kSgd, kPerceptron, kMira, kDca};
  for (const LearnerKind learner : LearnerSet::all().list()) {
    EXPECT_EQ(chosen(saying(learner)).converges(), !online.has(learner)) << to_string(learner);
  }
  LearnerOptions stored = saying(kDca);
  stored.dual = "stored";
  EXPECT_TRUE(chosen(stored).converges());
}

TEST(LearnersFor, AreThoseThatSomeLossDualAndGeometryMakeFit) {
  EXPECT_EQ(learners_for(able_to_do_all()).list().size(), kNumLearners);
  EXPECT_TRUE(learners_for({}).empty());
  Able cuts_alone;
  cuts_alone.hinge = true;
  EXPECT_EQ(learners_for(cuts_alone).names(), "dca, sgd, perceptron, bcfw and bmrm");
  Able able = able_to_do_all();
  able.projects = able.flat = able.faces = false;
  able.nonnegative = true;
  EXPECT_EQ(learners_for(able).names(),
            "dca, sgd, perceptron, mira, bcfw, bmrm, extragradient and qp");
}

TEST(Able, OfSeveralModelsIsWhatOneOfThemCanDo) {
  Able sums, signs;
  sums.sums = true;
  signs.hinge = signs.nonnegative = true;
  const Able both = sums | signs;
  EXPECT_TRUE(both.sums && both.hinge);
  EXPECT_FALSE(both.nonnegative);  // one of them is free of that
  EXPECT_FALSE(both.k_best || both.partial);
  EXPECT_TRUE((signs | signs).nonnegative);
}

}  // namespace
}  // namespace trellis::testing
