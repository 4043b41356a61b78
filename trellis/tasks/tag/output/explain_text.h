// Why a token has its label: what each feature adds to its score, and to that of the runner-up.
#pragma once

#include <optional>
#include <string>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/tag/model/tag_model.h"

namespace trellis::tag {

struct ExplainOptions {
  std::optional<Comments> comments;  // not given: as in training
  Index sentence = 1;                // of the file, from 1
  Index token = 0;                   // of it, from 1; 0: all
  Index top = 10;                    // features to show for each label
  bool json = false;                 // an object for each token
};

std::string explain(const TagModel& model, InputFile file, const ExplainOptions& options);

}  // namespace trellis::tag
