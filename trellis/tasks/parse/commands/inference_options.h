// Options of `trellis parse` about inference: its limits, in training and parsing alike, and how a
// tree is chosen.
#pragma once

#include <string>

#include "trellis/frame/command.h"
#include "trellis/tasks/parse/model/tree_decoder.h"

namespace trellis::parse {

// The texts say what the iterations are, and the defaults.
void add_limits(frame::Command& command, InferenceLimits& limits, const std::string& iterations,
                const std::string& tolerance);
// Of predict and evaluate.
void add_decoding(frame::Command& command, DecodeOptions& decoding);

}  // namespace trellis::parse
