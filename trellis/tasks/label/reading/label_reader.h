// Reading multi-label data. Plain, gzip or zstd, by the first bytes.
//
//   ARFF + Mulan XML  numeric and nominal attributes, dense or sparse rows (see arff.h); the XML
//                     file names the attributes that are labels (nested labels are flattened).
//                     Features: see arff_columns.h. `?` (missing) is 0 for features and an error
//                     for labels.
//   LIBSVM            `1,5,7 index:value …`: labels first, separated by commas; none at all is fine
//                     (see libsvm_instances.cc).
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/tasks/label/reading/instance_reader.h"
#include "trellis/tasks/label/reading/label_data.h"

namespace trellis::label {

// The labels of a Mulan XML file, in its order. Throws InputError.
std::vector<std::string> read_label_names(const std::string& xml_path);

// All instances of a file. Throws InputError with file and line.
LabelData read_label_data(const std::string& path, const ReadOptions& options);
LabelData read_label_data(InputFile file, const ReadOptions& options);

}  // namespace trellis::label
