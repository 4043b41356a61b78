// A trained model of factor graphs: what it knows of them, its weights, and how it was made.
//
// Model file, kind "factors", version 1:
//   meta      JSON: domains (name, switch, values), types (kind, name, domains by number),
//             inference (what it was learned with), training
//   attributes/offsets, attributes/bytes   the runs of weights, "TYPE ATTRIBUTE" with the number of
//             the type (data/name_list.h)
//   weights   float64: run after run, one for each score of its type
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trellis/data/value.h"
#include "trellis/tasks/factors/factor_features.h"
#include "trellis/tasks/factors/inference.h"
#include "trellis/tasks/linear_model.h"

namespace trellis::factors {

class FactorsModel : public LinearModel<FactorsModel, FactorFeatures> {
 public:
  static constexpr std::string_view kKind = "factors";
  static constexpr std::uint32_t kVersion = 1;

  // The features are frozen.
  FactorsModel(const FactorFeatures& features, Inference inference, std::vector<double> weights,
               const Value& training);
  static FactorsModel from_file(const ModelReader& reader, const Value& meta);
  ModelWriter writer() const;

  Inference inference() const { return inference_; }

 private:
  Inference inference_;
};

}  // namespace trellis::factors
