// Warnings about suspicious data that can still be used: mostly about exchanged columns.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/output/predict.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::tag {

// One sentence each, with the option that helps: as many labels as words, a single label, or a dev
// set whose features are mostly unknown to the training set. Call it before train(), which takes
// the data.
std::vector<std::string> data_warnings(const TagData& data);

// Warns if the features of a tagged file are not those of the model. Empty with feature hashing,
// where no feature is unknown.
std::vector<std::string> coverage_warnings(const TagModel& model, const std::string& file,
                                           const Coverage& coverage);

}  // namespace trellis::tag
