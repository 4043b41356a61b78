// Bytes of a fuzzer as two files, where a scorer reads gold and predictions: a line "%%%" alone
// stands between them.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "trellis/base/types.h"

namespace trellis::testing {

inline std::pair<std::string_view, std::string_view> two_files(const std::uint8_t* data,
                                                               std::size_t size) {
  constexpr std::string_view kBetween = "%%%\n";
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t at = bytes.find(kBetween);
  if (at == std::string_view::npos) return {bytes, bytes};
  return {bytes.substr(0, at), bytes.substr(at + kBetween.size())};
}

}  // namespace trellis::testing
