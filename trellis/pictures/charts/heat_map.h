// Matrices as coloured tables: confusion counts, signed weights such as transitions, and
// probabilities.
//
// It is a table, not a picture: the numbers can be read aloud, searched and copied. Colour repeats
// the numbers and is never needed to read them. A large matrix is reduced to the most important
// labels, in their own order, and the page states what was left out.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

struct ConfusionMatrix {
  std::vector<std::string> labels;
  std::vector<Index> counts;  // counts[gold · L + predicted]
};

// Rows are gold, columns predicted. The colour of a cell is its share of the row: the diagonal in
// the accent colour; the mistakes in the warning colour, by the cube root of the share because they
// are rare. With more than `max_labels` labels, those with the most mistakes (as gold or as
// predicted) are shown, and all others are summed in one last row and column.
Html confusion_heat_map(const ConfusionMatrix& matrix, Index max_labels = 18);

struct Confused {
  Index gold = 0;
  Index predicted = 0;
  Index count = 0;
  double share = 0;  // of the gold label's tokens
};
// The most frequent mistakes, in decreasing order; ties in the order of the labels.
std::vector<Confused> most_confused(const ConfusionMatrix& matrix, Index limit);

struct WeightMatrix {
  std::string row_title;     // "from"
  std::string column_title;  // "to"
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<double> weights;  // row by row; NaN if there is no such weight
};

// Coloured by weight / max |weight|. Beyond `max_lines` rows (columns), only those with the largest
// absolute weights are shown.
Html weight_heat_map(const WeightMatrix& matrix, Index max_lines = 18);

// Distributions of one variable, a row each.
struct ProbabilityTable {
  std::string row_title;     // "state"
  std::string column_title;  // "observed"
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<double> probabilities;  // row by row
  // The difference of each row's sum to 1; empty: all rows have the sum 1.
  std::vector<double> missing = {};
};

// The part of each table that is shown.
struct TableExcerpt {
  Index max_rows = 24;
  Index max_columns = 18;
};

// Coloured by probability / the largest probability. Of a larger table it shows the rows that
// differ most from their mean, and the columns that distinguish rows best: by their share of the
// mutual information of row and column, with equal probabilities for all rows.
Html probability_heat_map(const ProbabilityTable& table, const TableExcerpt& excerpt = {});

}  // namespace trellis::report
