// `trellis label train`
#pragma once

#include "trellis/cli/command.h"

namespace trellis::label {

void add_train(cli::Command& label);

}  // namespace trellis::label
