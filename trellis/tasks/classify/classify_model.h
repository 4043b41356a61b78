// A trained classifier as it lies in a model file.
//
// The score of label y is Σ_a x_a w_ay; with a kernel, Σ_p k(x, x_p) w_py and the bias. Where
// training was of a probability model, p(y | x) is the softmax of `beta` times the scores.
//
// Everything is checked when it is loaded: a model from a stranger can at worst be refused, and the
// memory that loading takes is a small multiple of the file's size.
#pragma once

#include <cstddef>
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
#include "trellis/formats/examples/example_reader.h"
#include "trellis/frame/model_schema.h"
#include "trellis/tasks/classify/column_scale.h"
#include "trellis/tasks/classify/document_set.h"
#include "trellis/tasks/classify/features.h"
#include "trellis/tasks/kernel_pivots.h"

namespace trellis::classify {

// What a file has. Views of what training hands over, or of the file.
struct ClassifyParts {
  FeatureOptions features;
  std::optional<TextColumns> columns;  // text only
  std::vector<std::string> labels;
  std::span<const std::uint64_t> keys;  // of the table from fingerprints to features
  std::span<const std::uint32_t> ids;
  NameView names;
  std::span<const double> idf;
  std::span<const double> factors, shifts;  // empty: columns stay as they are
  std::optional<Kernel> kernel;
  std::span<const std::uint64_t> pivot_ends;
  std::span<const std::uint32_t> pivot_ids;
  std::span<const float> pivot_values;
  std::span<const double> weights;
  std::optional<double> beta;  // nothing: scores are no log-probabilities
  std::shared_ptr<const Value> training;
};

class ClassifyModel {
 public:
  // 1: without a kernel, 2: with one, 3: with or without, and columns that are scaled.
  static constexpr ModelKind kKind{.name = "classify", .newest = 3};
  static void describe(ModelArchive& a, ClassifyParts& m);

  static ClassifyModel from_parts(ClassifyParts parts);
  static ClassifyModel read(const std::string& path);  // throws InputError
  static ClassifyModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  void write(const std::string& path) const { reader_.write(path); }
  // As a file has them; they live as long as the model does.
  std::span<const std::byte> bytes() const { return reader_.bytes(); }
  Value meta() const { return reader_.json("meta"); }

  const std::string& name() const { return reader_.name(); }
  const FeatureOptions& features() const { return parts_.features; }
  const std::optional<TextColumns>& columns() const { return parts_.columns; }
  const std::vector<std::string>& labels() const { return parts_.labels; }
  bool has_label(std::string_view label) const {
    return label_list_.find(label) != NameList::kNone;
  }
  const Value& training() const { return *parts_.training; }
  std::optional<double> beta() const { return parts_.beta; }

  Index num_features() const { return parts_.names.size(); }  // the bias included
  std::string_view feature_name(AttributeId a) const { return parts_.names[a]; }
  const ColumnScale& scale() const { return *scale_; }
  const KernelPivots* kernel() const { return kernel_.get(); }  // null: none
  // A row is that of a feature; with a kernel, that of the bias or of a pivot.
  Index num_rows() const { return parts_.weights.size() / labels().size(); }
  std::span<const double> row(Index r) const {
    return weights().subspan(r * labels().size(), labels().size());
  }
  std::span<const double> weights() const { return parts_.weights; }
  Vectorizer vectorizer() const;

 private:
  explicit ClassifyModel(ModelReader reader);

  ModelReader reader_;
  ClassifyParts parts_;
  NameList label_list_;
  FingerprintView ids_;
  std::shared_ptr<const ColumnScale> scale_;
  std::shared_ptr<const KernelPivots> kernel_;
};

}  // namespace trellis::classify
