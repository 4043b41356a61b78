// One optimum: on a small problem of every structure, every learner that applies ends where the
// reference QP says the optimum is, within the gap that it certified itself.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/learn/learner_table.h"

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
    if (row.aim == LearnerAim::kOther) continue;
    for (Index k = 0; k < row.cells.size(); ++k) {
      if (!row.cells[k].works) continue;
      SCOPED_TRACE(row.learner + " on " + table().structures[k]);
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
    if (row.aim != LearnerAim::kOptimum) continue;
    for (Index k = 0; k < row.cells.size(); ++k) {
      if (!row.cells[k].works) continue;
      SCOPED_TRACE(row.learner + " on " + table().structures[k]);
      EXPECT_LE(row.cells[k].gap, kTableGap * row.cells[k].objective);
    }
  }
}

TEST(LearnerTable, IsWhatTheDocumentationSays) {
  const std::string path = TRELLIS_SOURCE_DIR "/docs/learners.md";
  const std::string page = describe(table());
  if (std::getenv("TRELLIS_WRITE_DOCS") != nullptr) std::ofstream(path) << page;
  std::ifstream file(path);
  const std::string written((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(written, page);
}

}  // namespace
}  // namespace trellis::testing
