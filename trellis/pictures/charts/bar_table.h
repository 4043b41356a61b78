// Tables with a bar next to each number: scores between 0 and 100 %, and signed weights.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

// A bar of the given share of its cell; clamped to [0, 1], empty for NaN.
Html bar(double share);
// A probability above its bar, for the cells of any table.
Html probability_bar(double probability);

// Precision, recall and F1 of one type, in percent, and the counts that they come from.
struct ScoreRow {
  std::string name;
  Index gold = 0;
  Index predicted = 0;
  Index correct = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};
// `overall` is the last row, separated from the types; it is the given total, not an average.
Html score_table(std::string_view name_heading, std::span<const ScoreRow> rows,
                 const ScoreRow& overall);

struct SignedRow {
  std::string name;
  double value = 0;
};
// Bars to the right of a zero line for positive values, to the left for negative ones; `scale` > 0
// is the value of a full bar, so that several tables can share it.
Html signed_table(std::string_view caption, std::span<const SignedRow> rows, double scale);

}  // namespace trellis::report
