// Candidate arcs of dependency trees as plain arrays. Words are 1 … n and 0 is the root; a tree
// gives each word one of its arcs, such that every word is reached from the root. Parallel arcs
// (the labels of an arc) stand side by side.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"

namespace trellis {

// How many words may hang on the root.
enum class Roots { kAny, kOne };

struct ArcGraph {
  Index words = 0;
  std::span<const Index> begin;         // arcs of word m: begin[m − 1] … begin[m] − 1
  std::span<const std::uint32_t> head;  // by arc, ascending for each word; never the word itself

  // visit(m, h, first, last) for each run of parallel arcs first … last − 1 from h to m. Words are
  // 0 … n − 1 here and the root is n, as in the matrices of this room: n rows of n + 1 heads.
  template <class Visit>
  void each_group(const Visit& visit) const {
    for (Index m = 0; m < words; ++m) {
      for (Index first = begin[m], last; first < begin[m + 1]; first = last) {
        last = first + 1;
        while (last < begin[m + 1] && head[last] == head[first]) ++last;
        visit(m, column(head[first]), first, last);
      }
    }
  }
  Index column(std::uint32_t h) const { return h == 0 ? words : Index{h} - 1; }
};

}  // namespace trellis
