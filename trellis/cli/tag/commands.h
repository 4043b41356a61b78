// `trellis tag`: train, predict, evaluate, inspect, explain.
#pragma once

#include "trellis/cli/command.h"

namespace trellis::tag {

void add_tag(cli::Program& program);
void add_train(cli::Command& tag);

}  // namespace trellis::tag
