// Reading multi-label data. Plain, gzip or zstd, by the first bytes.
//
//   ARFF + Mulan XML  numeric and nominal attributes, dense or sparse rows (see arff.h); the XML
//                     file names the attributes that are labels (nested labels are flattened).
//                     Features: see arff_columns.h. `?` (missing) is 0 for features and an error
//                     for labels.
//   LIBSVM            `1,5,7 index:value …`: labels first, separated by commas; none at all is fine
//                     (see label_libsvm.h).
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/tasks/label/reading/label_data.h"

namespace trellis::label {

// The labels of a Mulan XML file, in its order. Throws InputError.
std::vector<std::string> read_label_names(const std::string& xml_path);

struct ReadOptions {
  // The labels: of the XML file or of a model, distinct. Empty: the file is LIBSVM's, and the
  // labels are those that occur in it, numbers in their order before other names.
  std::vector<std::string> label_names;
  // false: a file without labels, or without instances, is fine (predict).
  bool labels_required = true;
  // LIBSVM: labels that are not among label_names are put behind them; false: they are errors.
  bool add_labels = false;
};

// ARFF where the file begins like one, else LIBSVM. Throws InputError with file and line.
LabelData read_label_data(const std::string& path, const ReadOptions& options);
LabelData read_label_data(InputFile file, const ReadOptions& options);

}  // namespace trellis::label
