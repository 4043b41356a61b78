// Sentence pairs with gold links and additional data, and the files that contain them.
#pragma once

#include <vector>

#include "trellis/tasks/align/held_out.h"
#include "trellis/tasks/align/pair_extras.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {

struct LabelledPairs {
  GoldPairs gold;
  std::vector<PairExtras> extras;  // one for each pair
};

struct LabelledFiles {
  BitextFiles text;
  LinkFiles links;
  ExtraFiles extras;
};

LabelledPairs read_labelled(const LabelledFiles& files);

}  // namespace trellis::align
