// What the pages of all tasks begin with: scores, and how the model came to be.
#pragma once

#include <string>
#include <vector>

#include "trellis/frame/training/page/training_section.h"
#include "trellis/frame/training/training.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {

// Key figures of an evaluation; nothing where there are none. `evaluated_on` may be empty.
void add_key_figures(const std::string& evaluated_on, const std::vector<Tile>& scores, Page& page);

// Key figures and curves of training, the options, and how settings were chosen: what there is of
// it. `dev_metric` says what TrainingPoint::dev is.
void add_training_overview(const std::vector<TrainingPoint>& history, const std::string& dev_metric,
                           const std::vector<Entry>& options, const Learned* learned, Page& page);

}  // namespace trellis::report
