// A sequence to be tagged, and where it comes from: a column file whose features a template makes,
// or an item file that brings its features along.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/reading/column_reader.h"
#include "trellis/tasks/tag/reading/item_reader.h"
#include "trellis/tasks/tag/reading/sentence.h"
#include "trellis/tasks/tag/templates/attributes.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

enum class InputFormat {
  kColumns,  // CoNLL columns; CoNLL-U is recognised by its look
  kItems,    // CRFsuite's item files
};

std::string_view to_string(InputFormat format);         // "columns", "items"
InputFormat parse_input_format(std::string_view name);  // throws UsageError

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
  ~SequenceReader();
  SequenceReader(SequenceReader&&) noexcept;

  // The next sequence, or false at the end. Throws InputError.
  bool read(TagSequence& sequence);
  const std::string& name() const;

 private:
  std::unique_ptr<ColumnReader> columns_;
  std::unique_ptr<ItemReader> items_;
};

// The attributes of a sequence: the template's, or the items.
void extract(const TagSequence& sequence, const FeatureTemplate& features,
             FeatureTemplate::Scratch& scratch, SentenceAttributes& attributes);

// A fingerprint of a sequence's attributes, their values, and its labels.
std::uint64_t digest(const SentenceAttributes& attributes,
                     std::span<const std::string_view> labels);

// The text of the k-th node (edge) attribute that extract() gave at position t.
std::string node_name(const TagSequence& sequence, const FeatureTemplate& features, Index t,
                      Index k, FeatureTemplate::Scratch& scratch);
std::string edge_name(const TagSequence& sequence, const FeatureTemplate& features, Index t,
                      Index k, FeatureTemplate::Scratch& scratch);

}  // namespace trellis::tag
