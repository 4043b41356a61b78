// One optimum: on a small problem of every structure, every learner that applies ends where the
// reference QP says the optimum is, within the gap that it certified itself.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tests/fit/choices.h"
#include "tests/fit/learner_table.h"
#include "trellis/tasks/classify/train.h"
#include "trellis/tasks/factors/train.h"
#include "trellis/tasks/grammar/train.h"
#include "trellis/tasks/label/train.h"
#include "trellis/tasks/match/train.h"
#include "trellis/tasks/rank/train.h"
#include "trellis/tasks/segment/train.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::testing {
namespace {

void expect_exact_references(const LearnerTable& table) {
  for (Index k = 0; k < table.structures.size(); ++k) {
    SCOPED_TRACE(table.structures[k]);
    const LearnerCell& exact = table.reference[k];
    ASSERT_TRUE(exact.works) << exact.reason;
    EXPECT_GT(exact.objective, 0);
    EXPECT_LE(exact.gap, 1e-7);
  }
}

void expect_each_within_its_own_gap_of_the_reference(const LearnerTable& table) {
  for (const LearnerRow& row : table.rows) {
    if (row.learner.aim == LearnerAim::kOther) continue;
    for (Index k = 0; k < row.cells.size(); ++k) {
      if (!row.cells[k].works) continue;
      SCOPED_TRACE(row.learner.name + " on " + table.structures[k]);
      const LearnerCell& cell = row.cells[k];
      const LearnerCell& exact = table.reference[k];
      EXPECT_GE(cell.objective, exact.bound - 1e-10);
      EXPECT_LE(cell.bound, exact.objective + 1e-10);
      EXPECT_NEAR(cell.gap * cell.objective, cell.objective - cell.bound, 1e-12);
    }
  }
}

void expect_promised_optima(const LearnerTable& table) {
  for (const LearnerRow& row : table.rows) {
    if (row.learner.aim != LearnerAim::kOptimum) continue;
    for (Index k = 0; k < row.cells.size(); ++k) {
      if (!row.cells[k].works) continue;
      SCOPED_TRACE(row.learner.name + " on " + table.structures[k]);
      EXPECT_LE(row.cells[k].gap, kTableGap);
    }
  }
}

void expect_near_where_promised(const LearnerTable& table) {
  for (const LearnerRow& row : table.rows) {
    const LearnerAim aim = row.learner.aim;
    if (aim != LearnerAim::kNear && aim != LearnerAim::kRounds) continue;
    for (Index k = 0; k < row.cells.size(); ++k) {
      const LearnerCell& cell = row.cells[k];
      if (!cell.works) continue;
      SCOPED_TRACE(row.learner.name + " on " + table.structures[k]);
      EXPECT_LE(cell.gap, aim == LearnerAim::kNear ? kNearGap : kRoundsGap);
      EXPECT_LT(cell.gap, cell.first_gap);
    }
  }
}

auto by(const TaskDefaults& defaults, const Able& able) {
  return [=](const LearnerOptions& said) { return choose(said, defaults, able); };
}

// What the tasks accept from the command line, with their own options as they are by default.
std::vector<TaskRow> all_tasks() {
  const auto by_method = [](label::Method method, bool pairwise = false) {
    label::TrainOptions options;
    options.method = method;
    options.pairwise = pairwise;
    if (pairwise) options.measure = label::parse_measure("example-f1");
    return [=](const LearnerOptions& said) mutable {
      options.training.learner = said;
      return label::choose_learner(options);
    };
  };
  const auto by_inference = [](std::optional<factors::Inference> inference) {
    return [=](const LearnerOptions& said) {
      factors::TrainOptions options;
      options.training.learner = said;
      options.inference = inference;
      return factors::plan(options, false).choice;
    };
  };
  using enum factors::Inference;
  return {{"tag", by(tag::defaults(), tag::able())},
          {"classify", by(classify::defaults(), classify::able())},
          {"segment", by(segment::defaults(), segment::able())},
          {"label", by_method(label::Method::kBundle)},
          {"label --pairwise", by_method(label::Method::kBundle, true)},
          {"label --method logistic", by_method(label::Method::kLogistic)},
          {"label --method svm", by_method(label::Method::kSvm)},
          {"label --method chain", by_method(label::Method::kChain)},
          {"rank", by(rank::defaults(), rank::able())},
          {"match", by(match::defaults(), match::able())},
          {"grammar", by(grammar::defaults(), grammar::able())},
          {"factors", by_inference({})},
          {"factors --inference relaxed", by_inference(kRelaxed)},
          {"factors --inference beliefs", by_inference(kBeliefs)},
          {"factors --inference reweighted", by_inference(kReweighted)}};
}

// One test, for each is a process of its own, and to make the table takes most of a minute where
// sanitizers watch.
TEST(LearnerTable, IsRightAndWhatTheDocumentationSays) {
  const LearnerTable table = try_all_learners();
  expect_exact_references(table);
  expect_each_within_its_own_gap_of_the_reference(table);
  expect_promised_optima(table);
  expect_near_where_promised(table);
  const std::string path = TRELLIS_SOURCE_DIR "/docs/learners.md";
  const std::string page = describe(table, all_tasks());
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
  const std::vector<TaskRow> tasks = {{"all", by(defaults, able_to_do_all())},
                                      {"cuts", by(silent_task(), cuts)}};
  std::vector<std::string> reasons = {"one that is there already"};
  const std::string text = describe_tasks(tasks, reasons);
  EXPECT_TRUE(text.starts_with("| learner | `all` | `cuts` |\n|---|---|---|\n"));
  EXPECT_TRUE(contains(text, "| `lbfgs` | softmax-margin | no (2) |\n")) << text;
  EXPECT_TRUE(contains(text, "| `perceptron` | perceptron | perceptron |\n")) << text;
  EXPECT_TRUE(contains(text, "| `smo` | svm | no (")) << text;
  EXPECT_EQ(reasons[1],
            "a smooth loss requires sums over outputs, which this structure does not have");
  const std::string page = describe(LearnerTable{}, tasks);
  EXPECT_TRUE(contains(page, "| `projected-gradient` |"));
  EXPECT_TRUE(contains(page, "| learner | `all` | `cuts` |"));
}

}  // namespace
}  // namespace trellis::testing
