// A trained parser as it lies in a model file.
//
//   meta                        order, shape of trees, filter, decoding where it is by risk, and
//                               how it was trained (JSON)
//   labels.names, .name_ends    the labels of arcs
//   tags.names, .name_ends      coarse parts of speech
//   sets.of, .begin, .members   which labels an arc may have (LabelSets)
//   filter.tags, filter.words   weights of ArcFilter's two looks; empty where there is none
//   arc.slots                   the weights of arc features (WeightView)
//   label.slots, label.entries  those of label features (LabelRows)
//   tagger.coarse, tagger.fine  the tagger, where it was trained along (tagging/sentence_tagger.h)
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
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/filter/arc_filter.h"
#include "trellis/tasks/parse/model/feature_numbers.h"
#include "trellis/tasks/parse/model/label_rows.h"
#include "trellis/tasks/parse/model/label_sets.h"
#include "trellis/tasks/parse/model/model_shape.h"
#include "trellis/tasks/parse/model/tree_decoder.h"
#include "trellis/tasks/parse/tagging/sentence_tagger.h"

namespace trellis::parse {

inline constexpr std::string_view kParseModelKind = "parse";
inline constexpr std::uint32_t kParseModelVersion = 2;

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

class ParseModel {
 public:
  static ParseModel read(const std::string& path);  // throws InputError
  static ParseModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  // Weights become floats; those that are 0 are left out.
  static ParseModel from_parts(const ParseModelParts& parts);
  void write(const std::string& path) const { reader_.write(path); }

  const std::string& name() const { return reader_.name(); }
  const NameList& labels() const { return labels_; }
  const TagNumbers& tags() const { return tags_; }
  const LabelSets& label_sets() const { return sets_; }
  const ModelShape& shape() const { return shape_; }
  // What a parser does where its user does not say.
  const DecodeOptions& decoding() const { return decoding_; }
  const ArcFilter& filter() const { return filter_; }
  const WeightView& arc_weights() const { return arc_weights_; }
  const LabelRows& label_rows() const { return label_rows_; }
  // Null where tags come with the sentences.
  const SentenceTagger* tagger() const { return tagger_ ? &*tagger_ : nullptr; }
  const Value& training() const { return training_; }
  Index num_arc_features() const { return num_arc_features_; }
  Index num_label_weights() const { return num_label_weights_; }

 private:
  explicit ParseModel(ModelReader reader);
  void read_meta();
  void read_filter();
  NameList read_names(const std::string& kind) const;
  [[noreturn]] void refuse(const std::string& why) const;

  ModelReader reader_;
  NameList labels_;
  TagNumbers tags_;
  LabelSets sets_;
  ModelShape shape_;
  DecodeOptions decoding_;
  FilterOptions filter_options_;
  ArcFilter filter_;
  WeightView arc_weights_;
  LabelRows label_rows_;
  std::optional<SentenceTagger> tagger_;
  Value training_;
  Index num_arc_features_ = 0;
  Index num_label_weights_ = 0;
};

}  // namespace trellis::parse
