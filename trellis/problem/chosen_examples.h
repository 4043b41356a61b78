// Some examples of a part model, in a given order: the folds of a cross-validation share what all
// examples have in common (features, tables, costs). An empty list stands for all examples.
#pragma once

#include <span>

#include "trellis/base/types.h"

namespace trellis {

class ChosenExamples {
 public:
  // The list must outlive this object.
  // NOLINTNEXTLINE(google-explicit-constructor): a list of numbers is a choice of examples
  ChosenExamples(std::span<const Index> chosen = {}) : chosen_(chosen) {}

  Index count(Index num_all) const { return chosen_.empty() ? num_all : chosen_.size(); }
  // The number of example i among all.
  Index operator[](Index i) const { return chosen_.empty() ? i : chosen_[i]; }

 private:
  std::span<const Index> chosen_;
};

}  // namespace trellis
