// Documents made of words by number, for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/topics/documents.h"

namespace trellis::topics {

struct TinyCorpus {
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> tokens;
  Index num_words = 0;

  void add(const std::vector<std::uint32_t>& document) {
    tokens.insert(tokens.end(), document.begin(), document.end());
    begin.push_back(tokens.size());
  }
  Documents documents() const { return {begin, tokens, num_words}; }
};

inline TinyCorpus tiny_corpus(const std::vector<std::vector<std::uint32_t>>& documents,
                              Index num_words) {
  TinyCorpus corpus;
  corpus.num_words = num_words;
  for (const auto& document : documents) corpus.add(document);
  return corpus;
}

}  // namespace trellis::topics
