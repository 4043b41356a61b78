// Any bytes are what other aligners and taggers say of sentence pairs, or an InputError; what is
// read fits the pairs. The first byte chooses which of the two.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/tasks/align/pair_extras.h"

namespace {

using namespace trellis;
using namespace trellis::align;

void require(bool condition) {
  if (!condition) std::abort();
}

void read_beside_two_pairs(const ExtraFiles& files) {
  SentencePair pair;
  pair.assign("a b", "c d e", 1);
  ExtraReader reader(files);
  PairExtras extras;
  for (int i = 0; i < 2; ++i) {
    reader.read(pair, extras);
    require(extras.external.size() == files.external.size());
    for (const Links& links : extras.external) {
      for (const Link link : links) require(link.source < 2 && link.target < 3);
    }
    require(extras.source_tags.size() == (files.has_tags() ? 2U : 0U));
    require(extras.target_tags.size() == (files.has_tags() ? 3U : 0U));
  }
  reader.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const testing::TemporaryDirectory folder;
  static const std::string other = folder.make("tags", "X Y Z\nX Y Z\n");
  if (size == 0) return 0;
  const std::string file = folder.make("fuzz", {reinterpret_cast<const char*>(data) + 1, size - 1});
  ExtraFiles files;
  if ((data[0] & 1) != 0) {
    files.source_tags = file;
    files.target_tags = other;
  } else {
    files.external.push_back({"other", file, {}});
    if ((data[0] & 6) != 0)
      files.external[0].format = static_cast<LinksFormat>((data[0] & 6) / 2 - 1);
  }
  try {
    read_beside_two_pairs(files);
  } catch (const InputError&) {
  }
  return 0;
}
