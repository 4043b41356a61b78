// A corpus: documents as lists of word numbers, the words, and the documents' names.
//
// The file ("corpus", a container of data/model_file.h) is mapped into memory and used in place, so
// a corpus may be larger than memory, and is tokenised only once. open() checks everything in the
// file and refuses invalid ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/tokenizer.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

// Names in a list, possibly with repetitions.
struct NameColumn {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<char> bytes;

  Index size() const { return offsets.size() - 1; }
  void add(std::string_view name) {
    bytes.insert(bytes.end(), name.begin(), name.end());
    offsets.push_back(bytes.size());
  }
};

// How many words were kept or dropped.
struct CorpusTally {
  std::uint64_t left_out = 0;  // by the tokeniser: stop words, numbers, words that are too short
  std::uint64_t outside = 0;   // not of the vocabulary: too rare, too frequent, or unseen
};

// The parts of a corpus, in memory.
struct CorpusParts {
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> tokens;
  NameColumn words;
  NameColumn ids;             // as many as there are documents, or none
  NameColumn label_names;     // distinct
  std::vector<Label> labels;  // as many as there are documents, or none; kNoLabel for those without
  NameColumn language_names;  // distinct
  std::vector<Label> languages;
  CorpusTally tally;
  TextOptions text;  // how words were found, and will be in other text
};

// Immutable. Copies share the memory.
class Corpus {
 public:
  static constexpr std::string_view kKind = "corpus";
  static constexpr std::uint32_t kVersion = 1;

  // The parts must fit together as described there; UsageError otherwise.
  explicit Corpus(CorpusParts parts);
  // Throws InputError unless the file is a complete corpus.
  static Corpus open(const std::string& path);
  static Corpus from_bytes(std::span<const std::byte> bytes, const std::string& name);
  // A path that ends in .gz or .zst is compressed; open() reads such a file into memory.
  void write(const std::string& path) const { writer().write(path); }
  std::string to_bytes() const { return writer().to_bytes(); }

  const Documents& documents() const { return documents_; }
  const NameView& words() const { return words_; }
  // Without ids, documents are known only by their numbers.
  bool has_ids() const { return !ids_.empty(); }
  const NameView& ids() const { return ids_; }
  bool has_labels() const { return !labels_.empty(); }
  std::span<const Label> labels() const { return labels_; }  // kNoLabel: this one has none
  const NameView& label_names() const { return label_names_; }
  bool has_languages() const { return !languages_.empty(); }
  std::span<const Label> languages() const { return languages_; }
  const NameView& language_names() const { return language_names_; }

  const CorpusTally& tally() const { return tally_; }
  Index num_empty() const { return num_empty_; }  // documents without a word
  const TextOptions& text() const { return *text_; }

 private:
  Corpus() = default;
  static Corpus load(const ModelReader& reader);
  ModelWriter writer() const;
  void check(std::string_view file) const;
  void count_empty();

  std::shared_ptr<const void> owner_;  // of all that follows
  Documents documents_;
  NameView words_;
  NameView ids_;
  std::span<const Label> labels_;
  NameView label_names_;
  std::span<const Label> languages_;
  NameView language_names_;
  CorpusTally tally_;
  std::shared_ptr<const TextOptions> text_;
  Index num_empty_ = 0;
};

// Whether the file is one that Corpus::open may read, and not text: by its first bytes. Only
// opening recognises a compressed file; a file that cannot be read twice (a pipe) does not count.
bool is_corpus_file(const std::string& path);

}  // namespace trellis::topics
