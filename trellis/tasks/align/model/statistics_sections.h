// The statistics of a text (text_statistics.h) in a model file: sections "statistics/…".
#pragma once

#include <memory>

#include "trellis/data/model_file.h"
#include "trellis/data/value.h"
#include "trellis/tasks/align/model/text_statistics.h"

namespace trellis::align {

// Adds the arrays to the writer and returns the JSON. The statistics must outlive the writing.
Value write_statistics(const TextStatistics& statistics, ModelWriter& writer);
// Throws UsageError, InputError or ValueError for inconsistent values; check() tests whether they
// belong to the model's words.
std::shared_ptr<const TextStatistics> read_statistics(const Value& meta, const ModelReader& reader);

}  // namespace trellis::align
