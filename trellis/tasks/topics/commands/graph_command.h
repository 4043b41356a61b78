#pragma once

#include "trellis/frame/command.h"

namespace trellis::topics {

void add_graph(frame::Command& topics);

}  // namespace trellis::topics
