// Which features there are beyond those that all models of links have: stands in models.
#pragma once

#include <string>
#include <vector>

namespace trellis::align {

struct FeatureShape {
  std::vector<std::string> externals;                 // names of other aligners
  std::vector<std::string> source_tags, target_tags;  // that are known; empty: none
  // Words with weights of their own, told apart as the model's vocabularies do (in lower case).
  std::vector<std::string> lexical_source, lexical_target;
};

}  // namespace trellis::align
