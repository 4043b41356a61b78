// A fingerprint for a stretch of Unicode characters.
#pragma once

#include <cstdint>
#include <string_view>

#include "trellis/data/fingerprint_table.h"

namespace trellis::topics {

// Of their bytes in memory, so machines must be little-endian, as model files are.
inline std::uint64_t key_of_codes(std::u32string_view codes) {
  return fingerprint(
      {reinterpret_cast<const char*>(codes.data()), codes.size() * sizeof(char32_t)});
}

}  // namespace trellis::topics
