// Models of positions in a model file: a record of the description and arrays in sections, both
// named by the direction ("forward/jumps").
#pragma once

#include <memory>
#include <string>

#include "trellis/frame/model_schema.h"
#include "trellis/generative/alignment/position_model.h"

namespace trellis::align {

void describe_positions(ModelArchive& a, const std::string& direction,
                        std::shared_ptr<const PositionModel>& model);

}  // namespace trellis::align
