// What a feature template makes of a sentence: for each token, the attributes that hold there.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::tag {

// Attributes of one kind at each of T positions, in compressed rows: those of position t are
// [begin[t], begin[t+1]). An attribute is known by a 64-bit fingerprint of what it says
// ("w[-1]=the"); its text is only made when somebody asks for it (FeatureTemplate::name).
struct AttributeList {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint64_t> fingerprints;
  std::vector<float> values;  // empty: all 1

  void clear() { begin.assign(1, 0), fingerprints.clear(), values.clear(); }
};

// Node attributes score labels; edge attributes score transitions into the position.
struct SentenceAttributes {
  AttributeList node;
  AttributeList edge;
};

}  // namespace trellis::tag
