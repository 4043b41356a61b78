// Which features an aligner has beyond those that all have: what its user brought.
#pragma once

#include <string>
#include <vector>

namespace trellis::align {

struct FeatureShape {
  std::vector<std::string> externals;                 // names of other aligners
  std::vector<std::string> source_tags, target_tags;  // those known; empty: none
  // Words with weights of their own, told apart as the vocabularies do (in lower case).
  std::vector<std::string> lexical_source, lexical_target;

  bool tagged() const { return !source_tags.empty() || !target_tags.empty(); }
  friend bool operator==(const FeatureShape&, const FeatureShape&) = default;
};

}  // namespace trellis::align
