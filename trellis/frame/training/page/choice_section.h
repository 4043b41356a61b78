// The choice of settings: the held-out metric over the values of one hyperparameter, one line for
// each combination of the others; for a path also objective and norm. All tasks share it.
#pragma once

#include "trellis/frame/training/training.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {

// Adds the section, unless nothing was chosen or `trained` is null (a page without training).
void add_choice_section(const Learned* trained, Page& page);

}  // namespace trellis::report
