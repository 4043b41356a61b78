// Every part model with every learner: what choose() allows, fit() does, and what it refuses,
// nobody can; the same bits on any number of threads; and some examples of a model are as a model
// of these.
#include "trellis/fit/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stop_token>
#include <string>
#include <vector>

#include "tests/fit/choices.h"
#include "tests/fit/learner_table.h"
#include "tests/fit/small_fits.h"
#include "tests/learn/run_result.h"
#include "trellis/learn/frame/checkpoint.h"

namespace trellis::testing {
namespace {

using enum LearnerKind;

// A learner on a problem, for a few epochs: certified where it can be.
struct Cell {
  const SmallFit& problem;
  std::string name;
  LearnerOptions said;
};

LearnerOptions briefly(LearnerOptions said) {
  if (said.learner != kQp) said.epochs = 4;
  if (said.learner != kPerceptron && said.learner != kQp) said.gap = 0;
  if (said.draws.value_or(0) == 0) said.certify = true;
  return said;
}

// The margin problem by every learner, and the smooth losses by those that take them.
std::vector<std::pair<std::string, LearnerOptions>> all_variants() {
  std::vector<std::pair<std::string, LearnerOptions>> all;
  for (const LearnerVariant& one : learner_variants()) {
    all.emplace_back(one.name, briefly(one.said));
  }
  const auto smooth = [&](const std::string& name, LearnerKind learner) -> LearnerOptions& {
    return all.emplace_back(name + ", smooth", briefly(saying(learner, "softmax-margin"))).second;
  };
  smooth("`dca`", kDca).dual = "stored";
  smooth("`dca`, online", kDca).dual = "online";
  smooth("`sgd`", kSgd).average = true;
  smooth("`bcfw`", kBcfw);
  smooth("`bmrm`", kBmrm);
  smooth("OWL-QN", kLbfgs).l1 = 0.1;
  LearnerOptions draws = saying(kSgd, "crf");
  draws.draws = 5;
  draws.eta = 0.1;
  all.emplace_back("`sgd`, draws", briefly(draws));
  return all;
}

const SmallFits& problems() {
  static const SmallFits all = [] {
    SmallFits fits = fits_of_all_structures();
    fits.push_back(fit_of_tied_chain());
    return fits;
  }();
  return all;
}

std::string reason_of(const Cell& cell) {
  return refusal_by([&] { choose(cell.said, silent_task(), cell.problem.able()); });
}

// Data that have no outputs of the kind that the type promises: partial matchings.
bool refused_by_data(const Cell& cell) {
  return cell.problem.name() == "matching" && cell.said.learner == kStructuredSmo;
}

template <class Visit>
void on_each_cell(const Visit& visit) {
  for (const auto& problem : problems()) {
    for (const auto& [name, said] : all_variants()) {
      const Cell cell{*problem, name, said};
      SCOPED_TRACE(name + " on " + problem->name());
      visit(cell);
    }
  }
}

template <class Visit>
void on_each_cell_that_works(const Visit& visit) {
  on_each_cell([&](const Cell& cell) {
    if (reason_of(cell).empty() && !refused_by_data(cell)) visit(cell);
  });
}

RunResult run(const Cell& cell, LearnControl control = {}, std::span<const Index> examples = {}) {
  const LearnerChoice choice = choose(cell.said, silent_task(), cell.problem.able());
  RunResult result{{}, std::vector<double>(cell.problem.dimension(), 0.0)};
  FitCall call{choice, result.w, control};
  call.examples = examples;
  result.summary = cell.problem.fit(call).summary;
  return result;
}

TEST(Fit, DoesWhatChooseAllows) {
  Index cells = 0;
  on_each_cell_that_works([&](const Cell& cell) {
    const RunResult result = run(cell);
    EXPECT_GT(result.summary.epochs, 0U);
    EXPECT_TRUE(std::any_of(result.w.begin(), result.w.end(), [](double x) { return x != 0; }));
    for (const double weight : result.w) EXPECT_TRUE(std::isfinite(weight));
    EXPECT_EQ(std::isfinite(result.summary.gap()), cell.said.draws.value_or(0) == 0);
    ++cells;
  });
  EXPECT_GT(cells, 120U);
}

TEST(Fit, CannotDoWhatChooseRefuses) {
  Index cells = 0;
  on_each_cell([&](const Cell& cell) {
    if (reason_of(cell).empty()) return;
    // A choice as of a model that can do everything, which this one cannot.
    const LearnerChoice choice = chosen(cell.said);
    std::vector<double> w(cell.problem.dimension(), 0.0);
    EXPECT_THROW(cell.problem.fit({choice, w}), UsageError);
    ++cells;
  });
  EXPECT_GT(cells, 40U);
}

TEST(Fit, WhatTheDataRefuseIsSaidInTheWordsOfChoose) {
  const SmallFits fits = fits_of_all_structures();
  const auto found = std::find_if(fits.begin(), fits.end(),
                                  [](const auto& one) { return one->name() == "matching"; });
  ASSERT_NE(found, fits.end());
  const auto& matching = **found;
  Cell cell{matching, "", briefly(saying(kStructuredSmo))};
  ASSERT_TRUE(refused_by_data(cell));
  Able no_faces = able_to_do_all();
  no_faces.faces = false;
  const std::string words = refusal_by([&] { run(cell); });
  EXPECT_FALSE(words.empty());
  EXPECT_TRUE(refusal_of(saying(kStructuredSmo), no_faces).ends_with(words)) << words;
}

TEST(Fit, SameBitsForOneThreadAndTwo) {
  on_each_cell_that_works([&](const Cell& cell) {
    LearnControl control;
    control.seed = 5;
    const RunResult one = run(cell, control);
    control.threads = 2;
    expect_same_bits(one, run(cell, control));
  });
}

TEST(Fit, SomeExamplesGiveTheBitsOfAModelOfThemAlone) {
  for (const std::vector<Index>& some :
       {std::vector<Index>{0, 1, 3, 6}, std::vector<Index>{7, 2, 5, 2, 0}}) {
    on_each_cell_that_works([&](const Cell& cell) {
      LearnControl control;
      control.seed = 3;
      const RunResult among = run(cell, control, some);
      const LearnerChoice choice = choose(cell.said, silent_task(), cell.problem.able());
      RunResult alone{{}, std::vector<double>(cell.problem.dimension(), 0.0)};
      alone.summary = cell.problem.fit_alone(some, {choice, alone.w, control}).summary;
      expect_same_bits(alone, among);
    });
  }
}

TEST(Fit, AllExamplesByNameAreAllExamples) {
  on_each_cell_that_works([&](const Cell& cell) {
    std::vector<Index> all(cell.problem.num_examples());
    for (Index i = 0; i < all.size(); ++i) all[i] = i;
    expect_same_bits(run(cell), run(cell, {}, all));
  });
}

TEST(Fit, ResumesAnInterruptedRunToTheSameBits) {
  on_each_cell_that_works([&](const Cell& cell) {
    const RunResult whole = run(cell);
    Checkpoint checkpoint;
    LearnControl control;
    control.checkpoint = &checkpoint;
    std::stop_source source;
    control.stop = source.get_token();
    control.observer = [&](EpochRecord& record, std::span<const double>) {
      if (record.epoch == 2) source.request_stop();
      return true;
    };
    RunResult result = run(cell, control);
    if (result.summary.termination == Termination::kInterrupted) {
      control.stop = {};
      result = run(cell, control);
    }
    expect_same_bits(whole, result);
  });
}

// ---- one optimum

struct Optimum {
  double objective, bound;
};

// What a learner proves about the least objective.
Optimum optimum_of(const SmallFit& problem, const LearnerOptions& said) {
  const LearnerChoice choice = choose(said, silent_task(), problem.able());
  std::vector<double> w(problem.dimension(), 0.0);
  const LearnSummary summary = problem.fit({choice, w}).summary;
  return {summary.objective, summary.bound};
}

void expect_one_optimum(const std::vector<Optimum>& optima, double tolerance) {
  for (const Optimum& a : optima) {
    EXPECT_LE(a.objective - a.bound, tolerance * a.objective + 1e-12);
    for (const Optimum& b : optima) EXPECT_LE(a.bound, b.objective + 1e-10);
  }
}

TEST(OneOptimum, OfASmoothLossIsFoundByAllThatTakeIt) {
  for (const auto& problem : problems()) {
    if (!problem->able().sums) continue;
    SCOPED_TRACE(problem->name());
    std::vector<Optimum> optima;
    for (const LearnerKind learner : {kLbfgs, kDca, kBcfw, kBmrm}) {
      LearnerOptions said = saying(learner, "softmax-margin");
      said.lambda = 0.05;
      said.gap = 1e-4;
      said.epochs = 20000;
      if (learner == kDca) said.dual = "stored";
      if (learner == kLbfgs) said.epsilon = said.delta = 0;
      if (learner == kBcfw) said.certify = true;
      optima.push_back(optimum_of(*problem, said));
    }
    expect_one_optimum(optima, 1e-4);
  }
}

// Extragradient of counts and of indicators, SMO of indicators, cuts of counts.
TEST(OneOptimum, OfATiedChainIsThatOfItsUntiedTwin) {
  const auto tied = fit_of_tied_chain();
  std::vector<Optimum> optima;
  for (const LearnerVariant& one : learner_variants()) {
    if (one.aim != LearnerAim::kOptimum || one.said.learner == kSmo) continue;
    SCOPED_TRACE(one.name);
    optima.push_back(optimum_of(*tied, one.said));
  }
  EXPECT_EQ(optima.size(), 9U);
  expect_one_optimum(optima, kTableGap);
}

TEST(OneOptimum, WithinABallIsFoundByAllThatHaveOne) {
  for (const auto& problem : problems()) {
    SCOPED_TRACE(problem->name());
    if (problem->able().relaxed) continue;  // its program is none of its outputs
    LearnerOptions said = saying(kQp);
    said.radius = 0.5;
    const Optimum exact = optimum_of(*problem, said);
    for (const LearnerKind learner : {kExtragradient, kProjectedGradient}) {
      if (!problem->able().projects) continue;
      said = saying(learner);
      said.radius = 0.5;
      said.gap = 1e-3;
      said.epochs = 2000;
      const LearnerChoice choice = choose(said, silent_task(), problem->able());
      std::vector<double> w(problem->dimension(), 0.0);
      const LearnSummary summary = problem->fit({choice, w}).summary;
      EXPECT_LE(summary.bound, exact.objective + 1e-9);
      EXPECT_GE(summary.objective, exact.bound - 1e-9);
      double squares = 0;
      for (const double weight : w) squares += weight * weight;
      EXPECT_LE(std::sqrt(squares), 0.5 * (1 + 1e-12));
      if (learner == kProjectedGradient) continue;  // stays near
      EXPECT_LE(summary.objective, exact.objective * (1 + 2e-3));
    }
  }
}

TEST(Fit, TheBallOfTheOneNormHoldsTheWeights) {
  for (const char* geometry : {"entropic", "euclidean"}) {
    LearnerOptions said = saying(kExtragradient);
    said.radius = 0.7;
    said.l1_ball = true;
    said.geometry = geometry;
    said.gap = 1e-2;
    said.epochs = 3000;
    const SmallFit& multiclass = *problems()[0];
    const LearnerChoice choice = choose(said, silent_task(), multiclass.able());
    std::vector<double> w(multiclass.dimension(), 0.0);
    const LearnSummary summary = multiclass.fit({choice, w}).summary;
    double norm = 0;
    for (const double weight : w) norm += std::abs(weight);
    EXPECT_LE(norm, 0.7 * (1 + 1e-12));
    EXPECT_GT(norm, 0.5);
    EXPECT_EQ(summary.termination, Termination::kConverged);
  }
}

// ---- warm-ups

// The warm-up of `said` is what `first` does, and what follows starts from there: once.
void expect_warm_up(const SmallFit& problem, LearnerOptions said, const LearnerOptions& first) {
  SCOPED_TRACE(problem.name());
  const auto fit = [&](const LearnerOptions& options, bool started, std::vector<double>& w) {
    const LearnerChoice choice = choose(options, silent_task(), problem.able());
    FitCall call{choice, w};
    call.started = started;
    return problem.fit(call).summary;
  };
  RunResult warm{{}, std::vector<double>(problem.dimension(), 0.0)};
  warm.summary = fit(said, false, warm.w);
  RunResult by_hand{{}, std::vector<double>(problem.dimension(), 0.0)};
  fit(first, false, by_hand.w);
  const std::vector<double> begin = by_hand.w;
  by_hand.summary = fit(said, true, by_hand.w);  // started: no warm-up
  expect_same_bits(by_hand, warm);
  said.warm_up = 0;
  RunResult again{{}, begin};
  again.summary = fit(said, false, again.w);
  expect_same_bits(again, warm);
}

TEST(WarmUp, OfExtragradientIsSomeEpochsOfBcfw) {
  LearnerOptions first = saying(kBcfw);
  first.epochs = 3;
  first.average = true;
  first.c = 2;
  for (const auto& problem : problems()) {
    if (!problem->able().projects) continue;
    for (const char* geometry : {"euclidean", "entropic"}) {
      if (geometry == std::string("entropic") && !problem->able().sums) continue;
      LearnerOptions said = saying(kExtragradient);
      said.geometry = geometry;
      said.warm_up = 3;
      said.epochs = 4;
      said.c = 2;
      expect_warm_up(*problem, said, first);
    }
  }
}

TEST(WarmUp, OfLbfgsIsSomeEpochsOfDca) {
  LearnerOptions first = saying(kDca, "crf");
  first.epochs = 3;
  LearnerOptions said = saying(kLbfgs);
  said.warm_up = 3;
  said.epochs = 4;
  for (const auto& problem : problems()) {
    if (problem->able().sums) expect_warm_up(*problem, said, first);
  }
}

TEST(WarmUp, IsNotForTheOneNormWhoseZerosAreWhereItStarts) {
  LearnerOptions said = saying(kLbfgs);
  said.l1 = 0.5;
  said.epochs = 4;
  said.warm_up = 0;
  const Cell cold{*problems()[0], "", said};
  said.warm_up = 3;
  const Cell warm{*problems()[0], "", said};
  expect_same_bits(run(cold), run(warm));
}

TEST(WarmUp, ThatIsInterruptedLeavesNothingAndBeginsAgain) {
  for (const LearnerKind learner : {kLbfgs, kExtragradient}) {
    LearnerOptions said = saying(learner);
    said.warm_up = 3;
    said.epochs = 4;
    const Cell cell{*problems()[0], "", said};
    const RunResult whole = run(cell);
    std::stop_source source;
    source.request_stop();
    Checkpoint checkpoint;
    LearnControl control;
    control.checkpoint = &checkpoint;
    control.stop = source.get_token();
    const RunResult stopped = run(cell, control);
    EXPECT_EQ(stopped.summary.termination, Termination::kInterrupted);
    EXPECT_TRUE(checkpoint.empty());
    control.stop = {};
    expect_same_bits(whole, run(cell, control));
  }
}

}  // namespace
}  // namespace trellis::testing
