#pragma once

#include "trellis/frame/command.h"

namespace trellis::topics {

void add_train(frame::Command& topics);

}  // namespace trellis::topics
