// The features of an aligner that depend on data of the user.
#pragma once

#include <string>
#include <vector>

namespace trellis::align {

struct FeatureShape {
  std::vector<std::string> externals;                 // names of other aligners
  std::vector<std::string> source_tags, target_tags;  // known tags; empty: none
  // Words with weights of their own, in lower case if the vocabularies are.
  std::vector<std::string> lexical_source, lexical_target;

  bool tagged() const { return !source_tags.empty() || !target_tags.empty(); }
  friend bool operator==(const FeatureShape&, const FeatureShape&) = default;
};

}  // namespace trellis::align
