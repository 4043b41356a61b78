// From an ARFF file to label data.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/input_file.h"
#include "trellis/tasks/label/reading/label_data.h"
#include "trellis/tasks/label/reading/label_reader.h"

namespace trellis::label {

// `first_line` was just read from `file`. Rows are stored densely where the file has them so, and
// by their non-zeros otherwise. Throws InputError.
LabelData read_arff_label_data(InputFile& file, std::string_view first_line,
                               const ReadOptions& options);

}  // namespace trellis::label
