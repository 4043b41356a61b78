// docs/options.md: a table of all options of each command, made from the tables of the tasks.
#pragma once

#include <string>

namespace trellis::cli {

std::string options_page();

}  // namespace trellis::cli
