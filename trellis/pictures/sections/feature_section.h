// The strongest features of each label, as bars to the right and to the left.
#pragma once

#include <string>
#include <vector>

#include "trellis/pictures/page/page.h"

namespace trellis::report {

struct StrongFeature {
  std::string label;
  std::string attribute;
  double weight = 0;
};

// Labels appear in the order of their first feature. Adds nothing where there is no feature.
void add_feature_section(const std::vector<StrongFeature>& features, Page& page);

}  // namespace trellis::report
