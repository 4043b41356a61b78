// LIBSVM's format with any number of labels: `1,5,7 3:0.5 9:1`, `sports,news 3:0.5`, `3:0.5`.
//
// Labels are separated by commas, each once; numbers that are whole are the same label however they
// are written (see tasks/libsvm_fields.h). Only features that occur are columns, named by their
// index: an index of four milliards costs no more than one of four. A line of nothing is refused
// unless nothing follows; an instance without labels and without features is written `0:0`.
#pragma once

#include <string_view>

#include "trellis/base/input_file.h"
#include "trellis/tasks/label/reading/label_data.h"
#include "trellis/tasks/label/reading/label_reader.h"

namespace trellis::label {

// `first_line` was just read from `file`. Throws InputError.
LabelData read_libsvm_label_data(InputFile& file, std::string_view first_line,
                                 const ReadOptions& options);

}  // namespace trellis::label
