// The instances of an ARFF file.
#pragma once

#include <memory>
#include <string_view>

#include "trellis/base/input_file.h"
#include "trellis/tasks/label/reading/instance_reader.h"

namespace trellis::label {

// `first_line` was just read from `file`. Throws InputError.
std::unique_ptr<InstanceReader> open_arff_instances(InputFile file, std::string_view first_line,
                                                    const ReadOptions& options);

}  // namespace trellis::label
