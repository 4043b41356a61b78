// What the pages of `--report` show of a classifier.
#pragma once

#include <string>

#include "trellis/cli/classify/run.h"
#include "trellis/report/classify_report.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/train.h"

namespace trellis::cli {

// The model itself: how it was trained, and its strongest features.
report::ClassifyReport classify_model_report(const classify::ClassifyModel& model,
                                             const std::string& title);
void add_classify_history(const classify::TrainResult& result, report::ClassifyReport& page);
void add_classify_evaluation(const ClassifyEvaluation& evaluation, const std::string& file,
                             report::ClassifyReport& page);

}  // namespace trellis::cli
