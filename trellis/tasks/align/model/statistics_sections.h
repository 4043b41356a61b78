// The statistics of a text (text_statistics.h) in a model file: sections "statistics/…".
#pragma once

#include "trellis/frame/model_schema.h"
#include "trellis/tasks/align/model/text_statistics.h"

namespace trellis::align {

// Whether they are those of the model's words is for check() to say.
void describe_statistics(ModelArchive& a, TextStatistics& statistics);

}  // namespace trellis::align
