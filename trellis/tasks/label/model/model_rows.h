// Feature vectors for a labeller: the model's features in its order, found by name, or by index if
// the file does not declare names; and scaled,
//
//   x̃ = (x − mean) ⊙ scale, to length 1 if requested, followed by the constant feature b
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/formats/sets/label_data.h"
#include "trellis/formats/sets/label_reader.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::label {

// Scales rows and appends the bias: width D + 1, or D if bias is 0. Computes in double and rounds
// to float once. Throws UsageError for a scaling that does not fit the rows, for a mean with sparse
// rows, and for a value beyond the range of a float; `first` is the number of the first row for
// that message.
FeatureRows scaled(const FeatureRows& rows, const FeatureScaling& scaling, Index first = 1);

class ModelRows {
 public:
  // The model must outlive the object. Throws InputError if the file declares its features and they
  // are all unknown to the model.
  ModelRows(const LabelModel& model, const LabelData& data);
  ModelRows(const LabelModel& model, const InstanceReader& reader);

  bool knows(std::uint32_t feature) const { return number_of(feature) != kNotInModel; }
  Index num_known() const;
  // The warning for a file with features such as this one, if all are unknown to the model; empty
  // if the model has no features.
  std::string none_known(const std::string& feature) const;

  // `count` rows, from features_of(0) on. Throws InputError for a scaled value beyond the range of
  // a float; `first` is the number of the first instance for that message.
  using FeaturesOf = std::function<std::span<const Feature>(Index i)>;
  FeatureRows rows(Index count, const FeaturesOf& features_of, Index first) const;

 private:
  static constexpr std::uint32_t kNotInModel = ~std::uint32_t{0};

  void find_names(const std::vector<std::string>& names, bool declared);
  void find_indices();
  std::uint32_t number_of(std::uint32_t feature) const;
  FeatureRows in_order(Index count, const FeaturesOf& features_of) const;

  const LabelModel& model_;
  std::string file_;
  bool dense_;
  std::vector<std::uint32_t> columns_;                         // the model's numbers, by column
  std::unordered_map<std::uint32_t, std::uint32_t> by_index_;  // for files without columns
};

// The rows of instances `begin` … `end` of the data.
FeatureRows rows_between(const ModelRows& rows, const LabelData& data, Index begin, Index end);

}  // namespace trellis::label
