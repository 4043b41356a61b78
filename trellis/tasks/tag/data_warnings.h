// What is suspicious about data that can be trained on all the same: mostly that a column was taken
// for another.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/output/predict.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::tag {

// A sentence each, which names the flag that helps: labels that are as many as words are, only one
// label, a dev set most of whose features are strange to the training set. Before train(), which
// takes the data.
std::vector<std::string> data_warnings(const TagData& data);

// Of a file that was tagged: that its features are not those of the model. Nothing where features
// are hashed, as then none is unknown.
std::vector<std::string> coverage_warnings(const TagModel& model, const std::string& file,
                                           const Coverage& coverage);

}  // namespace trellis::tag
