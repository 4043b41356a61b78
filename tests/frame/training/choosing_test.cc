// What is chosen where nothing is said, and by what.
#include "trellis/frame/training/choosing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/frame/training/small_trainable.h"
#include "trellis/base/error.h"

namespace trellis::testing {
namespace {

struct Asked {
  TrainingOptions options;
  bool dev = false;
  Index examples = 100;
  bool variants = false;

  Asked() { options.choose = true; }
  TrainingOptions answer() const {
    return with_standard_choice(options, small_choice(options.learner), small_defaults(), dev,
                                examples, variants);
  }
};

TEST(StandardChoice, IsOfCByFoldsOfFewExamples) {
  const TrainingOptions options = Asked().answer();
  ASSERT_EQ(options.candidates.size(), 1U);
  EXPECT_EQ(options.candidates[0].dial, "c");
  EXPECT_TRUE(options.candidates[0].values.empty());
  EXPECT_EQ(options.folds, 5U);
  EXPECT_EQ(options.judged_folds, 0U);
  EXPECT_EQ(options.behind_peak, 2U);
}

TEST(StandardChoice, IsOfWhatTheTaskChoosesBesides) {
  TaskDefaults defaults = small_defaults();
  defaults.besides = {{"l1", {0, 0.1}}};
  const auto answer = [&](const TrainingOptions& options) {
    return with_standard_choice(options, small_choice(options.learner), defaults, true, 100);
  };
  TrainingOptions silent;
  silent.choose = true;
  silent.learner.learner = LearnerKind::kLbfgs;
  const TrainingOptions options = answer(silent);
  ASSERT_EQ(options.candidates.size(), 2U);
  EXPECT_EQ(options.candidates[1].dial, "l1");
  EXPECT_EQ(options.candidates[1].values, (std::vector<double>{0, 0.1}));
  EXPECT_TRUE(options.besides);
  TrainingOptions said = silent;
  said.learner.l1 = 0.5;
  EXPECT_EQ(answer(said).candidates.size(), 1U);
  said = silent;
  said.learner.c = 1;
  EXPECT_TRUE(answer(said).candidates.empty());
  said = silent;
  said.learner.learner = LearnerKind::kDca;  // has no L1 norm
  EXPECT_EQ(answer(said).candidates.size(), 1U);
  EXPECT_FALSE(answer(said).besides);
}

TEST(StandardChoice, IsByOneFifthOfMany) {
  Asked asked;
  asked.examples = small_defaults().few_examples + 1;
  const TrainingOptions options = asked.answer();
  ASSERT_EQ(options.candidates.size(), 1U);
  EXPECT_EQ(options.folds, 5U);
  EXPECT_EQ(options.judged_folds, 1U);
  EXPECT_EQ(options.behind_peak, 1U);
}

TEST(StandardChoice, IsByTheDevSetWhereThereIsOne) {
  Asked asked;
  asked.dev = true;
  const TrainingOptions options = asked.answer();
  EXPECT_EQ(options.candidates.size(), 1U);
  EXPECT_EQ(options.folds, 0U);
}

TEST(StandardChoice, IsNoneWhereSomethingIsSaid) {
  const auto unchanged = [](const Asked& asked) {
    const TrainingOptions options = asked.answer();
    return options.candidates.empty() && options.folds == 0;
  };
  Asked c, lambda, path, silent, loss_of_its_own, tiny;
  c.options.learner.c = 1;
  lambda.options.learner.lambda = 0.1;
  path.options.path = true;
  silent.options.choose = false;
  loss_of_its_own.options.learner.learner = LearnerKind::kPerceptron;  // holds its weights by none
  tiny.examples = 9;
  for (const Asked& asked : {c, lambda, path, silent, loss_of_its_own, tiny}) {
    EXPECT_TRUE(unchanged(asked));
  }
}

TEST(StandardChoice, LeavesListsAsTheyAreAndFindsWhatJudgesThem) {
  Asked asked;
  asked.options.learner.c = 1;
  asked.options.candidates = {{"c", {1, 10}}};
  const TrainingOptions options = asked.answer();
  ASSERT_EQ(options.candidates.size(), 1U);
  EXPECT_EQ(options.candidates[0].values, (std::vector<double>{1, 10}));
  EXPECT_EQ(options.folds, 5U);
  asked.options.folds = 3;
  EXPECT_EQ(asked.answer().folds, 3U);
}

TEST(StandardChoice, OfVariantsNeedsSomethingToJudgeBy) {
  Asked asked;
  asked.options.learner.c = 1;
  asked.variants = true;
  const TrainingOptions options = asked.answer();
  EXPECT_TRUE(options.candidates.empty());
  EXPECT_EQ(options.folds, 5U);
}

}  // namespace
}  // namespace trellis::testing
