// A trained tagger as it lies in a model file.
//
//   meta            labels, tag schemes, order, columns, and how it was trained (JSON)
//   template        the feature template, self-contained
//   rules           which labels may start, follow and stop: L + L² + L flags
//   node.keys, .ids           fingerprint → attribute
//   node.names, .name_ends    the attributes' texts, for inspect and explain
//   node.rows                 instead of these four, with feature hashing: bucket → attribute
//   node.begin, .targets      the rows of weights (AttributeRows); edge.* likewise
//   grams.1 … grams.k, grams.stop    which label n-grams have a weight (GramWeights)
//   weights         V × d weights; V = 1, or the number of voters
//   kernel.pivots   P × D numbers, with a kernel; kernel.keys, .ids: fingerprint → dimension. Node
//                   attributes are the pivots then
//   votes           how many votes each voter has (voted perceptron only)
//
// Everything is checked when it is loaded: a model from a stranger can at worst be refused, and the
// memory that loading takes is a small multiple of the file's size.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"
#include "trellis/data/value.h"
#include "trellis/formats/columns/tag_scheme.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/structure/sequences/chain_states.h"
#include "trellis/tasks/tag/model/attribute_index.h"
#include "trellis/tasks/tag/model/kernel_attributes.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

inline constexpr std::string_view kTagModelKind = "tag";
inline constexpr std::uint32_t kTagModelVersion =
    2;  // 1: without a kernel, which still is written so

// What a model says about the files that it was made for.
struct TagFormat {
  InputFormat format = InputFormat::kColumns;
  Index num_columns = 0;  // of the training files, the label included; 0 for items
  Index label_column = 0;
  Index word_column = 0;                       // what reports and explanations show of a token
  Comments comments = Comments::kAuto;         // which lines of the files are none of the tokens
  TagScheme file_scheme = TagScheme::kPlain;   // in which predictions are written
  TagScheme model_scheme = TagScheme::kPlain;  // of the labels
};

// What training hands over to be written. Views; all must live until it is written.
struct TagModelParts {
  TagFormat format;
  std::span<const std::string> labels;
  const FeatureTemplate* features = nullptr;
  const ChainFeatures* chain = nullptr;
  const AttributeIndex* nodes = nullptr;
  const AttributeIndex* edges = nullptr;
  std::span<const AttributeId> node_ids;  // from the index's ids to the rows
  std::span<const AttributeId> edge_ids;
  std::vector<std::span<const double>> weights;  // one vector, or the voters'
  std::vector<double> votes;                     // empty unless voted
  const KernelPart* kernel = nullptr;            // null: none
  Value training;                                // how it was made
};

// Weights that are 0 (for all voters) are left out, and attributes without any weight: predictions
// stay the same, bit for bit.
std::string tag_model_bytes(const TagModelParts& parts);

class TagModel {
 public:
  static TagModel read(const std::string& path);  // throws InputError
  static TagModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  static TagModel from_parts(const TagModelParts& parts);
  void write(const std::string& path) const { reader_.write(path); }
  std::span<const std::byte> bytes() const { return reader_.bytes(); }  // of the file

  const std::string& name() const { return reader_.name(); }
  const TagFormat& format() const { return format_; }
  Index word_column() const { return format_.word_column; }
  const std::vector<std::string>& labels() const { return labels_; }
  Label find_label(std::string_view label) const;  // kNoLabel: not one of the model's
  const FeatureTemplate& features() const { return *features_; }
  const ChainFeatures& chain() const { return *chain_; }
  const ChainStates& states() const { return *states_; }
  const Value& training() const { return training_; }
  int hash_bits() const { return hash_bits_; }

  // The kernel between the template's node attributes and the model's, which are its pivots.
  struct NodeKernel {
    KernelPivots pivots;
    FingerprintView dimensions;
    std::vector<AttributeId> rows;  // of the pivots; kNoAttribute: all its weights are 0
  };
  const NodeKernel* kernel() const { return kernel_.get(); }

  Index num_voters() const { return votes_.empty() ? 1 : votes_.size(); }
  bool voted() const { return !votes_.empty(); }
  double votes(Index voter) const { return votes_[voter]; }
  std::span<const double> weights(Index voter = 0) const {
    return weights_.subspan(voter * chain_->dimension(), chain_->dimension());
  }

  // A kind of attributes: ids by fingerprint, texts by id.
  struct Attributes {
    int hash_bits = 0;
    FingerprintView ids;
    NameView names;
    // With feature hashing: the attribute of each bucket, and the bucket of each attribute.
    std::span<const AttributeId> row_of;
    std::vector<std::uint32_t> bucket_of;

    AttributeId find(std::uint64_t fingerprint) const {
      if (hash_bits == 0) return ids.find(fingerprint);
      return row_of[fingerprint & ((std::uint64_t{1} << hash_bits) - 1)];
    }
    std::string name(AttributeId id) const;  // "#bucket" with feature hashing
  };
  const Attributes& nodes() const { return nodes_; }
  const Attributes& edges() const { return edges_; }

 private:
  explicit TagModel(ModelReader reader);
  void read_meta();
  void read_states();
  AttributeRows read_rows(const std::string& kind, Index num_targets, Attributes& attributes);
  void read_buckets(const std::string& kind, Index num_rows, Attributes& attributes);
  GramWeights read_grams();
  void read_kernel();
  void read_weights();
  [[noreturn]] void refuse(const std::string& why) const;

  ModelReader reader_;
  TagFormat format_;
  std::vector<std::string> labels_;
  NameList label_list_;
  int order_ = 1;
  int hash_bits_ = 0;
  Value training_;
  std::shared_ptr<const FeatureTemplate> features_;
  std::shared_ptr<const ChainStates> states_;
  std::shared_ptr<const ChainFeatures> chain_;
  Attributes nodes_;
  Attributes edges_;
  std::shared_ptr<const NodeKernel> kernel_;
  std::span<const double> weights_;
  std::span<const double> votes_;
};

}  // namespace trellis::tag
