// A trained tagger as it lies in a model file.
//
// Everything is checked when it is loaded: a model from a stranger can at worst be refused, and the
// memory that loading takes is a small multiple of the file's size.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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
#include "trellis/frame/model_schema.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/structure/sequences/chain_states.h"
#include "trellis/tasks/tag/model/attribute_index.h"
#include "trellis/tasks/tag/model/kernel_attributes.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

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

// What a file has, as views of it.
struct TagFile {
  // The rows of weights of a kind of attributes (AttributeRows).
  struct Rows {
    std::span<const std::uint64_t> keys;  // of the table from fingerprints to rows
    std::span<const std::uint32_t> ids;
    NameView names;                       // the attributes' texts, for inspect and explain
    std::span<const AttributeId> row_of;  // with feature hashing, in the place of these three
    std::span<const std::uint64_t> begin;
    std::span<const std::uint32_t> targets;
  };
  struct Kernel {
    trellis::Kernel function;
    Index dimensions = 0;
    std::span<const std::uint64_t> keys;  // of the table from fingerprints to dimensions
    std::span<const std::uint32_t> ids;
    std::span<const float> pivots;
  };

  std::vector<std::string> labels;
  int order = 1;
  int hash_bits = 0;
  TagFormat format;
  Value training;  // how the model was made
  std::span<const char> feature_template;
  std::span<const std::uint8_t> rules;  // which labels may start, follow and stop
  Rows nodes, edges;
  std::vector<std::span<const std::uint32_t>> grams;  // by level, GramWeights
  std::span<const std::uint32_t> stop_grams;
  std::span<const double> weights, votes;  // votes of each voter, of a voted perceptron
  std::optional<Kernel> kernel;            // node attributes are its pivots

  void describe(ModelArchive& a);
};

class TagModel {
 public:
  // 1: without a kernel.
  static constexpr ModelKind kKind{.name = "tag", .newest = 2};

  static TagModel read(const std::string& path);  // throws InputError
  static TagModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  static TagModel from_parts(const TagModelParts& parts);
  void write(const std::string& path) const { reader_.write(path); }
  std::span<const std::byte> bytes() const { return reader_.bytes(); }  // of the file

  const std::string& name() const { return reader_.name(); }
  const TagFormat& format() const { return file_.format; }
  Index word_column() const { return file_.format.word_column; }
  const std::vector<std::string>& labels() const { return file_.labels; }
  Label find_label(std::string_view label) const;  // kNoLabel: not one of the model's
  const FeatureTemplate& features() const { return *features_; }
  const ChainFeatures& chain() const { return *chain_; }
  const ChainStates& states() const { return *states_; }
  const Value& training() const { return file_.training; }
  int hash_bits() const { return file_.hash_bits; }

  // The kernel between the template's node attributes and the model's, which are its pivots.
  struct NodeKernel {
    KernelPivots pivots;
    FingerprintView dimensions;
    std::vector<AttributeId> rows;  // of the pivots; kNoAttribute: all its weights are 0
  };
  const NodeKernel* kernel() const { return kernel_.get(); }

  Index num_voters() const { return voted() ? file_.votes.size() : 1; }
  bool voted() const { return !file_.votes.empty(); }
  double votes(Index voter) const { return file_.votes[voter]; }
  std::span<const double> weights(Index voter = 0) const {
    return file_.weights.subspan(voter * chain_->dimension(), chain_->dimension());
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
  void make_states();
  AttributeRows make_rows(const TagFile::Rows& stored, Index num_targets, Attributes& attributes);
  GramWeights make_grams() const;
  void make_kernel();

  ModelReader reader_;
  TagFile file_;
  NameList label_list_;
  std::shared_ptr<const FeatureTemplate> features_;
  std::shared_ptr<const ChainStates> states_;
  std::shared_ptr<const ChainFeatures> chain_;
  Attributes nodes_;
  Attributes edges_;
  std::shared_ptr<const NodeKernel> kernel_;
};

}  // namespace trellis::tag
