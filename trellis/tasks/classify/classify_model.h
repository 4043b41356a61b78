// A trained classifier as it lies in a model file.
//
//   meta               labels, format, columns, features, and how it was trained (JSON)
//   keys, ids          fingerprint → feature
//   names, name_ends   the features' texts, for inspect
//   idf                a number for each feature, where the weighting has it
//   factors, shifts    a number for each feature, where columns are scaled
//   pivot_ends, pivot_ids, pivot_values
//                      with a kernel: its pivots, as sparse vectors of features but the bias
//   weights            a row of L weights for each feature, the bias being feature 0; with a
//   kernel,
//                      one for the bias, if there is one, and one for each pivot
//
// The score of label y is Σ_a x_a w_ay; with a kernel, Σ_p k(x, x_p) w_py and the bias. Where
// training was of a probability model, p(y | x) is the softmax of `beta` times the scores.
//
// Everything is checked when it is loaded: a model from a stranger can at worst be refused, and the
// memory that loading takes is a small multiple of the file's size.
#pragma once

#include <cstddef>
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
#include "trellis/formats/examples/example_reader.h"
#include "trellis/tasks/classify/column_scale.h"
#include "trellis/tasks/classify/document_set.h"
#include "trellis/tasks/classify/features.h"
#include "trellis/tasks/kernel_pivots.h"

namespace trellis::classify {

inline constexpr std::string_view kClassifyModelKind = "classify";
// 1: without a kernel, 2: with one, 3: with or without, and columns that are scaled. Each is
// written where it says all, so that a program that would leave something out refuses.
inline constexpr std::uint32_t kClassifyModelVersion = 3;

// What training hands over. Views; all must live until the bytes are made.
struct ClassifyModelParts {
  FeatureOptions features;
  std::optional<TextColumns> columns;  // text only
  std::span<const std::string> labels;
  const Vocabulary* vocabulary = nullptr;
  std::span<const double> idf;
  const ColumnScale* scale = nullptr;    // null, or empty: columns stay as they are
  const KernelPivots* kernel = nullptr;  // null: none
  std::span<const double> weights;
  std::optional<double> beta;       // nothing: scores are no log-probabilities
  const Value* training = nullptr;  // how it was made
};

std::string classify_model_bytes(const ClassifyModelParts& parts);

class ClassifyModel {
 public:
  static ClassifyModel read(const std::string& path);  // throws InputError
  static ClassifyModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  void write(const std::string& path) const { reader_.write(path); }
  // As a file has them; they live as long as the model does.
  std::span<const std::byte> bytes() const { return reader_.bytes(); }

  const std::string& name() const { return reader_.name(); }
  const FeatureOptions& features() const { return features_; }
  const std::optional<TextColumns>& columns() const { return columns_; }
  const std::vector<std::string>& labels() const { return labels_; }
  bool has_label(std::string_view label) const {
    return label_list_.find(label) != NameList::kNone;
  }
  const Value& training() const { return *training_; }
  std::optional<double> beta() const { return beta_; }

  Index num_features() const { return names_.size(); }  // the bias included
  std::string_view feature_name(AttributeId a) const { return names_[a]; }
  const ColumnScale& scale() const { return *scale_; }
  const KernelPivots* kernel() const { return kernel_.get(); }  // null: none
  // A row is that of a feature; with a kernel, that of the bias or of a pivot.
  Index num_rows() const { return weights_.size() / labels_.size(); }
  std::span<const double> row(Index r) const {
    return weights_.subspan(r * labels_.size(), labels_.size());
  }
  std::span<const double> weights() const { return weights_; }
  Vectorizer vectorizer() const;

 private:
  explicit ClassifyModel(ModelReader reader);
  void read_meta();
  void read_features(const Value& meta);
  void read_arrays();
  void read_scale();
  void read_kernel(const Value& meta);
  [[noreturn]] void refuse(const std::string& why) const;

  ModelReader reader_;
  FeatureOptions features_;
  std::optional<TextColumns> columns_;
  std::vector<std::string> labels_;
  NameList label_list_;
  std::optional<double> beta_;
  std::shared_ptr<const Value> training_;
  FingerprintView ids_;
  NameView names_;
  std::span<const double> idf_;
  std::shared_ptr<const ColumnScale> scale_;
  std::shared_ptr<const KernelPivots> kernel_;
  std::span<const double> weights_;
};

}  // namespace trellis::classify
