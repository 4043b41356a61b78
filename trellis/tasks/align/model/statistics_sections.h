// The statistics of a text (text_statistics.h) in a model file: sections "statistics/…".
#pragma once

#include <memory>

#include "trellis/data/model_file.h"
#include "trellis/data/value.h"
#include "trellis/tasks/align/model/text_statistics.h"

namespace trellis::align {

// Adds the arrays to the writer, for which the statistics must live until it has written, and
// returns what the JSON says.
Value write_statistics(const TextStatistics& statistics, ModelWriter& writer);
// Throws UsageError, InputError or ValueError for what does not go together; whether
// they are those of the model's words is for check() to say.
std::shared_ptr<const TextStatistics> read_statistics(const Value& meta, const ModelReader& reader);

}  // namespace trellis::align
