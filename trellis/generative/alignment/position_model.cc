#include "trellis/generative/alignment/position_model.h"

#include "trellis/base/error.h"

namespace trellis {

void require_parameters(std::span<const double> values, Index expected) {
  if (values.size() != expected) throw UsageError("another number of parameters of positions");
}

void PositionModel::set_parameters(std::span<const double> values) {
  require_parameters(values, 0);
}

}  // namespace trellis
