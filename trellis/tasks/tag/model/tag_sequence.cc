#include "trellis/tasks/tag/model/tag_sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/tasks/tag/templates/text_hash.h"

namespace trellis::tag {

Index TagSequence::num_tokens() const {
  return format == InputFormat::kItems ? items.num_tokens() : columns.num_tokens();
}

Index TagSequence::line(Index token) const {
  return format == InputFormat::kItems ? items.line(token) : columns.line(token);
}

void TagSequence::labels(Index column, std::vector<std::string_view>& labels) const {
  labels.clear();
  if (format == InputFormat::kItems) {
    for (Index t = 0; t < items.num_tokens(); ++t) labels.push_back(items.label(t));
    return;
  }
  if (column == kLastColumn) column = columns.num_columns() - 1;
  columns.copy_column(column, labels);
}

SequenceReader::SequenceReader(InputFile file, InputFormat format, Comments comments)
    : reader_([&] {
        if (format == InputFormat::kItems) return Reader(ItemReader(std::move(file)));
        const bool conllu = format == InputFormat::kConllu;
        return Reader(ColumnReader(
            std::move(file), {conllu ? ColumnFormat::kConllu : ColumnFormat::kAuto, comments}));
      }()) {}

ColumnReader::Look SequenceReader::look() {
  ColumnReader* columns = std::get_if<ColumnReader>(&reader_);
  return columns == nullptr ? ColumnReader::Look{} : columns->look();
}

bool SequenceReader::read(TagSequence& sequence) {
  if (ItemReader* items = std::get_if<ItemReader>(&reader_)) {
    sequence.format = InputFormat::kItems;
    return items->read(sequence.items);
  }
  sequence.format = InputFormat::kColumns;
  return std::get<ColumnReader>(reader_).read(sequence.columns, sequence.lines);
}

const std::string& SequenceReader::name() const {
  return std::visit([](const auto& reader) -> const std::string& { return reader.name(); },
                    reader_);
}

void extract(const TagSequence& sequence, const FeatureTemplate& features,
             FeatureTemplate::Scratch& scratch, SentenceAttributes& attributes) {
  if (sequence.format == InputFormat::kColumns) {
    features.extract(sequence.columns, scratch, attributes);
    return;
  }
  attributes.node.clear();
  attributes.edge.clear();
  bool valued = false;
  for (Index t = 0; t < sequence.items.num_tokens(); ++t) {
    for (Index k = 0; k < sequence.items.num_items(t); ++k) {
      const Item item = sequence.items.item(t, k);
      attributes.node.fingerprints.push_back(attribute_fingerprint(item.name));
      attributes.node.values.push_back(static_cast<float>(item.value));
      valued = valued || item.value != 1;
    }
    attributes.node.begin.push_back(
        static_cast<std::uint32_t>(attributes.node.fingerprints.size()));
    attributes.edge.begin.push_back(0);
  }
  if (!valued) attributes.node.values.clear();
}

void require_columns(const TagSequence& sequence, const FeatureTemplate& features,
                     Index label_column, const std::string& file) {
  if (sequence.format == InputFormat::kItems) return;
  const Index found = sequence.columns.num_columns();
  const Index used = features.min_columns();
  const Index needed = label_column == kLastColumn ? used + 1 : std::max(used, label_column + 1);
  if (found < needed) {
    throw InputError(file, sequence.line(0),
                     fmt::format("expected at least {} columns (the template uses {}, and one is "
                                 "the label), found {}",
                                 needed, used, found));
  }
  if (label_column != kLastColumn && features.uses_column(label_column)) {
    throw UsageError(
        fmt::format("the template uses column {}, which contains the label to predict: choose "
                    "another template or --label-column",
                    label_column));
  }
}

std::uint64_t digest(const SentenceAttributes& attributes,
                     std::span<const std::string_view> labels) {
  std::uint64_t h = labels.size();
  for (const AttributeList* list : {&attributes.node, &attributes.edge}) {
    h = digest(list->begin, h);
    h = digest(list->fingerprints, h);
    h = digest(list->values, h);
  }
  for (const std::string_view label : labels) h = fingerprint(label, h);
  return h;
}

}  // namespace trellis::tag
