// What is told of a choice: advice to search further, where nothing further was evaluated.
#include "trellis/frame/training/tried.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/frame/training/small_trainable.h"

namespace trellis::testing {
namespace {

using Figure = std::function<double(const LearnerOptions& setting)>;

// Learns nothing: its figure is a function of the setting.
class ScriptedTrial final : public Trial {
 public:
  explicit ScriptedTrial(const Figure& figure) : figure_(figure) {}
  Index dimension() const override { return 1; }
  Fitted fit(const FitCall& call) const override {
    call.w[0] = figure_(call.choice.values);
    Fitted fitted;
    fitted.summary.epochs = 1;
    return fitted;
  }
  std::vector<double> tally(std::span<const double> w) const override { return {w[0]}; }

 private:
  const Figure& figure_;
};

class ScriptedTrainable final : public Trainable {
 public:
  explicit ScriptedTrainable(Figure figure) : figure_(std::move(figure)), whole_(figure_) {}
  const Trial& whole() const override { return whole_; }
  Index num_examples() const override { return 12; }
  bool has_dev() const override { return false; }
  std::unique_ptr<Trial> fold(Index, Index) const override {
    return std::make_unique<ScriptedTrial>(figure_);
  }
  double figure(std::span<const double> tally) const override { return tally[0]; }
  std::string_view figure_name() const override { return "figure"; }

 private:
  Figure figure_;
  ScriptedTrial whole_;
};

struct ScriptedVariant {
  std::vector<double> grid;  // of an automatic C
  Figure figure;
};

// The sentence "chose …" of a choice by folds.
std::string choice_of(const std::vector<ScriptedVariant>& scripts,
                      const std::vector<Candidates>& candidates, bool besides = false) {
  TrainingOptions options;
  options.learner.learner = LearnerKind::kLbfgs;
  options.candidates = candidates;
  options.folds = 3;
  options.besides = besides;
  options.threads = 1;
  std::vector<Variant> variants;
  for (const ScriptedVariant& one : scripts) {
    const auto trainable = std::make_shared<ScriptedTrainable>(one.figure);
    variants.push_back({std::string(1, static_cast<char>('a' + variants.size())),
                        small_choice(options.learner), [trainable] { return trainable; },
                        one.grid});
  }
  TaskDefaults defaults = small_defaults();
  defaults.halving_fold = 2;
  std::string told;
  TrainEvents events;
  events.on_phase = [&](const std::string& text) {
    if (text.starts_with("chose ")) told = text;
  };
  learn_best(variants, defaults, options, "test", events);
  EXPECT_NE(told, "");
  return told;
}

// Falls with the distance from `peak`, in powers of ten.
Figure peak_at(double peak, double height = 0) {
  return [=](const LearnerOptions& setting) {
    return height - std::abs(std::log10(*setting.c / peak));
  };
}

const std::vector<Candidates> kAutomaticC = {{"c", {}}};

TEST(EdgeAdvice, IsGivenWhereNothingBeyondWasEvaluated) {
  EXPECT_NE(choice_of({{{}, peak_at(1e9)}}, {{"c", {1, 10, 100}}}).find("--c 100,1000,10000"),
            std::string::npos);
  EXPECT_NE(choice_of({{{}, peak_at(1e-9)}}, {{"c", {1, 10, 100}}}).find("--c 1,0.1,0.01"),
            std::string::npos);
  // A walk does not go on beyond its grid for ever.
  EXPECT_NE(choice_of({{{1, 10, 100}, peak_at(1e99)}}, kAutomaticC).find("--c 1e+06,1e+07,1e+08"),
            std::string::npos);
}

TEST(EdgeAdvice, IsNotGivenInTheMiddleOrAtTheEndOfADial) {
  EXPECT_EQ(choice_of({{{}, peak_at(10)}}, {{"c", {1, 10, 100}}}), "chose c = 10");
  EXPECT_EQ(choice_of({{{}, peak_at(1)}}, {{"c", {1}}}), "chose c = 1");
  EXPECT_EQ(choice_of({{{}, [](const LearnerOptions& setting) { return -*setting.l1; }}},
                      {{"l1", {0, 0.1, 1}}}),
            "chose l1 = 0");
}

// b has its peak at the value that is the last of the walk of a, which took as many steps.
TEST(EdgeAdvice, IsAboutTheValuesOfTheVariantThatWasChosen) {
  const ScriptedVariant a{{0.01, 0.1, 1, 10, 100}, peak_at(1)};
  const ScriptedVariant b{{1, 10, 100}, peak_at(100, 1)};
  EXPECT_EQ(choice_of({a, b}, kAutomaticC), "chose b, c = 100");
  // The other way: a went further than b, which rises.
  const ScriptedVariant wide{{1, 1e3, 1e6, 1e9, 1e12, 1e15, 1e18, 1e21, 1e24}, peak_at(1e21)};
  const ScriptedVariant rising{
      {1, 10, 100}, [](const LearnerOptions& setting) { return 100 + std::log10(*setting.c); }};
  EXPECT_NE(choice_of({wide, rising}, kAutomaticC).find("--c 1e+06,"), std::string::npos);
}

TEST(EdgeAdvice, IsAboutTheValuesOfAllPaths) {
  const Figure figure = [](const LearnerOptions& setting) {
    return *setting.l1 == 0 ? peak_at(1)(setting) : peak_at(100, 1)(setting);
  };
  // The walk without L1 ends at 100, and that with L1, as long, at 10000.
  EXPECT_EQ(choice_of({{{0.01, 0.1, 1, 10, 100}, figure}}, {{"c", {}}, {"l1", {0, 0.5}}}),
            "chose c = 100, l1 = 0.5");
}

// The task's own list of an L1 norm is without and with: of two values each is an end.
TEST(EdgeAdvice, IsNotGivenOfOneOfTwoValues) {
  const Figure figure = [](const LearnerOptions& setting) {
    return peak_at(1)(setting) + *setting.l1;
  };
  EXPECT_EQ(choice_of({{{}, figure}}, {{"c", {}}, {"l1", {0, 0.1}}}, true),
            "chose c = 1, l1 = 0.1");
}

TEST(EdgeAdvice, IsAboutTheLastRoundOfVariantsThatAreHalved) {
  const ScriptedVariant a{{0.01, 0.1, 1, 10, 100}, peak_at(1)};
  const ScriptedVariant b{{1, 10, 100}, peak_at(100, 1)};
  const ScriptedVariant c{{1, 10, 100}, peak_at(10, -5)};
  EXPECT_EQ(choice_of({a, b, c}, kAutomaticC), "chose b, c = 100");
}

// Counts stay whole, and end at 1.
TEST(EdgeAdvice, OfACountHasCounts) {
  const auto by_epochs = [](double sign) {
    return
        [=](const LearnerOptions& setting) { return sign * static_cast<double>(*setting.epochs); };
  };
  EXPECT_NE(choice_of({{{}, by_epochs(1)}}, {{"epochs", {2, 5, 10}}}).find("--epochs 10,20,40"),
            std::string::npos);
  EXPECT_EQ(choice_of({{{}, by_epochs(-1)}}, {{"epochs", {1, 2, 3}}}), "chose epochs = 1");
}

}  // namespace
}  // namespace trellis::testing
