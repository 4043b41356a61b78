// Lists of numbers, one after another in one vector.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

struct NumberLists {
  std::vector<std::uint32_t> begin = {0};
  std::vector<std::uint32_t> numbers;

  Index size() const { return begin.size() - 1; }
  std::span<const std::uint32_t> operator[](Index list) const {
    return std::span(numbers).subspan(begin[list], begin[list + 1] - begin[list]);
  }
  void end_list() { begin.push_back(static_cast<std::uint32_t>(numbers.size())); }
  void clear() {
    begin.resize(1);
    numbers.clear();
  }
};

}  // namespace trellis
