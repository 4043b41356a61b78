// The start of the page of every task: scores, and how the model was trained.
#pragma once

#include <string>
#include <vector>

#include "trellis/frame/training/page/training_section.h"
#include "trellis/frame/training/training.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {

// Adds scores as key figures; adds nothing for an empty list. `evaluated_on` may be empty.
void add_key_figures(const std::string& evaluated_on, const std::vector<Tile>& scores, Page& page);

// Key figures and curves of training, the options, and the choice of settings, as far as they are
// known. `dev_metric` names the metric in TrainingPoint::dev.
void add_training_overview(const std::vector<TrainingPoint>& history, const std::string& dev_metric,
                           const std::vector<Entry>& options, const Learned* learned, Page& page);

}  // namespace trellis::report
