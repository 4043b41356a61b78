// A small model of each form, with numbers that tests can follow by hand, or drawn at random.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::label::testing {

inline std::span<const std::byte> as_bytes(const std::string& bytes) {
  return std::as_bytes(std::span(bytes));
}

// Labels a, b, c; features x, y; the bias is 1.
inline LabelModel small_model(ModelForm form) {
  LabelModel model;
  model.form = form;
  model.label_names = {"a", "b", "c"};
  model.feature_names = {"x", "y"};
  model.weights = {1, 0,  -1,     // x
                   0, 1,  0.5,    // y
                   0, -1, 0.25};  // the bias
  model.thresholds = {0.5, 0, 0};
  model.training = Value::record({{"measure", "macro-f1"}});
  if (form == ModelForm::kPairwise) {
    model.pairs = {{0, 1}, {1, 2}};
    model.couplings = {1, 0.25};
  }
  if (form == ModelForm::kChain) {
    model.order = {2, 0, 1};
    model.chain_weights = {0, 0, -3,  // a sees c
                           2, 0, 1,   // b sees a and c
                           0, 0, 0};
  }
  return model;
}

inline double draw(Random& random) {
  return random.uniform() * 4 - 2;
}

inline LabelModel random_model(ModelForm form, Index num_labels, Index num_features,
                               Random& random) {
  LabelModel model;
  model.form = form;
  for (Index v = 0; v < num_labels; ++v) model.label_names.push_back("l" + std::to_string(v));
  for (Index k = 0; k < num_features; ++k) model.feature_names.push_back("f" + std::to_string(k));
  for (Index k = 0; k < (num_features + 1) * num_labels; ++k) model.weights.push_back(draw(random));
  for (Index v = 0; v < num_labels; ++v) model.thresholds.push_back(draw(random));
  if (form == ModelForm::kPairwise) {
    for (std::uint32_t v = 0; v < num_labels; ++v) {
      for (std::uint32_t w = v + 1; w < num_labels; ++w) {
        if (random.uniform() < 0.5) continue;
        model.pairs.push_back({v, w});
        model.couplings.push_back(random.uniform() * 2);
      }
    }
  }
  if (form == ModelForm::kChain) {
    for (std::uint32_t v = 0; v < num_labels; ++v) model.order.push_back(v);
    for (Index k = num_labels; k > 1; --k) {
      std::swap(model.order[k - 1], model.order[random.below(k)]);
    }
    model.chain_weights.assign(num_labels * num_labels, 0.0);
    for (Index k = 0; k < num_labels; ++k) {
      for (Index j = 0; j < k; ++j) {
        model.chain_weights[model.order[k] * num_labels + model.order[j]] = draw(random);
      }
    }
  }
  return model;
}

}  // namespace trellis::label::testing
