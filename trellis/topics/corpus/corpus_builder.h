// Builds a corpus, a word at a time, in one pass and in memory close to that of the result
// (token_buffer.h).
//
// The vocabulary is learnt or given. Learnt: the words that occur in enough documents and not in
// too many, numbered from the most frequent on, equally frequent ones by their bytes, whatever the
// order of the documents. Given, as that of a trained model: other words are counted and dropped. A
// document stays even if none of its words does.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/corpus.h"
#include "trellis/topics/corpus/token_buffer.h"

namespace trellis::topics {

// Which words enter the vocabulary.
struct VocabularyOptions {
  Index min_documents = 1;  // a word must occur in, at least 1
  double max_share = 1;     // of the documents that it may occur in, in (0, 1]; where words are of
                            // languages, of those of its language
  Index max_words = 0;      // the most frequent ones; 0: all

  // Throws UsageError.
  void check() const;
};

// The known names of a document, in addition to its words; empty: none.
struct DocumentNames {
  std::string_view id;
  std::string_view label;
  std::string_view language;
};

class CorpusBuilder {
 public:
  static constexpr std::uint32_t kUnseen = NameList::kNone;

  explicit CorpusBuilder(const VocabularyOptions& options);
  // The vocabulary is given, and must outlive the builder.
  explicit CorpusBuilder(const NameList& vocabulary);

  // The provisional number of a word, for add(): kUnseen if the vocabulary is given and lacks it.
  std::uint32_t number(std::string_view word) { return number(word, fingerprint(word)); }
  // The same for a known fingerprint; prefetch() for a lookup that follows soon.
  std::uint32_t number(std::string_view word, std::uint64_t print) {
    return known_ != nullptr ? known_->find(word, print) : learn(word, print);
  }
  void prefetch(std::uint64_t print) const {
    (known_ != nullptr ? *known_ : words_).prefetch(print);
  }
  // Adds `count` occurrences of the word to the open document.
  void add(std::uint32_t number, std::uint32_t count = 1);
  void add(std::string_view word) { add(number(word)); }
  // Counts words that the tokeniser left out.
  void leave_out(Index words) { tally_.left_out += words; }
  // Also opens the next document. Throws UsageError beyond 2^32 - 2 documents or 2^31 - 1 labels.
  void end_document(const DocumentNames& names);

  Index num_documents() const { return begin_.size() - 1; }
  // Call once, at the end; `text` describes how the words were found.
  Corpus finish(const TextOptions& text);

 private:
  struct WordCounts {
    std::uint64_t tokens = 0;
    std::uint32_t documents = 0;
    std::uint32_t last_document = ~std::uint32_t{0};  // the last document that has it
  };
  struct NamedColumn {
    NameList names;
    std::vector<Label> labels;

    void add(std::string_view name, Index document);
  };

  std::uint32_t learn(std::string_view word, std::uint64_t print);
  std::vector<std::uint32_t> choose_words(bool by_language) const;
  std::vector<std::uint32_t> renumber(std::vector<std::uint32_t> chosen, NameColumn& words);
  void write_tokens(const std::vector<std::uint32_t>& renumbered, CorpusParts& parts);
  void fill_columns(CorpusParts& parts);

  VocabularyOptions options_;
  const NameList* known_ = nullptr;
  NameList words_;                  // learnt
  std::vector<WordCounts> counts_;  // of these
  TokenBuffer buffer_;              // words by number
  std::vector<std::uint64_t> begin_ = {0};
  NameColumn ids_;
  bool has_ids_ = false;
  NamedColumn labels_;
  NamedColumn languages_;
  CorpusTally tally_;
};

}  // namespace trellis::topics
