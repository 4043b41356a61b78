#include "trellis/fit/search.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/fit/choices.h"
#include "trellis/fit/dials.h"

namespace trellis::testing {
namespace {

using enum LearnerKind;
using Values = std::vector<double>;

struct Read {
  LearnerOptions said;
  std::vector<Candidates> candidates;
};

Read reading(std::string_view dial, std::string_view text) {
  Read read;
  read_dial(dial, text, read.said, read.candidates);
  return read;
}

Values values_of(std::string_view name, const Path& path) {
  Values values;
  for (const LearnerChoice& choice : path) values.push_back(dial(name).number(choice.values));
  return values;
}

// ---- reading

TEST(ReadDial, OneValueIsNoChoice) {
  const Read read = reading("c", "0.5");
  EXPECT_EQ(read.said.c, 0.5);
  EXPECT_TRUE(read.candidates.empty());
  EXPECT_EQ(reading("dual", "stored").said.dual, "stored");
  EXPECT_EQ(reading("average", "false").said.average, false);
}

TEST(ReadDial, SeveralValuesAreAChoiceAndTheFirstIsSeenByChoose) {
  const Read read = reading("k", "10,5");
  ASSERT_EQ(read.candidates.size(), 1U);
  EXPECT_EQ(read.candidates[0].dial, "k");
  EXPECT_EQ(read.candidates[0].values, (Values{10, 5}));
  EXPECT_EQ(read.said.k, Index{10});
}

TEST(ReadDial, AutoIsAChoiceWithoutValuesYet) {
  const Read read = reading("c", "auto");
  ASSERT_EQ(read.candidates.size(), 1U);
  EXPECT_TRUE(read.candidates[0].values.empty());
  EXPECT_FALSE(read.said.c);
}

TEST(ReadDial, RefusesListsWithHolesAndValuesOutOfRange) {
  for (const char* text : {",", "1,", ",1", "1,,2", "1,auto", "auto,1", "1,-1", "0,1", "1,x"}) {
    EXPECT_NE(refusal_by([&] { reading("c", text); }), "") << text;
  }
  EXPECT_NE(refusal_by([] { reading("epochs", "1,2.5"); }), "");
  EXPECT_NE(refusal_by([] { reading("dual", "online,stored"); }), "");
  EXPECT_NE(refusal_by([] { reading("dual", "auto"); }), "");
  EXPECT_NE(refusal_by([] { reading("nonsense", "1"); }), "");
}

TEST(ReadDial, ListsThatDoNotFitTogetherAreRefusedBeforeAnyData) {
  const auto sentence = [](LearnerKind learner,
                           const std::vector<std::pair<std::string, std::string>>& flags) {
    Read read;
    read.said.learner = learner;
    for (const auto& [name, text] : flags) {
      read_dial(name, text, read.said, read.candidates);
    }
    return refusal_of(read.said);
  };
  EXPECT_TRUE(contains(sentence(kBmrm, {{"k", "1,2"}}), "--k cannot be combined"));
  EXPECT_TRUE(contains(sentence(kBmrm, {{"c", "1,2"}, {"lambda", "1"}}), "set the same strength"));
  EXPECT_TRUE(contains(sentence(kQp, {{"c", "1,2"}, {"radius", "3,4"}}), "instead of --c"));
  EXPECT_EQ(sentence(kExtragradient, {{"radius", "1,2"}, {"l1-ball", "true"}}), "");
  EXPECT_TRUE(contains(sentence(kExtragradient, {{"steps", "examples"}, {"radius", "1,2"}}),
                       "requires --c or --lambda"));
}

// ---- resolving

std::vector<Candidates> resolved(const std::vector<Candidates>& candidates, LearnerKind learner,
                                 const TaskDefaults& task = silent_task()) {
  return resolve(candidates, chosen(saying(learner)), task);
}

TEST(Resolve, GoesFromStrongToWeakWithoutRepetitions) {
  EXPECT_EQ(resolved({{"c", {10, 0.1, 1, 10}}}, kBmrm)[0].values, (Values{0.1, 1, 10}));
  EXPECT_EQ(resolved({{"lambda", {10, 0.1, 1, 0.1}}}, kBmrm)[0].values, (Values{10, 1, 0.1}));
  EXPECT_EQ(resolved({{"radius", {4, 2}}}, kQp)[0].values, (Values{2, 4}));
  EXPECT_EQ(resolved({{"k", {10, 5, 10}}}, kMira)[0].values, (Values{5, 10}));
}

TEST(Resolve, AutomaticPenaltiesAreTheTasksWhereItHasThem) {
  EXPECT_EQ(resolved({{"c", {}}}, kBmrm)[0].values, (Values{0.01, 0.1, 1, 10, 100}));
  TaskDefaults task = silent_task();
  task.grid = {3, 1, 2};
  EXPECT_EQ(resolved({{"c", {}}}, kBmrm, task)[0].values, (Values{1, 2, 3}));
  // The grid of the one is not that of the other.
  EXPECT_EQ(resolved({{"lambda", {}}}, kBmrm, task)[0].values,
            resolved({{"lambda", {}}}, kBmrm)[0].values);
  task.per_lambda = true;
  EXPECT_EQ(resolved({{"lambda", {}}}, kBmrm, task)[0].values, (Values{3, 2, 1}));
  EXPECT_EQ(resolved({{"c", {}}}, kBmrm, task)[0].values, resolved({{"c", {}}}, kBmrm)[0].values);
}

TEST(Resolve, OtherAutomaticDialsGoAroundTheirDefault) {
  EXPECT_EQ(resolved({{"epochs", {}}}, kDca)[0].values, (Values{5, 10, 20, 40, 80}));
  EXPECT_EQ(resolved({{"k", {}}}, kMira)[0].values, (Values{5, 10, 20}));  // whole ones alone
  EXPECT_EQ(resolved({{"step-scale", {}}}, kExtragradient)[0].values, (Values{0.25, 0.5, 1, 2, 4}));
}

TEST(Resolve, RefusesWhatCannotBeChosen) {
  const auto sentence = [](const std::vector<Candidates>& candidates, LearnerKind learner) {
    return refusal_by([&] { resolved(candidates, learner); });
  };
  EXPECT_EQ(sentence({{"k", {1, 2}}}, kBmrm),
            "--k cannot be combined with the learner bmrm: it requires mira");
  EXPECT_TRUE(
      contains(sentence({{"eta", {}}}, kSgd), "list the values to choose from"));  // 0 by default
  EXPECT_TRUE(contains(sentence({{"radius", {}}}, kQp),
                       "list the values to choose from"));  // none by default
  EXPECT_TRUE(
      contains(sentence({{"c", {1}}, {"lambda", {1}}}, kBmrm), "strength of the regularisation"));
  EXPECT_TRUE(
      contains(sentence({{"c", {1}}, {"radius", {1}}}, kQp), "strength of the regularisation"));
  EXPECT_TRUE(contains(sentence({{"k", {1}}, {"k", {2}}}, kMira), "several lists"));
  EXPECT_TRUE(contains(sentence({{"dual", {}}}, kDca), "is not numeric"));
  EXPECT_TRUE(contains(sentence({{"nonsense", {1}}}, kDca), "no learner option"));
  EXPECT_TRUE(contains(sentence({{"radius", {1, 2}}}, kExtragradient), "requires --c or --lambda"));
  EXPECT_TRUE(contains(sentence({{"c", {1, -1}}}, kDca), "above 0"));
  EXPECT_TRUE(contains(sentence({{"epochs", {1.5}}}, kDca), "whole number"));
}

// ---- paths

TEST(Paths, WithoutCandidatesTheChoiceIsTheOnlySetting) {
  const LearnerChoice choice = chosen(saying(kBmrm));
  const std::vector<Path> paths = paths_of(choice, {});
  ASSERT_EQ(paths.size(), 1U);
  ASSERT_EQ(paths[0].size(), 1U);
  EXPECT_EQ(paths[0][0].description(), choice.description());
}

TEST(Paths, GoAlongWhatHoldsTheWeightsAndThereIsOneForEachOfTheRest) {
  const LearnerChoice choice = chosen(saying(kMira));
  const std::vector<Path> paths =
      paths_of(choice, {{"k", {5, 10}}, {"c", {0.1, 1, 10}}, {"epochs", {3, 4}}});
  ASSERT_EQ(paths.size(), 4U);
  std::vector<std::pair<double, double>> others;
  for (const Path& path : paths) {
    EXPECT_EQ(values_of("c", path), (Values{0.1, 1, 10}));
    const double k = values_of("k", path)[0];
    const double epochs = values_of("epochs", path)[0];
    EXPECT_EQ(values_of("k", path), Values(3, k));
    EXPECT_EQ(values_of("epochs", path), Values(3, epochs));
    others.emplace_back(k, epochs);
  }
  EXPECT_EQ(others, (std::vector<std::pair<double, double>>{{5, 3}, {5, 4}, {10, 3}, {10, 4}}));
}

TEST(Paths, DefaultsThatFollowADialFollowEachOfItsValues) {
  const std::vector<Path> paths = paths_of(chosen(saying(kBcfw)), {{"cache", {0, 20}}});
  EXPECT_EQ(paths[0][0].values.average, true);
  EXPECT_EQ(paths[1][0].values.average, false);
  LearnerOptions said = saying(kBcfw);
  said.average = true;
  for (const Path& path : paths_of(chosen(said), {{"cache", {0, 20}}})) {
    EXPECT_EQ(path[0].values.average, true);
  }
}

TEST(Paths, WithoutAPenaltyAmongThemEachSettingIsAPathOfItsOwn) {
  const std::vector<Path> paths = paths_of(chosen(saying(kMira)), {{"k", {1, 2, 3}}});
  ASSERT_EQ(paths.size(), 3U);
  for (const Path& path : paths) EXPECT_EQ(path.size(), 1U);
}

TEST(Paths, OfOnePenaltyLeaveNothingOfTheOthers) {
  LearnerOptions said = saying(kQp);
  said.lambda = 3;
  for (const char* along : {"c", "lambda", "radius"}) {
    const std::vector<Path> paths = paths_of(chosen(said), {{along, {1, 2}}});
    for (const LearnerChoice& choice : paths[0]) {
      EXPECT_EQ(choice.values.c.has_value(), along == std::string("c"));
      EXPECT_EQ(choice.values.lambda.has_value(), along == std::string("lambda"));
      EXPECT_EQ(choice.values.radius.has_value(), along == std::string("radius"));
    }
  }
}

TEST(Paths, SettingsAreDescribedByWhatWasSearched) {
  const std::vector<Candidates> searched = {{"c", {0.1, 1}}, {"k", {5, 10}}};
  const std::vector<Path> paths = paths_of(chosen(saying(kMira)), searched);
  EXPECT_EQ(describe_setting(paths[0][0], searched), "c = 0.1, k = 5");
  EXPECT_EQ(describe_setting(paths[1][1], searched), "c = 1, k = 10");
  EXPECT_EQ(describe_setting(paths[0][0], {}), "");
  EXPECT_EQ(describe_dials(searched), "c and k");
}

}  // namespace
}  // namespace trellis::testing
