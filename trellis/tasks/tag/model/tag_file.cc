#include <string>

#include "trellis/tasks/tag/model/tag_model.h"

namespace trellis::tag {
namespace {

void describe_format(ModelArchive& a, TagFormat& format) {
  a.choice("format", format.format, "of the files that it reads");
  a.number("num_columns", format.num_columns, {}, "columns of the training files; 0: items");
  a.number("label_column", format.label_column, {}, "column of the labels, from 0");
  a.number("word_column", format.word_column, {}, "column that reports show, from 0");
  a.require(format.format == InputFormat::kItems || (format.label_column < format.num_columns &&
                                                     format.word_column < format.num_columns),
            "the model's columns do not fit together");
  a.choice("comments", format.comments, "which lines are comments");
  a.choice("file_scheme", format.file_scheme, "tag scheme of predictions");
  a.choice("model_scheme", format.model_scheme, "tag scheme of the labels");
  a.require((format.file_scheme == TagScheme::kPlain) == (format.model_scheme == TagScheme::kPlain),
            "the model's tag schemes do not fit together");
}

void describe_rows(ModelArchive& a, const std::string& kind, TagFile::Rows& rows, int hash_bits) {
  a.where("hash_bits 0", hash_bits == 0, [&] {
    a.array(kind + ".keys", rows.keys, {}, "fingerprints of attributes, hashed to their slots");
    a.array(kind + ".ids", rows.ids, {}, "by slot: the attribute");
    a.name_list(kind + ".names", kind + ".name_ends", rows.names, "of the attributes");
  });
  a.where("hash_bits above 0", hash_bits > 0,
          [&] { a.array(kind + ".rows", rows.row_of, {}, "by bucket: the attribute"); });
  a.array(kind + ".begin", rows.begin, {}, "by attribute: where its weights begin, and the end");
  a.array(kind + ".targets", rows.targets, {}, "by weight: the label or pair of labels");
}

void describe_kernel(ModelArchive& a, TagFile::Kernel& kernel) {
  a.field(
      "kernel", "linear, poly:D:O or rbf:G", [&] { return Value(to_string(kernel.function)); },
      [&](const Value& stored) { kernel.function = parse_kernel(stored.text()); });
  a.number("kernel_dimensions", kernel.dimensions, {.low = 1}, "dimensions of a pivot");
  a.array("kernel.keys", kernel.keys, {}, "fingerprints of dimensions, hashed to their slots");
  a.array("kernel.ids", kernel.ids, {}, "by slot: the dimension");
  a.array("kernel.pivots", kernel.pivots, {.in = kFinite}, "[pivot][dimension]");
}

}  // namespace

void TagFile::describe(ModelArchive& a) {
  a.names("labels", labels, {.low = 1}, "the labels");
  a.number("order", order, {1, ChainStates::kMaxOrder}, "labels that a label depends on");
  a.number("hash_bits", hash_bits, {0, AttributeIndex::kMaxHashBits}, "feature hashing; 0: none");
  describe_format(a, format);
  a.value("training", training, "how the model was made");
  a.array("template", feature_template, {}, "the feature template, self-contained");
  const Index n = labels.size();
  a.array("rules", rules, {.size = n * n + 2 * n}, "whether each label may start, follow, stop");
  describe_rows(a, "node", nodes, hash_bits);
  describe_rows(a, "edge", edges, hash_bits);
  if (a.reading()) grams.resize(static_cast<Index>(order));
  a.each(grams, 1, [&](auto& level, const std::string& k) {
    a.array("grams." + k, level, {}, "by n-gram of K + 1 labels: its weight");
  });
  a.array("grams.stop", stop_grams, {.size = n}, "by last label: its weight");
  a.weights("weights", weights, {}, "of the only voter or each one");
  a.optional("votes", !votes.empty(), 1, [&] {
    a.array("votes", votes, {.in = kFinite}, "by voter, of a voted perceptron");
    a.require(!votes.empty(), "the model's votes are damaged");
  });
  a.optional("kernel", kernel.has_value(), 2, [&] {
    if (!kernel) kernel = Kernel{};  // emplace() of a nested class is too much for clang 14
    describe_kernel(a, *kernel);
  });
}

}  // namespace trellis::tag
