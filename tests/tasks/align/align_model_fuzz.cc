// Any bytes loaded as an aligner: an InputError, or a model that can be asked everything.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/data/model_fuzz.h"
#include "trellis/data/name_list.h"
#include "trellis/tasks/align/decoding.h"
#include "trellis/tasks/align/inspect.h"
#include "trellis/tasks/align/model/align_model.h"

namespace {

using namespace trellis;
using namespace trellis::align;
using testing::require;

// The words of these numbers, as far as the model has them.
std::vector<WordId> sentence(const NameList& words, std::vector<WordId> ids) {
  for (WordId& id : ids) id = id < words.size() ? id : kUnknownWord;
  return ids;
}

void use(const AlignModel& model) {
  const std::vector<WordId> source = sentence(model.words().source(), {0, kUnknownWord, 1});
  const std::vector<WordId> target = sentence(model.words().target(), {1, 0, kUnknownWord, 0});
  DecodeScratch scratch;
  AlignedLinks found;
  for (const Combination combination : {Combination::kProduct, Combination::kGrowDiagFinalAnd}) {
    Decoding decoding = model.decoding();
    decoding.combination = combination;
    decode(model.aligner(), {source, target}, decoding, scratch, found);
    for (const ScoredLink& one : found.links) {
      require(one.link.source < source.size() && one.link.target < target.size());
    }
  }
  if (const TextStatistics* statistics = model.statistics()) {
    require(statistics->dice.size() == model.aligner().lexicon().targets.size());
    require(statistics->source_counts.size() == model.words().source().size());
    require(statistics->target_several.size() == model.words().target().size());
    const auto shares = statistics->source.find(source[0], source[2]);
    require(shares.empty() || shares.size() == BigramPatterns::kShares);
    for (const float share : shares) require(share >= 0 && share <= 1);
  }
  inspect_text(model, "fuzz", 3, "");
  const std::string bytes = model.to_bytes();
  const AlignModel again = AlignModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
  require(again.to_bytes() == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(AlignModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
