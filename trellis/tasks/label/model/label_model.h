// A trained labeller as it lies in a model file, and what it predicts. Three forms of one model:
//
//   scores       a_v = θ_v·x̃ + θ_v0 b,   x̃ = (x − mean) ⊙ scale, to length 1 where asked
//   independent  label v is given iff a_v > threshold_v
//   pairwise     argmax_y Σ_v (a_v − threshold_v) y_v + Σ_{vw} A_vw y_v y_w, A ≥ 0: a minimum cut
//   chain        in the chain's order, a_v also sees the labels that were given before it (Read et
//                al. 2009): + Σ_{u before v} θ_vu [u was given]
//
// Features are found by name, so columns of a file may be in any order; a feature that the file
// lacks counts as 0 and one that the model lacks is ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/sets/label_data.h"
#include "trellis/frame/model_schema.h"

namespace trellis::label {

// How feature vectors are brought to the size that weights are made for. Dense data may be centred;
// sparse data never is: it would no longer be sparse.
struct FeatureScaling {
  std::vector<double> mean;   // of each feature, or empty: 0
  std::vector<double> scale;  // of each feature, or empty: 1
  bool unit_length = false;   // divide by ‖x̃‖₂ at last; a vector of zeros stays one
  double bias = 1;            // b, the value of the constant feature behind it; 0: none
};

enum class ModelForm { kIndependent, kPairwise, kChain };
constexpr auto names_of(ModelForm) {
  return Names{"form of a labeller", "independent", "pairwise", "chain"};
}

struct LabelModel {
  static constexpr ModelKind kKind{.name = "label", .checked = true};

  ModelForm form = ModelForm::kIndependent;
  std::vector<std::string> label_names;    // distinct; see label_name_fault()
  std::vector<std::string> feature_names;  // distinct, UTF-8
  FeatureScaling scaling;
  std::vector<double> weights;        // [feature · V + label], D (+ 1: the bias) rows of V
  std::vector<double> thresholds;     // V, finite
  std::vector<NodePair> pairs;        // kPairwise: v < w, each once
  std::vector<double> couplings;      // kPairwise: A of each pair, ≥ 0
  std::vector<std::uint32_t> order;   // kChain: all labels, as the chain visits them
  std::vector<double> chain_weights;  // kChain: θ_vu at [v·V + u], 0 unless u is before v
  Value training;                     // how it was made

  Index num_labels() const { return label_names.size(); }
  // Rows of weights: the features, and the bias where there is one.
  Index num_rows() const { return feature_names.size() + (scaling.bias != 0 ? 1 : 0); }

  static void describe(ModelArchive& a, LabelModel& m);
  // Throw InputError. Everything is checked: a model from a stranger can at worst be refused.
  static LabelModel read(const std::string& path);
  static LabelModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  // Throw UsageError for parts that do not fit together.
  std::string to_bytes() const;
  void write(const std::string& path) const;
};

}  // namespace trellis::label
