// Feature vectors as a labeller sees them: its features in its order, found by name, or, where a
// file does not declare them, by their index; and scaled,
//
//   x̃ = (x − mean) ⊙ scale, to length 1 where asked, and the constant feature b behind it
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

// The rows scaled, the bias last: width D + 1, or D where bias is 0. Computed in double, rounded to
// float once. Throws UsageError for a scaling that does not fit the rows, for a mean where they are
// sparse, and where a value is beyond the range of a float; `first` is the number of the first row,
// for that message.
FeatureRows scaled(const FeatureRows& rows, const FeatureScaling& scaling, Index first = 1);

class ModelRows {
 public:
  // The model must outlive it. Throws InputError where the file declares its features and none of
  // the model's is among them.
  ModelRows(const LabelModel& model, const LabelData& data);
  ModelRows(const LabelModel& model, const InstanceReader& reader);

  bool knows(std::uint32_t feature) const { return number_of(feature) != kNotInModel; }
  Index num_known() const;
  // What to say of a file that has features, such as this one, none of which is the model's;
  // nothing where the model has none.
  std::string none_known(const std::string& feature) const;

  // `count` rows, those of features_of(0) and so on. Throws InputError where a scaled value is
  // beyond the range of a float; `first` is the number of the first instance, for that message.
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
  std::unordered_map<std::uint32_t, std::uint32_t> by_index_;  // where there are no columns
};

// Those of instances `begin` … `end` of the data.
FeatureRows rows_between(const ModelRows& rows, const LabelData& data, Index begin, Index end);

}  // namespace trellis::label
