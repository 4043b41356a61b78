// Every learner on a small problem of every structure: what it reaches, or why it cannot. The table
// is made by trying, and docs/learners.md is this table written down.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/choose.h"
#include "trellis/fit/learner_options.h"
#include "trellis/learn/frame/learner.h"

namespace trellis::testing {

// What a learner promises where it works.
enum class LearnerAim {
  kOptimum,  // reaches the optimum of the margin problem to any gap
  kNear,     // minimises the margin problem, and comes near the optimum
  kRounds,   // takes each visit for a new round of the margin problem, and does not go to its
             // optimum
  kOther,    // minimises something else: no penalty, or a smooth loss
};

struct LearnerCell {
  bool works = false;
  std::string reason;  // where it does not
  double objective = kUnknown;
  double bound = kUnknown;
  double gap = kUnknown;        // relative
  double first_gap = kUnknown;  // after one epoch
};

// A learner as a user asks for it, with a dual or a geometry where it has several.
struct LearnerVariant {
  std::string name;
  LearnerAim aim;
  LearnerOptions said;
};

struct LearnerRow {
  LearnerVariant learner;
  std::vector<LearnerCell> cells;  // by structure
};

struct LearnerTable {
  std::vector<std::string> structures;
  std::vector<LearnerRow> rows;
  // By structure: of the reference QP, or of BMRM to a tiny gap where there is no hull for the QP.
  std::vector<LearnerCell> reference;
};

inline constexpr double kTableLambda = 0.05;
inline constexpr double kTableGap = 1e-3;   // what those that go to the optimum are asked for
inline constexpr double kNearGap = 0.15;    // what those that come near must reach
inline constexpr double kRoundsGap = 0.85;  // and those that play rounds

// The rows of the table: every learner with the margin problem, or with what it has instead.
std::vector<LearnerVariant> learner_variants();
LearnerTable try_all_learners();

// A task of the library, by what it says of itself.
struct TaskRow {
  std::string task;
  std::function<LearnerChoice(const LearnerOptions&)> choose;  // throws UsageError
};
// Which learner trains which task, with which loss where none is said. The reasons are numbered on
// from those that are there.
std::string describe_tasks(std::span<const TaskRow> tasks, std::vector<std::string>& reasons);

// docs/learners.md
std::string describe(const LearnerTable& table, std::span<const TaskRow> tasks);

}  // namespace trellis::testing
