// Figures that may not be known, as JSON has them.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace trellis::topics {

inline nlohmann::json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace trellis::topics
