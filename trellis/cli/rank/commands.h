// `trellis rank`: train, predict, evaluate, inspect.
#pragma once

#include "trellis/cli/command.h"

namespace trellis::rank {

void add_rank(cli::Program& program);

}  // namespace trellis::rank
