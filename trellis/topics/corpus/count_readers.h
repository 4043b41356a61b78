// Readers of documents that are counts of words (document_reader.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/libsvm_fields.h"
#include "trellis/topics/corpus/document_reader.h"
#include "trellis/topics/corpus/source_text.h"

namespace trellis::topics {

inline constexpr std::uint32_t kMostOccurrences = (std::uint32_t{1} << 24) - 1;

class UciReader final : public DocumentReader {
 public:
  // An empty document takes a few bytes of memory and none of the file, so the number of empty
  // documents is limited.
  static constexpr Index kMaxEmpty = Index{1} << 20;

  // `vocabulary`: its number of words, or 0 without a vocabulary.
  UciReader(SourceLines lines, Index vocabulary);

  bool read(SourceDocument& document) override;
  const std::string& name() const override { return lines_.name(); }
  Index line_number() const override { return lines_.line_number(); }

 private:
  struct Entry {
    Index document;  // from 1
    WordCount word;
  };
  Index read_size(const char* what);
  bool read_entry();
  std::uint64_t parse_field(const char* what, std::string_view field, std::uint64_t most) const;
  void check_distinct(std::vector<WordCount> counts) const;
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;

  SourceLines lines_;
  Index vocabulary_;
  Index num_documents_;
  Index num_words_;
  Index num_entries_;
  Index entries_read_ = 0;
  Index documents_read_ = 0;
  Entry next_ = {0, {0, 0}};  // of a document that is still to be read
  bool has_next_ = false;
  std::vector<std::string_view> fields_;
};

class SvmlightReader final : public DocumentReader {
 public:
  SvmlightReader(SourceLines lines, Index vocabulary)
      : lines_(std::move(lines)), vocabulary_(vocabulary) {}

  bool read(SourceDocument& document) override;
  const std::string& name() const override { return lines_.name(); }
  Index line_number() const override { return lines_.line_number(); }

 private:
  void add_counts(const LibsvmFields& fields, SourceDocument& document) const;

  SourceLines lines_;
  Index vocabulary_;
  std::string label_;
  std::vector<IndexedValue> values_;
};

}  // namespace trellis::topics
