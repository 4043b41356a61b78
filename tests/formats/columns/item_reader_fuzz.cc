// Any bytes are a sequence of labelled items with finite values, or an InputError.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/formats/columns/item_reader.h"

namespace {

using namespace trellis;
using namespace trellis::tag;

void require(bool condition) {
  if (!condition) std::abort();
}

void read_all(std::string_view bytes) {
  ItemReader reader(InputFile::from_bytes(bytes, "fuzz"));
  ItemSentence sentence;
  while (reader.read(sentence)) {
    require(sentence.num_tokens() > 0 && sentence.weight() > 0);
    for (Index t = 0; t < sentence.num_tokens(); ++t) {
      require(sentence.label(t).find('\t') == std::string_view::npos);
      require(t == 0 || sentence.line(t) > sentence.line(t - 1));
      for (Index i = 0; i < sentence.num_items(t); ++i) {
        require(std::isfinite(sentence.item(t, i).value));
        require(sentence.item(t, i).name.size() <= bytes.size());
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read_all({reinterpret_cast<const char*>(data), size});
  } catch (const InputError&) {
  }
  return 0;
}
