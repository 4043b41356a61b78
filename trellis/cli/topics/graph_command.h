#pragma once

#include "trellis/cli/command.h"

namespace trellis::topics {

void add_graph(cli::Command& topics);

}  // namespace trellis::topics
