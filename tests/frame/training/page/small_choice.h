// A choice of λ among two values, for the pages that show one.
#pragma once

#include "trellis/fit/dials.h"
#include "trellis/frame/training/training.h"

namespace trellis::report {

inline Learned small_choice() {
  Learned learned;
  learned.searched = {{"lambda", {1, 0.1}}};
  learned.chosen_by = "figure <of> merit";
  for (const double lambda : learned.searched[0].values) {
    Tried tried;
    tried.setting.values.lambda = lambda;
    tried.figure = 1 - lambda / 2;
    learned.tried.push_back(tried);
  }
  learned.choice = learned.tried[1].setting;
  return learned;
}

}  // namespace trellis::report
