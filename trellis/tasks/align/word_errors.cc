#include "trellis/tasks/align/word_errors.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "trellis/base/text.h"

namespace trellis::align {

std::vector<WordErrors> most_mistaken(std::span<const SentencePair> pairs,
                                      std::span<const AlignedLinks> found,
                                      std::span<const GoldLinks> gold, Side side, bool lowercase,
                                      Index top) {
  std::map<std::string, WordErrors> words;  // in the order of bytes
  std::string name;
  for (Index k = 0; k < pairs.size(); ++k) {
    const auto errors_of = [&](Link link) -> WordErrors& {
      const std::string_view word =
          side == Side::kSource ? pairs[k].source()[link.source] : pairs[k].target()[link.target];
      name = word;
      if (lowercase) to_lower(word, name);
      return words[name];
    };
    const Links links = links_at(found[k].links, 0);
    for (const Link link : gold[k].sure) {
      WordErrors& errors = errors_of(link);
      ++errors.sure;
      if (!contains(links, link)) ++errors.missed;
    }
    for (const Link link : links) {
      WordErrors& errors = errors_of(link);
      ++errors.found;
      if (!contains(gold[k].possible, link)) ++errors.wrong;
    }
  }
  std::vector<WordErrors> mistaken;
  for (auto& [word, errors] : words) {
    if (errors.errors() == 0) continue;
    errors.word = word;
    mistaken.push_back(std::move(errors));
  }
  std::stable_sort(mistaken.begin(), mistaken.end(), [](const WordErrors& a, const WordErrors& b) {
    return a.errors() > b.errors();
  });
  if (mistaken.size() > top) mistaken.resize(top);
  return mistaken;
}

}  // namespace trellis::align
