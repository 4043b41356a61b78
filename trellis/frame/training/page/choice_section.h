// How settings were chosen: the figure on held-out data along the values of a dial, one line for
// each combination of the others; and, along a path, objective and norm. The same for every task.
#pragma once

#include "trellis/frame/training/training.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {

// Adds the section, unless nothing was chosen, or `trained` is null: the page is about no training.
void add_choice_section(const Learned* trained, Page& page);

}  // namespace trellis::report
