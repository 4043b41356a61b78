// Which documents of a corpus are translations of one another: those of one id in different
// languages.
#pragma once

#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/corpus/corpus.h"

namespace trellis::topics {

// Two documents by number, which are translations of each other.
struct TranslationPair {
  Index first;
  Index second;

  friend bool operator==(const TranslationPair&, const TranslationPair&) = default;
};

class Translations {
 public:
  // Documents without an id or a language have no translation. Throws InputError(file, …) where two
  // have both the same. Keeps nothing of the corpus.
  Translations(const Corpus& corpus, std::string_view file);

  // Of two different languages, by number; in the order in which ids first occur in the corpus. A
  // document is in one pair at most.
  std::vector<TranslationPair> pairs(Label first, Label second) const;

 private:
  struct Entry {
    Index id;  // by number
    Index document;
  };
  std::vector<std::vector<Entry>> by_language_;  // by rising id
};

}  // namespace trellis::topics
