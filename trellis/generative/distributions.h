// Where the distributions of a model lie in one vector θ of log-probabilities (Yu, Bertsekas &
// Rousu, sec. 2): θ_i, the log-probabilities of a variable given one assignment of its parents, is
// the range [begin(i), end(i)) of θ.
#pragma once

#include <vector>

#include "trellis/base/types.h"

namespace trellis {

class Distributions {
 public:
  // Adds a distribution over `size` values, and returns its number i.
  Index add(Index size) {
    begin_.push_back(begin_.back() + size);
    return begin_.size() - 2;
  }

  Index num() const { return begin_.size() - 1; }
  Index dimension() const { return begin_.back(); }  // Σ_i d_i
  Index begin(Index i) const { return begin_[i]; }
  Index end(Index i) const { return begin_[i + 1]; }
  Index size(Index i) const { return begin_[i + 1] - begin_[i]; }  // d_i

 private:
  std::vector<Index> begin_ = {0};
};

}  // namespace trellis
