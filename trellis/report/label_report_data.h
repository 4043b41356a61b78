// What the report of a labeller shows of a model.
#pragma once

#include <string>

#include "trellis/report/label_report.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::report {

// The model itself: how it was trained, its strongest features, and its couplings or chain.
LabelReport label_model_report(const label::LabelModel& model, const std::string& title);

}  // namespace trellis::report
