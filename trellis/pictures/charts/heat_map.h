// Matrices as coloured tables: confusion counts, signed weights such as transitions, and
// probabilities.
//
// A table rather than a picture: the numbers can be read aloud, searched and copied. Colour repeats
// what the number says and is never needed to read it. A large matrix is cut to the labels that
// matter most, in their own order, and what was left out is stated.
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

// Rows are gold, columns predicted, and a cell is coloured by its share of the row: the diagonal
// with the accent; the mistakes with the warning colour, by the cube root of the share because
// they are rare. With more than `max_labels` labels those with the most mistakes (as gold or as
// predicted) are shown, and all others are summed in one last row and column.
Html confusion_heat_map(const ConfusionMatrix& matrix, Index max_labels = 18);

struct Confused {
  Index gold = 0;
  Index predicted = 0;
  Index count = 0;
  double share = 0;  // of the gold label's tokens
};
// The commonest mistakes, most frequent first; ties in the order of the labels.
std::vector<Confused> most_confused(const ConfusionMatrix& matrix, Index limit);

struct WeightMatrix {
  std::string row_title;     // "from"
  std::string column_title;  // "to"
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<double> weights;  // row by row; NaN where there is no such weight
};

// Coloured by weight / max |weight|. Beyond `max_lines` rows (columns), those with the largest
// weights in absolute value are shown.
Html weight_heat_map(const WeightMatrix& matrix, Index max_lines = 18);

// Distributions of one variable, a row each.
struct ProbabilityTable {
  std::string row_title;     // "state"
  std::string column_title;  // "observed"
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<double> probabilities;  // row by row
  // What each row lacks to a sum of 1; empty: none lacks anything.
  std::vector<double> missing = {};
};

// How much of each table is shown.
struct TableExcerpt {
  Index max_rows = 24;
  Index max_columns = 18;
};

// Coloured by probability / the largest of them. Of a larger table the rows that differ most from
// their mean are shown, and the columns that tell rows apart the most: by their share of the mutual
// information of row and column, where all rows are equally probable.
Html probability_heat_map(const ProbabilityTable& table, const TableExcerpt& excerpt = {});

}  // namespace trellis::report
