#include "trellis/tasks/tag/output/item_export.h"

#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/formats/columns/item_writer.h"

namespace trellis::tag {
namespace {

constexpr Index kSequencesAtATime = 256;

class ItemWriter {
 public:
  ItemWriter(const FeatureTemplate& features, Index label_column)
      : features_(&features), label_column_(label_column) {}

  // Writes the sequence as text, with the empty line at its end.
  void write(const TagSequence& sequence, const std::string& file, std::string& out) {
    out.clear();
    extract(sequence, *features_, scratch_, attributes_);
    sequence.labels(label_column_, labels_);
    AttributeNames names(sequence, *features_, scratch_);
    append_item_weight(sequence.weight(), out);
    const AttributeList& node = attributes_.node;
    for (Index t = 0; t < labels_.size(); ++t) {
      append_item_label(labels_[t], file, sequence.line(t), out);
      // A token without label and items must not look like the end of its sequence.
      if (labels_[t].empty() && node.begin[t] == node.begin[t + 1]) out += '\t';
      for (Index k = node.begin[t]; k < node.begin[t + 1]; ++k) {
        const float value = node.values.empty() ? 1 : node.values[k];
        append_item(names.node(t, k - node.begin[t]), value, file, sequence.line(t), out);
      }
      out += '\n';
    }
    out += '\n';
  }

 private:
  const FeatureTemplate* features_;
  Index label_column_;
  FeatureTemplate::Scratch scratch_;
  SentenceAttributes attributes_;
  std::vector<std::string_view> labels_;
};

}  // namespace

void write_items(std::vector<SequenceReader> files, const FeatureTemplate& features,
                 Index label_column, int threads, OutputFile& out) {
  if (features.has_edge_attributes()) {
    throw UsageError(
        "item files cannot hold transitions that depend on features: remove lines like 'edge "
        "word[0]' from the template");
  }
  Pipeline<TagSequence> pipeline(kSequencesAtATime, threads);
  std::vector<ItemWriter> writers;
  for (int i = 0; i < pipeline.num_workers(); ++i) writers.emplace_back(features, label_column);
  std::vector<std::string> texts(pipeline.batch_size());
  for (SequenceReader& reader : files) {
    pipeline.run(
        [&](TagSequence& sequence) {
          if (!reader.read(sequence)) return false;
          require_columns(sequence, features, label_column, reader.name());
          return true;
        },
        [&](const TagSequence& sequence, Index slot, int worker) {
          writers[static_cast<Index>(worker)].write(sequence, reader.name(), texts[slot]);
        },
        [&](const TagSequence&, Index slot) { out.write(texts[slot]); });
  }
}

}  // namespace trellis::tag
