// Reading multi-label data. Plain, gzip or zstd, by file name.
//
//   ARFF + Mulan XML  numeric and nominal attributes, dense or sparse rows; the XML file names the
//                     attributes that are labels (nested labels are flattened). A nominal attribute
//                     {0,1} (or any two numbers) is its number; any other is one feature
//                     `name=value` for each value. `?` (missing) is 0 for features and an error for
//                     labels.
//   LIBSVM            `1,5,7 index:value …`: labels first, separated by commas; none at all is
//   fine.
#pragma once

#include <string>
#include <vector>

#include "trellis/tasks/label/label_data.h"

namespace trellis::label {

// The labels of a Mulan XML file, in its order. Throws InputError.
std::vector<std::string> read_label_names(const std::string& xml_path);

struct ReadOptions {
  // The labels: of the XML file or of a model. Empty: the file is LIBSVM's, and the labels are
  // those that occur in it, numbers in their order before other names.
  std::vector<std::string> label_names;
  bool labels_required = true;  // false: a file without labels is fine (predict)
};

// ARFF where the file begins like one, else LIBSVM. Throws InputError with file and line.
LabelData read_label_data(const std::string& path, const ReadOptions& options);

}  // namespace trellis::label
