// `trellis match`: train, predict, evaluate, inspect.
#pragma once

#include "trellis/cli/command.h"

namespace trellis::match {

void add_match(cli::Program& program);

}  // namespace trellis::match
