// What is taken for what: the matrix, and the commonest mistakes beside it.
#pragma once

#include <string>

#include "trellis/pictures/charts/heat_map.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {

// `things` are what is counted: "tokens", "documents". Adds nothing where there is no label.
void add_confusion_section(const ConfusionMatrix& confusion, const std::string& things, Page& page);

}  // namespace trellis::report
