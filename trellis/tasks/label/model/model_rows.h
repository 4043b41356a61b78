// Instances of a file as a model sees them: its features in the model's order, scaled. Features are
// found by name, or, where a file does not declare them, by their index.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/feature_block.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/reading/instance_reader.h"
#include "trellis/tasks/label/reading/label_data.h"

namespace trellis::label {

class ModelRows {
 public:
  // The model must outlive it. Throws InputError where the file declares its features and none of
  // the model's is among them.
  ModelRows(const LabelModel& model, const LabelData& data);
  ModelRows(const LabelModel& model, const InstanceReader& reader);

  bool knows(std::uint32_t feature) const { return number_of(feature) != kNotInModel; }
  Index num_known() const;

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
