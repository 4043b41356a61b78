// One optimum: on a small problem of every structure, every learner that applies ends where the
// reference QP says the optimum is, within the gap that it certified itself.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fit/choices.h"
#include "tests/fit/learner_table.h"
#include "trellis/tasks/classify/train.h"
#include "trellis/tasks/label/train.h"
#include "trellis/tasks/match/train.h"
#include "trellis/tasks/rank/train.h"
#include "trellis/tasks/segment/train.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::testing {
namespace {

const LearnerTable& table() {
  static const LearnerTable all = try_all_learners();
  return all;
}

TEST(OneOptimum, TheReferenceIsExactOnEveryStructure) {
  for (Index k = 0; k < table().structures.size(); ++k) {
    SCOPED_TRACE(table().structures[k]);
    const LearnerCell& exact = table().reference[k];
    ASSERT_TRUE(exact.works) << exact.reason;
    EXPECT_GT(exact.objective, 0);
    EXPECT_LE(exact.gap, 1e-7 * exact.objective);
  }
}

TEST(OneOptimum, EveryLearnerIsWithinItsOwnGapOfTheReference) {
  for (const LearnerRow& row : table().rows) {
    if (row.learner.aim == LearnerAim::kOther) continue;
    for (Index k = 0; k < row.cells.size(); ++k) {
      if (!row.cells[k].works) continue;
      SCOPED_TRACE(row.learner.name + " on " + table().structures[k]);
      const LearnerCell& cell = row.cells[k];
      const LearnerCell& exact = table().reference[k];
      EXPECT_GE(cell.objective, exact.bound - 1e-10);
      EXPECT_LE(cell.bound, exact.objective + 1e-10);
      EXPECT_LE(cell.objective - exact.objective, cell.gap + 1e-10);
    }
  }
}

TEST(OneOptimum, LearnersThatPromiseTheOptimumCloseTheGap) {
  for (const LearnerRow& row : table().rows) {
    if (row.learner.aim != LearnerAim::kOptimum) continue;
    for (Index k = 0; k < row.cells.size(); ++k) {
      if (!row.cells[k].works) continue;
      SCOPED_TRACE(row.learner.name + " on " + table().structures[k]);
      EXPECT_LE(row.cells[k].gap, kTableGap * row.cells[k].objective);
    }
  }
}

// What the tasks accept from the command line, with their own options as they are by default.
std::vector<TaskRow> all_tasks() {
  return {{"tag", tag::defaults(), tag::able()},
          {"classify", classify::defaults(), classify::able()},
          {"segment", segment::defaults(), segment::able()},
          {"label", label::defaults(), label::able(label::TrainOptions{})},
          {"rank", rank::defaults(), rank::able()},
          {"match", match::defaults(), match::able()}};
}

TEST(LearnerTable, IsWhatTheDocumentationSays) {
  const std::string path = TRELLIS_SOURCE_DIR "/docs/learners.md";
  const std::string page = describe(table(), all_tasks());
  if (std::getenv("TRELLIS_WRITE_DOCS") != nullptr) std::ofstream(path) << page;
  std::ifstream file(path);
  const std::string written((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(written, page);
}

TEST(LearnerTable, OfTasksHasALossOrAReasonForEachLearner) {
  TaskDefaults defaults = silent_task();
  LearnerOptions softmax;
  softmax.loss = Loss::named("softmax-margin");
  defaults.rows.push_back({{LearnerKind::kLbfgs}, TaskDefaults::Losses::kAny, softmax});
  Able cuts;
  cuts.hinge = true;
  const std::vector<TaskRow> tasks = {{"all", defaults, able_to_do_all()},
                                      {"cuts", silent_task(), cuts}};
  std::vector<std::string> reasons = {"one that is there already"};
  const std::string text = describe_tasks(tasks, reasons);
  EXPECT_TRUE(text.starts_with("| learner | `all` | `cuts` |\n|---|---|---|\n"));
  EXPECT_TRUE(contains(text, "| `lbfgs` | softmax-margin | no (2) |\n")) << text;
  EXPECT_TRUE(contains(text, "| `perceptron` | perceptron | perceptron |\n")) << text;
  EXPECT_TRUE(contains(text, "| `smo` | svm | no (")) << text;
  EXPECT_EQ(reasons[1], "there are no sums over its outputs, hence no smooth loss");
  const std::string page = describe(table(), tasks);
  EXPECT_TRUE(contains(page, "| `projected-gradient` |"));
  EXPECT_TRUE(contains(page, "| learner | `all` | `cuts` |"));
}

}  // namespace
}  // namespace trellis::testing
