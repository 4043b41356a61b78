// `trellis label`: train, predict, evaluate, inspect.
#pragma once

#include "trellis/cli/command.h"

namespace trellis::label {

void add_label(cli::Program& program);

}  // namespace trellis::label
