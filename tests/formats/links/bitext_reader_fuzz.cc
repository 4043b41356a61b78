// Any bytes are pairs of sentences whose words are text without a blank, or an InputError. The
// first byte chooses the separator and the limits; or whether the rest, cut at its first NUL, is
// two files.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/formats/links/bitext_reader.h"

namespace {

using namespace trellis;
using namespace trellis::align;

void require(bool condition) {
  if (!condition) std::abort();
}

BitextReader reader_of(std::uint8_t choice, std::string_view bytes) {
  const BitextLimits limits = (choice & 4) != 0 ? BitextLimits{3, 6} : BitextLimits{};
  if ((choice & 3) == 3) {
    const Index cut = std::min(bytes.find('\0'), bytes.size());
    const std::string_view rest = bytes.substr(std::min(cut + 1, bytes.size()));
    return BitextReader(InputFile::from_bytes(bytes.substr(0, cut), "source"),
                        InputFile::from_bytes(rest, "target"), limits);
  }
  std::optional<BitextSeparator> separator;
  if ((choice & 3) == 1) separator = BitextSeparator::kTab;
  if ((choice & 3) == 2) separator = BitextSeparator::kBars;
  return BitextReader(InputFile::from_bytes(bytes, "bitext"), separator, limits);
}

void check(const SentencePair& pair, const BitextLimits& limits) {
  require(pair.source().size() <= limits.words && pair.target().size() <= limits.words);
  require(pair.source().size() * pair.target().size() <= limits.cells);
  for (const auto side : {pair.source(), pair.target()}) {
    for (const std::string_view word : side) {
      require(!word.empty() && word.find_first_of(" \t\r\n\v\f") == std::string_view::npos);
      require(find_invalid_utf8(word) == std::string_view::npos);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    BitextReader reader = reader_of(data[0], {reinterpret_cast<const char*>(data + 1), size - 1});
    SentencePair pair;
    for (Index line = 1; reader.read(pair); ++line) {
      require(pair.line() == line);
      check(pair, (data[0] & 4) != 0 ? BitextLimits{3, 6} : BitextLimits{});
    }
  } catch (const InputError&) {
  }
  return 0;
}
