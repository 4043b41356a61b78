// What is chosen where nothing is said, and by what.
#include "trellis/tasks/training/choosing.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/tasks/training/small_trainable.h"
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
