// A trained classifier as it lies in a model file.
//
//   meta               labels, format, columns, features, and how it was trained (JSON)
//   keys, ids          fingerprint → feature
//   names, name_ends   the features' texts, for inspect
//   idf                a number for each feature, where the weighting has it
//   weights            a row of L weights for each feature; the bias is feature 0
//
// The score of label y is Σ_a x_a w_ay. Where training was of a probability model, p(y | x) is the
// softmax of `beta` times the scores.
//
// Everything is checked when it is loaded: a model from a stranger can at worst be refused, and the
// memory that loading takes is a small multiple of the file's size.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"
#include "trellis/tasks/classify/document_set.h"
#include "trellis/tasks/classify/example_reader.h"
#include "trellis/tasks/classify/features.h"
#include "trellis/tasks/classify/vectorizer.h"

namespace trellis::classify {

inline constexpr std::string_view kClassifyModelKind = "classify";
inline constexpr std::uint32_t kClassifyModelVersion = 1;

// What training hands over to be written. Views; all must live until it is written.
struct ClassifyModelParts {
  FeatureOptions features;
  std::optional<TextColumns> columns;  // text only
  std::span<const std::string> labels;
  const Vocabulary* vocabulary = nullptr;
  std::span<const double> idf;
  std::span<const double> weights;
  std::optional<double> beta;  // nothing: scores are no log-probabilities
  nlohmann::json training;     // how it was made
};

void write_classify_model(const ClassifyModelParts& parts, const std::string& path);
std::string classify_model_bytes(const ClassifyModelParts& parts);

class ClassifyModel {
 public:
  static ClassifyModel load(const std::string& path);  // throws InputError
  static ClassifyModel from_bytes(std::span<const std::byte> bytes, const std::string& name);

  const std::string& name() const { return reader_.name(); }
  const FeatureOptions& features() const { return features_; }
  const std::optional<TextColumns>& columns() const { return columns_; }
  const std::vector<std::string>& labels() const { return labels_; }
  bool has_label(std::string_view label) const {
    return label_list_.find(label) != NameList::kNone;
  }
  const nlohmann::json& training() const { return training_; }
  std::optional<double> beta() const { return beta_; }

  Index num_features() const { return names_.size(); }  // the bias included
  std::string_view feature_name(AttributeId a) const { return names_[a]; }
  std::span<const double> row(AttributeId a) const {
    return weights_.subspan(a * labels_.size(), labels_.size());
  }
  std::span<const double> weights() const { return weights_; }
  Vectorizer vectorizer() const;

 private:
  explicit ClassifyModel(ModelReader reader);
  void read_meta();
  void read_features(const nlohmann::json& meta);
  void read_arrays();
  [[noreturn]] void refuse(const std::string& why) const;

  ModelReader reader_;
  FeatureOptions features_;
  std::optional<TextColumns> columns_;
  std::vector<std::string> labels_;
  NameList label_list_;
  std::optional<double> beta_;
  nlohmann::json training_;
  FingerprintView ids_;
  NameView names_;
  std::span<const double> idf_;
  std::span<const double> weights_;
};

}  // namespace trellis::classify
