// Any bytes are a list of phrases, each of which is found in itself, or an InputError; a list as
// models keep it has the same phrases.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/tag/templates/gazetteer.h"

namespace {

using trellis::tag::Gazetteer;

void require_found(const Gazetteer& list, std::string_view line) {
  std::vector<std::string_view> texts;
  trellis::split(line, ' ', texts);
  std::vector<std::uint32_t> words;
  for (const std::string_view text : texts) words.push_back(list.word(text));
  std::vector<char> positions(words.size());
  list.find(words, positions);
  for (const char position : positions) {
    if (position == 0) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const Gazetteer list(text, "list", false);
    const std::string kept = trellis::tag::normalize_phrases(text);
    const Gazetteer again(kept, "kept", false);
    if (list.num_phrases() == 0 || again.num_phrases() != list.num_phrases()) std::abort();
    for (std::size_t begin = 0; begin < kept.size();) {
      const std::size_t end = std::min(kept.find('\n', begin), kept.size());
      require_found(list, std::string_view(kept).substr(begin, end - begin));
      begin = end + 1;
    }
  } catch (const trellis::InputError&) {
  }
  return 0;
}
