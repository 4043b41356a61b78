// `trellis segment`: train, predict, evaluate, inspect.
#pragma once

#include "trellis/cli/command.h"

namespace trellis::segment {

void add_segment(cli::Program& program);

}  // namespace trellis::segment
