#include "trellis/tasks/align/features/word_knowledge.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::align {
namespace {

constexpr std::uint32_t kMostOfRare = 3, kMostOfUncommon = 30;
constexpr std::uint64_t kTokensOfFrequent = 1000;  // frequent: at least one token in this many

FrequencyBucket bucket_of(std::uint32_t count, std::uint64_t tokens) {
  if (count == 0) return FrequencyBucket::kUnknown;
  if (count <= kMostOfRare) return FrequencyBucket::kRare;
  if (count <= kMostOfUncommon) return FrequencyBucket::kUncommon;
  return count * kTokensOfFrequent >= tokens ? FrequencyBucket::kFrequent
                                             : FrequencyBucket::kCommon;
}

// r(φ ≥ 2 | word).
float several_by_fertility(const FertilityTable* table, WordId word) {
  if (table == nullptr) return 0;
  double sum = 0;
  const std::span<const float> r = table->of(word);
  for (Index phi = 2; phi < r.size(); ++phi) sum += double{r[phi]};
  return static_cast<float>(std::clamp(sum, 0.0, 1.0));
}

}  // namespace

WordKnowledge::WordKnowledge(std::span<const std::uint32_t> counts, std::span<const float> several,
                             const FertilityTable* fertilities)
    : facts_(counts.size()) {
  const std::uint64_t tokens = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::vector<std::uint32_t> falling(counts.begin(), counts.end());
  std::sort(falling.begin(), falling.end(), std::greater<>());
  const double scale = portable_log(1 + static_cast<double>(counts.size()));
  double of_all = 0;
  for (Index word = 0; word < counts.size(); ++word) {
    const auto place =
        std::lower_bound(falling.begin(), falling.end(), counts[word], std::greater<>());
    const auto above = static_cast<double>(place - falling.begin());
    facts_[word] = {bucket_of(counts[word], tokens),
                    static_cast<float>(portable_log(1 + above) / scale), several[word],
                    several_by_fertility(fertilities, static_cast<WordId>(word))};
    of_all += double{several[word]} * counts[word];
  }
  unknown_.several = tokens > 0 ? static_cast<float>(of_all / static_cast<double>(tokens)) : 0;
  unknown_.several_by_fertility = several_by_fertility(fertilities, kUnknownWord);
  for (WordFacts& word : facts_) {
    if (word.bucket == FrequencyBucket::kUnknown) word.several = unknown_.several;
  }
}

}  // namespace trellis::align
