// How settings were chosen: the figure on held-out data along the values of a dial, one line for
// each combination of the others; and, along a path, objective and norm. The same for every task.
#pragma once

#include "trellis/report/page.h"
#include "trellis/tasks/training/training.h"

namespace trellis::report {

// Adds the section, unless nothing was chosen.
void add_choice_section(const Learned& learned, Page& page);

}  // namespace trellis::report
