// LIBSVM's format with any number of labels: `1,5,7 3:0.5 9:1`, `sports,news 3:0.5`, `3:0.5`.
//
// Labels are separated by commas, each once; numbers that are whole are the same label however they
// are written (see tasks/libsvm_fields.h). Features are known by their index: one of four milliards
// costs no more than one of four. A line of nothing is refused unless nothing follows; an instance
// without labels and without features is written `0:0`.
#pragma once

#include <memory>
#include <string_view>

#include "trellis/base/input_file.h"
#include "trellis/tasks/label/reading/instance_reader.h"

namespace trellis::label {

// `first_line` was just read from `file`; empty: the file is at its end.
std::unique_ptr<InstanceReader> open_libsvm_instances(InputFile file, std::string_view first_line,
                                                      const ReadOptions& options);

}  // namespace trellis::label
