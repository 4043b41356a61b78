// `trellis label`: train (train.cc), predict, evaluate, inspect.
#pragma once

#include "trellis/cli/command.h"

namespace trellis::label {

void add_label(cli::Program& program);
void add_train(cli::Command& label);

}  // namespace trellis::label
