// Puts a corpus together, a word at a time, in one pass and in memory near that of the result
// (token_buffer.h).
//
// Either the vocabulary is learnt: all words, of which those remain that occur in enough documents
// and in not too many; they are numbered from the most frequent on, equally frequent ones in the
// order of their bytes, whatever the order of the documents. Or it is given, as that of a trained
// model: other words are counted and dropped. Documents stay, also where no word of them does.
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

// Which words the vocabulary has.
struct VocabularyOptions {
  Index min_documents = 1;  // a word must occur in, at least 1
  double max_share = 1;     // of the documents that it may occur in, in (0, 1]; where words are of
                            // languages, of those of its language
  Index max_words = 0;      // the most frequent ones; 0: all

  // Throws UsageError.
  void check() const;
};

// What is known of a document beside its words; empty: nothing.
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

  // The number of a word for add(), for the time being: kUnseen if the vocabulary is given and
  // lacks it.
  std::uint32_t number(std::string_view word) { return number(word, fingerprint(word)); }
  // Where the fingerprint is known, and where it will be asked for soon.
  std::uint32_t number(std::string_view word, std::uint64_t print) {
    return known_ != nullptr ? known_->find(word, print) : learn(word, print);
  }
  void prefetch(std::uint64_t print) const {
    (known_ != nullptr ? *known_ : words_).prefetch(print);
  }
  // The document that is open has the word so many times more.
  void add(std::uint32_t number, std::uint32_t count = 1);
  void add(std::string_view word) { add(number(word)); }
  // The tokeniser left so many words out.
  void leave_out(Index words) { tally_.left_out += words; }
  // Also opens the next document. Throws UsageError beyond 2^32 - 2 documents or 2^31 - 1 labels.
  void end_document(const DocumentNames& names);

  Index num_documents() const { return begin_.size() - 1; }
  // Once, at the end; `text` says how the words were found.
  Corpus finish(const TextOptions& text);

 private:
  struct WordCounts {
    std::uint64_t tokens = 0;
    std::uint32_t documents = 0;
    std::uint32_t last_document = ~std::uint32_t{0};  // that has it
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
