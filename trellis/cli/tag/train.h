// `trellis tag train`
#pragma once

#include "trellis/cli/command.h"

namespace trellis::tag {

void add_train(cli::Command& tag);

}  // namespace trellis::tag
