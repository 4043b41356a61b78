// What the pages of `--report` show of a labeller.
#pragma once

#include <span>
#include <string>

#include "trellis/cli/label/run.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/report/label_report.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::cli {

// The model itself: how it was trained, its strongest features, and its couplings or chain.
report::LabelReport label_model_report(const label::LabelModelParts& model,
                                       const std::string& title);
void add_label_history(std::span<const EpochRecord> history, report::LabelReport& page);
void add_label_evaluation(const LabelEvaluation& evaluation, const std::string& file,
                          report::LabelReport& page);

}  // namespace trellis::cli
