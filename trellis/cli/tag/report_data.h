// What the pages of `--report` show of a tagger.
#pragma once

#include <string>

#include "trellis/report/tag_report.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/output/predict.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::tag {

// The model itself: how it was trained, its strongest features and its transitions.
report::TagReport model_report(const TagModel& model, const std::string& title);

void add_training(const TrainResult& result, report::TagReport& page);
void add_evaluation(const Evaluation& evaluation, const std::string& file, report::TagReport& page);

}  // namespace trellis::tag
