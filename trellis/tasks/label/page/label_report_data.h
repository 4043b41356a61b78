// Collects the data of a model for the report of a labeller.
#pragma once

#include <string>

#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/page/label_report.h"

namespace trellis::report {

// The data of a model: its training, its strongest features, and its couplings or chain.
LabelReport label_model_report(const label::LabelModel& model, const std::string& title);

}  // namespace trellis::report
