// A trained parser as it lies in a model file.
//
// Everything is checked when it is loaded: a model from a stranger can at worst be refused.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"
#include "trellis/data/value.h"
#include "trellis/data/weight_table.h"
#include "trellis/frame/model_schema.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/filter/arc_filter.h"
#include "trellis/tasks/parse/model/feature_numbers.h"
#include "trellis/tasks/parse/model/label_rows.h"
#include "trellis/tasks/parse/model/label_sets.h"
#include "trellis/tasks/parse/model/model_shape.h"
#include "trellis/tasks/parse/model/tree_decoder.h"
#include "trellis/tasks/parse/tagging/sentence_tagger.h"
#include "trellis/tasks/tagging/word_tagger.h"

namespace trellis::parse {

// What training hands over to be written; views, which must live until it is.
struct ParseModelParts {
  const NameList* labels = nullptr;
  const TagNumbers* tags = nullptr;
  const LabelSetBuilder* sets = nullptr;
  ModelShape shape;
  DecodeOptions decoding;
  FilterOptions filter;
  FilterWeights filter_weights;  // empty: no pruning
  const FeatureNumbers* numbers = nullptr;
  std::span<const double> weights;
  const SentenceTagger* tagger = nullptr;  // null: none
  Value training;                          // how it was made
};

// What a file has, as views of it.
struct ParseFile {
  ModelShape shape;
  DecodeOptions decoding;
  FilterOptions filter;
  FilterWeights filter_weights;
  Value training;  // how the model was made
  NameList labels, tags;
  std::span<const std::uint32_t> set_of, set_begin, set_members;  // LabelSets
  std::span<const WeightSlot> arcs;
  std::span<const WeightSlot> label_rows;
  std::span<const LabelEntry> label_entries;
  std::optional<tagging::WordTagger> coarse_tagger, fine_tagger;

  void describe(ModelArchive& a);
};

class ParseModel {
 public:
  static constexpr ModelKind kKind{.name = "parse", .newest = 2, .oldest = 2};

  static ParseModel read(const std::string& path);  // throws InputError
  static ParseModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  // Weights become floats; those that are 0 are left out.
  static ParseModel from_parts(const ParseModelParts& parts);
  void write(const std::string& path) const { reader_.write(path); }

  const std::string& name() const { return reader_.name(); }
  const NameList& labels() const { return file_.labels; }
  const TagNumbers& tags() const { return tags_; }
  const LabelSets& label_sets() const { return sets_; }
  const ModelShape& shape() const { return file_.shape; }
  // What a parser does where its user does not say.
  const DecodeOptions& decoding() const { return file_.decoding; }
  const ArcFilter& filter() const { return filter_; }
  const WeightView& arc_weights() const { return arc_weights_; }
  const LabelRows& label_rows() const { return label_rows_; }
  // Null where tags come with the sentences.
  const SentenceTagger* tagger() const { return tagger_ ? &*tagger_ : nullptr; }
  const Value& training() const { return file_.training; }
  Index num_arc_features() const { return num_arc_features_; }
  Index num_label_weights() const { return num_label_weights_; }

 private:
  explicit ParseModel(ModelReader reader);

  ModelReader reader_;
  ParseFile file_;
  TagNumbers tags_;
  LabelSets sets_;
  ArcFilter filter_;
  WeightView arc_weights_;
  LabelRows label_rows_;
  std::optional<SentenceTagger> tagger_;
  Index num_arc_features_ = 0;
  Index num_label_weights_ = 0;
};

}  // namespace trellis::parse
