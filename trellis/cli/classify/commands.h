// `trellis classify`: train, predict, evaluate, inspect.
#pragma once

#include "trellis/cli/command.h"

namespace trellis::classify {

void add_classify(cli::Program& program);

}  // namespace trellis::classify
