#include "trellis/topics/corpus/word_languages.h"

namespace trellis::topics {
namespace {

// a / b > c / d, of positive b and d.
bool exceeds(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<Wide>(a) * d > static_cast<Wide>(c) * b;
}

}  // namespace

Label WordLanguages::mostly(Index word) const {
  Label best = kNoLabel;
  const std::span<const std::uint64_t> found = of(word);
  for (Index l = 0; l < num_languages; ++l) {
    if (found[l] == 0) continue;
    const auto b = static_cast<Index>(best);
    if (best == kNoLabel || exceeds(found[l], totals[l], found[b], totals[b])) {
      best = static_cast<Label>(l);
    }
  }
  return best;
}

WordLanguages count_word_languages(const Corpus& corpus) {
  const Documents& documents = corpus.documents();
  WordLanguages languages;
  languages.num_languages = corpus.language_names().size();
  languages.counts.assign(documents.num_words * languages.num_languages, 0);
  languages.totals.assign(languages.num_languages, 0);
  for (Index d = 0; d < corpus.languages().size(); ++d) {
    if (corpus.languages()[d] == kNoLabel) continue;
    const auto language = static_cast<Index>(corpus.languages()[d]);
    for (const std::uint32_t word : documents[d]) {
      ++languages.counts[word * languages.num_languages + language];
    }
    languages.totals[language] += documents[d].size();
  }
  return languages;
}

}  // namespace trellis::topics
