// Reader of label sets that any program predicted, together with the true ones, so that they can be
// scored. The formats:
//
//   predictions  what `predict` writes: for each instance of the file a line of labels with tabs
//                between them, or a JSON object {"labels": […]}, which has "scores" of all labels
//                where predict was told so
//   matrices     of numbers with blanks between them, as numpy.savetxt writes them: a row for each
//                instance, a column for each label; 0 or 1, and any numbers for scores
//
// The labels are those of an ARFF file; of LIBSVM's format, those that occur in the truth, in a
// prediction or in its scores.
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
  std::string labels;   // Mulan's XML file of an ARFF file; empty: that beside it
  bool matrix = false;  // truth and predictions are matrices
};

// Throws InputError with file and line, also where predictions are not of the instances of the
// truth.
JudgedSets read_judged_sets(const JudgedFiles& files);

// Puts what `predictions` say beside the truth of `sets`. `names_are_all`: a label that is not
// there is an error; else it is added.
void read_predicted_sets(InputFile predictions, bool names_are_all, JudgedSets& sets);
// Rows of 0 and 1, all of one length, which is returned. Throws InputError.
Index read_set_matrix(InputFile file, LabelSets& sets);
// Rows of `columns` finite numbers. Throws InputError.
std::vector<double> read_score_matrix(InputFile file, Index rows, Index columns);

}  // namespace trellis::label
