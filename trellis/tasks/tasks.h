// The tasks, each with its commands: train, predict, evaluate, inspect, and some of its own. A new
// task is declared here, and named in tasks.cc.
#pragma once

#include <span>
#include <string_view>

#include "trellis/frame/command.h"

namespace trellis {

// tasks/NAME/commands defines each.
namespace tag {
frame::Task task();
}
namespace classify {
frame::Task task();
}
namespace segment {
frame::Task task();
}
namespace label {
frame::Task task();
}
namespace match {
frame::Task task();
}
namespace align {
frame::Task task();
}
namespace parse {
frame::Task task();
}
namespace grammar {
frame::Task task();
}
namespace rank {
frame::Task task();
}
namespace factors {
frame::Task task();
}
namespace topics {
frame::Task task();
}
namespace hmm {
frame::Task task();
}
namespace bayes {
frame::Task task();
}

std::span<const frame::Task> tasks();  // in the order of the program's help
// Throws UsageError, which names the nearest.
const frame::Task& task(std::string_view name);

}  // namespace trellis
