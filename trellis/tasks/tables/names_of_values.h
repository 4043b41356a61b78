// The values of a variable as a list in which they are found by name.
#pragma once

#include <span>
#include <string>

#include "trellis/data/name_list.h"

namespace trellis::generative {

NameList name_list(std::span<const std::string> names);

}  // namespace trellis::generative
