// Vocabularies, text and graphs for tests of words.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/random.h"
#include "trellis/base/text.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/wordlda/word_graph.h"

namespace trellis::testing {

inline NameList word_list(const std::vector<std::string>& words) {
  NameList list;
  for (const std::string& word : words) list.add(word);
  return list;
}

// Different words of the letters, of at most `longest` characters.
inline NameList random_words(Index count, Index longest, std::u32string_view letters,
                             std::uint64_t seed) {
  Random random(seed);
  NameList list;
  std::string word;
  while (list.size() < count) {
    word.clear();
    const Index length = 1 + random.below(longest);
    for (Index i = 0; i < length; ++i) append_utf8(letters[random.below(letters.size())], word);
    list.add(word);
  }
  return list;
}

inline InputFile text_file(std::string_view text) {
  return InputFile::from_bytes(text, "words.txt");
}

// Each edge once, the lower word first, as (word, word, weight).
using Edges = std::vector<std::tuple<Index, Index, float>>;
inline Edges edges_of(const topics::WordGraph& graph) {
  Edges edges;
  for (Index u = 0; u < graph.num_words(); ++u) {
    for (const topics::WordGraph::Link& link : graph.links(u)) {
      if (link.word > u) edges.emplace_back(u, link.word, link.weight);
    }
  }
  return edges;
}

}  // namespace trellis::testing
