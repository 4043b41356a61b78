// Every learner on a small problem of every structure: what it reaches, or why it cannot. The table
// is made by trying, and docs/learners.md is this table written down.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"

namespace trellis::testing {

// What a learner promises where it works.
enum class LearnerAim {
  kOptimum,  // reaches the optimum of the margin problem to any gap
  kNear,     // minimises the margin problem, and stays near the optimum
  kOther,    // minimises something else: no penalty, or a smooth loss
};

struct LearnerCell {
  bool works = false;
  std::string reason;  // where it does not
  double objective = kUnknown;
  double bound = kUnknown;
  double gap = kUnknown;
};

struct LearnerRow {
  std::string learner;
  LearnerAim aim;
  std::vector<LearnerCell> cells;  // by structure
};

struct LearnerTable {
  std::vector<std::string> structures;
  std::vector<LearnerRow> rows;
  std::vector<LearnerCell> reference;  // of the reference QP, by structure
};

inline constexpr double kTableLambda = 0.05;
inline constexpr double kTableGap = 1e-3;  // what those that go to the optimum are asked for

LearnerTable try_all_learners();

// docs/learners.md
std::string describe(const LearnerTable& table);

}  // namespace trellis::testing
