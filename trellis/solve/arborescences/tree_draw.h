// Draws a tree: inserts the eliminated words again, last first (see arborescence_sums.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/arborescences/tree_elimination.h"

namespace trellis {

// For doubles and WideNumbers. Reuses its memory; use one object per thread.
template <class Number>
class TreeDraw {
 public:
  // Takes an eliminated matrix, and the weights before elimination: n rows of n + 1, the root last.
  // If pivots do not include the root, the root is a head only if there is no other.
  void prepare(const TreeMatrix<Number>& eliminated, std::span<const Number> weights,
               RootInPivots root_in_pivots);
  // Writes the head of each word, n for the root.
  void draw(Random& random, std::span<std::uint32_t> heads);

 private:
  static constexpr std::uint32_t kDirect = 0xffffffff;

  const Number& weight(Index m, Index j) const { return weights_[m * (n_ + 1) + j]; }
  const Number& gone(Index m, Index j) const { return eliminated_[m * (n_ + 1) + j]; }
  void draw_way(Index m, Index before, Random& random);
  void mark_below(Index k);
  void draw_head(Index k, Random& random);
  Index draw_number(Random& random);

  Index n_ = 0;
  bool root_in_pivots_ = true;
  // n rows of n + 1, the root last: the weights before and after elimination.
  std::vector<Number> weights_, eliminated_;
  std::vector<Number> pivots_;
  // By word: its head among the inserted words, and the word between them that is inserted next.
  std::vector<std::uint32_t> heads_, way_;
  std::vector<std::uint8_t> below_;  // whether it hangs below k now; 2: not known
  std::vector<std::uint32_t> climb_;
  std::vector<Number> numbers_;
  std::vector<double> chances_;
};

}  // namespace trellis
