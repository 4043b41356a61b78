// A sequence to be tagged, and where it comes from: a column file whose features a template makes,
// or an item file that brings its features along.
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
  kColumns,  // CoNLL columns; lines of CoNLL-U are recognised by their look
  kItems,    // CRFsuite's item files
  kConllu,   // CoNLL-U and nothing else; a sequence of it is one of kColumns
};
constexpr auto names_of(InputFormat) {
  return Names{"format", "columns", "items", "conllu"};
}

// Where the true labels stand in a column file: a column from 0, or the last one.
inline constexpr Index kLastColumn = ~Index{0};

// A sequence as it was read. Reusing one keeps its memory.
struct TagSequence {
  InputFormat format = InputFormat::kColumns;
  Sentence columns;    // kColumns
  SourceLines lines;   // kColumns: what predict writes its labels behind
  ItemSentence items;  // kItems

  Index num_tokens() const;
  Index line(Index token) const;  // of the file, for messages
  double weight() const { return format == InputFormat::kItems ? items.weight() : 1; }
  // The text in the label column of each token. Requires that there is one.
  void labels(Index column, std::vector<std::string_view>& labels) const;
};

// Reads sequences one after the other, in constant memory.
class SequenceReader {
 public:
  // `comments` is about column files.
  SequenceReader(InputFile file, InputFormat format, Comments comments = Comments::kAuto);

  // The next sequence, or false at the end. Throws InputError.
  bool read(TagSequence& sequence);
  const std::string& name() const;
  // What the first lines of a column file tell; nothing of an item file.
  ColumnReader::Look look();

 private:
  using Reader = std::variant<ColumnReader, ItemReader>;
  Reader reader_;
};

// The attributes of a sequence: the template's, or the items.
void extract(const TagSequence& sequence, const FeatureTemplate& features,
             FeatureTemplate::Scratch& scratch, SentenceAttributes& attributes);

// Of a sequence of a labelled file: throws InputError unless it has the columns that the template
// and the label ask for, and UsageError where the template would see the label.
void require_columns(const TagSequence& sequence, const FeatureTemplate& features,
                     Index label_column, const std::string& file);

// A fingerprint of an array's bytes; and of a sequence's attributes, their values, and its labels.
template <class T>
std::uint64_t digest(const std::vector<T>& values, std::uint64_t seed) {
  return fingerprint({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)},
                     seed);
}
std::uint64_t digest(const SentenceAttributes& attributes,
                     std::span<const std::string_view> labels);

// The texts of the attributes that extract() gave: of the k-th at position t. See
// FeatureTemplate::Names.
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
