// The fuzz targets of a layer by name; their table is generated from fuzz_targets.cc.in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace trellis::testing {

struct FuzzTarget {
  std::string_view name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};

const std::vector<FuzzTarget>& fuzz_targets();

}  // namespace trellis::testing
