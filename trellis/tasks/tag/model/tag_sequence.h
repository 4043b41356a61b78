// A sequence to tag, from a column file, whose features come from a template, or from an item file,
// which contains the features.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/formats/columns/column_reader.h"
#include "trellis/formats/columns/item_reader.h"
#include "trellis/formats/columns/sentence.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

enum class InputFormat {
  kColumns,  // CoNLL columns; recognises CoNLL-U
  kItems,    // item files of CRFsuite
  kConllu,   // only CoNLL-U; its sequences are kColumns
};
constexpr auto names_of(InputFormat) {
  return Names{"format", "columns", "items", "conllu"};
}

// The column of the true labels in a column file: from 0, or the last one.
inline constexpr Index kLastColumn = ~Index{0};

// A sequence as read. Reuse it to reuse its memory.
struct TagSequence {
  InputFormat format = InputFormat::kColumns;
  Sentence columns;    // kColumns
  SourceLines lines;   // kColumns: for predict, which adds labels to them
  ItemSentence items;  // kItems

  Index num_tokens() const;
  Index line(Index token) const;  // line number in the file, for messages
  double weight() const { return format == InputFormat::kItems ? items.weight() : 1; }
  // The text in the label column of each token. Requires a label column.
  void labels(Index column, std::vector<std::string_view>& labels) const;
};

// Reads sequences one after another, in constant memory.
class SequenceReader {
 public:
  // `comments` applies to column files.
  SequenceReader(InputFile file, InputFormat format, Comments comments = Comments::kAuto);

  // Reads the next sequence; returns false at the end. Throws InputError.
  bool read(TagSequence& sequence);
  const std::string& name() const;
  // Properties of a column file, from its first lines; empty for an item file.
  ColumnReader::Look look();

 private:
  using Reader = std::variant<ColumnReader, ItemReader>;
  Reader reader_;
};

// The attributes of a sequence: from the template, or its items.
void extract(const TagSequence& sequence, const FeatureTemplate& features,
             FeatureTemplate::Scratch& scratch, SentenceAttributes& attributes);

// For a sequence of a labelled file: throws InputError unless it has the columns that template and
// label require, and UsageError if the template would use the label.
void require_columns(const TagSequence& sequence, const FeatureTemplate& features,
                     Index label_column, const std::string& file);

// Fingerprints: of an array's bytes; of a sequence's attributes, values, and labels.
template <class T>
std::uint64_t digest(const std::vector<T>& values, std::uint64_t seed) {
  return fingerprint({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)},
                     seed);
}
std::uint64_t digest(const SentenceAttributes& attributes,
                     std::span<const std::string_view> labels);

// The text of attribute k of extract() at position t. See FeatureTemplate::Names.
class AttributeNames {
 public:
  AttributeNames(const TagSequence& sequence, const FeatureTemplate& features,
                 FeatureTemplate::Scratch& scratch)
      : sequence_(&sequence), names_(features, sequence.columns, scratch) {}
  std::string node(Index t, Index k) {
    if (sequence_->format == InputFormat::kColumns) return names_.node(t, k);
    return std::string(sequence_->items.item(t, k).name);
  }
  std::string edge(Index t, Index k) { return names_.edge(t, k); }

 private:
  const TagSequence* sequence_;
  FeatureTemplate::Names names_;
};

}  // namespace trellis::tag
