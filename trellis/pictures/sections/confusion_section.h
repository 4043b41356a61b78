// Which labels are confused: the matrix, with the most frequent mistakes next to it.
#pragma once

#include <string>

#include "trellis/pictures/charts/heat_map.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {

// `things` are the counted objects: "tokens", "documents". Adds nothing if there are no labels.
void add_confusion_section(const ConfusionMatrix& confusion, const std::string& things, Page& page);

}  // namespace trellis::report
