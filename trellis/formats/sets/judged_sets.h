// Reader of label sets that any program predicted, together with the true ones, to score them. The
// formats:
//
//   predictions  the output of `predict`: for each instance of the file a line of labels separated
//                by tabs, or a JSON object {"labels": […]}, with "scores" of all labels if
//                `predict` writes them
//   matrices     of numbers separated by blanks, as numpy.savetxt writes them: a row for each
//                instance, a column for each label; 0 or 1, and any numbers for scores
//
// The labels of an ARFF file are those that it declares; the labels of LIBSVM's format are those
// that occur in the truth, in a prediction or in its scores.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/sets/label_data.h"

namespace trellis::label {

struct JudgedSets {
  std::vector<std::string> label_names;
  LabelSets truth, predicted;
  std::vector<double> scores;  // a row of label_names.size() for each instance, or nothing
};

struct JudgedFiles {
  std::string truth;
  std::string predictions;
  std::string scores;   // a matrix; empty: there is none
  std::string labels;   // Mulan's XML file of an ARFF file; empty: labels_beside()
  bool matrix = false;  // truth and predictions are matrices
};

// Throws InputError with file and line, also if predictions and truth have different instances.
JudgedSets read_judged_sets(const JudgedFiles& files);

// Adds `predictions` to `sets`, which has the truth. `names_are_all`: a label that is not there is
// an error; otherwise it is added.
void read_predicted_sets(InputFile predictions, bool names_are_all, JudgedSets& sets);
// Rows of 0 and 1, all of the same length, which it returns. Throws InputError.
Index read_set_matrix(InputFile file, LabelSets& sets);
// Rows of `columns` finite numbers. Throws InputError.
std::vector<double> read_score_matrix(InputFile file, Index rows, Index columns);

}  // namespace trellis::label
