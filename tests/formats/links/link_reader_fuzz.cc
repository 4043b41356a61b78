// Any bytes are the links of sentence pairs, within the words that these have, or an InputError;
// and links that were read can be written and read again. The first byte chooses the options.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/formats/links/link_reader.h"
#include "trellis/formats/links/link_writer.h"

namespace {

using namespace trellis;
using namespace trellis::align;

void require(bool condition) {
  if (!condition) std::abort();
}

bool is_set(const Links& links) {
  return std::adjacent_find(links.begin(), links.end(), [](Link a, Link b) { return a >= b; }) ==
         links.end();
}

void check(const GoldLinks& gold, const PairLengths* lengths) {
  require(is_set(gold.sure) && is_set(gold.possible));
  require(std::includes(gold.possible.begin(), gold.possible.end(), gold.sure.begin(),
                        gold.sure.end()));
  require(gold.probabilities.empty() || gold.probabilities.size() == gold.possible.size());
  for (const double p : gold.probabilities) require(p >= 0 && p <= 1);
  for (const Link link : gold.possible) {
    require(link.source != kNullWord && link.target != kNullWord);
    if (lengths == nullptr) continue;
    require(link.source < lengths->source && link.target < lengths->target);
  }
}

void write_and_read(const std::vector<GoldLinks>& gold) {
  std::string text;
  for (const GoldLinks& pair : gold) {
    std::vector<ScoredLink> links;
    for (const Link link : pair.possible) links.push_back({link, 1});
    append_links({1, {}, {}, links}, {}, text);
  }
  if (text.empty()) return;
  const auto again = read_links(InputFile::from_bytes(text, "again"), {});
  require(again.size() == gold.size());
  for (Index i = 0; i < gold.size(); ++i) require(again[i].sure == gold[i].possible);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  LinkReadingOptions options;
  if ((data[0] & 3) != 0) options.format = static_cast<LinksFormat>((data[0] & 3) - 1);
  options.swap = (data[0] & 4) != 0;
  const std::vector<PairLengths> lengths((data[0] & 16) != 0 ? 2 : 0, PairLengths{2, 3});
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    const auto gold = read_links(InputFile::from_bytes(bytes, "fuzz"), lengths, options);
    require(lengths.empty() || gold.size() == lengths.size());
    for (Index i = 0; i < gold.size(); ++i) {
      check(gold[i], lengths.empty() ? nullptr : &lengths[i]);
    }
    if (gold.size() < 1000) write_and_read(gold);
  } catch (const InputError&) {
  }
  return 0;
}
