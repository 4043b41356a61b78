// The tasks, each with its commands: train, predict, evaluate, inspect, and some of its own. A new
// task is declared here, and named in tasks.cc.
#pragma once

#include <span>
#include <string_view>

#include "trellis/frame/command.h"

namespace trellis {

// tasks/NAME/commands defines each.
namespace tag {
extern const frame::Task kTask;
}
namespace classify {
extern const frame::Task kTask;
}
namespace segment {
extern const frame::Task kTask;
}
namespace label {
extern const frame::Task kTask;
}
namespace match {
extern const frame::Task kTask;
}
namespace align {
extern const frame::Task kTask;
}
namespace parse {
extern const frame::Task kTask;
}
namespace grammar {
extern const frame::Task kTask;
}
namespace rank {
extern const frame::Task kTask;
}
namespace factors {
extern const frame::Task kTask;
}
namespace topics {
extern const frame::Task kTask;
}
namespace hmm {
extern const frame::Task kTask;
}
namespace bayes {
extern const frame::Task kTask;
}

std::span<const frame::Task* const> tasks();  // in the order of the program's help
// Throws UsageError, which names the nearest.
const frame::Task& task(std::string_view name);

}  // namespace trellis
