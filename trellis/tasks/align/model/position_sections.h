// Models of positions in a model file: numbers in the JSON, arrays in sections of their own with a
// prefix ("forward/jumps").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trellis/data/model_file.h"
#include "trellis/data/value.h"
#include "trellis/generative/alignment/position_model.h"

namespace trellis::align {

// Adds the arrays to the writer and returns the JSON. `lengths` is memory that must outlive the
// writing.
Value write_positions(const PositionModel& model, const std::string& prefix, ModelWriter& writer,
                      std::vector<std::uint32_t>& lengths);
// Throws UsageError or ValueError for inconsistent values.
std::shared_ptr<const PositionModel> read_positions(const Value& meta, const std::string& prefix,
                                                    const ModelReader& reader);

}  // namespace trellis::align
