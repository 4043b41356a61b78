// Classifying: from an example to scores, a label, probabilities. Const: one classifier, many
// threads, a scratch each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/examples/example.h"
#include "trellis/tasks/classify/classify_model.h"

namespace trellis::classify {

// The highest score; the first of equals.
Label best_label(std::span<const double> scores);

// A vector as the rows of a model with a kernel see it: the bias, if there is one, then k(x, x_p).
// `bias` is the feature that x has for it, or kNoAttribute.
void expand_vector(const KernelPivots& kernel, AttributeId bias, std::span<const AttributeId> ids,
                   std::span<const float> values, std::vector<double>& products,
                   std::vector<float>& out);

class Classifier {
 public:
  struct Scratch {
    explicit Scratch(const ClassifyModel& model) : vector(model.features()) {}
    Vectorizer::Scratch vector;
    std::vector<double> products;  // with a kernel, as what follows
    std::vector<float> values;
  };

  // The model must outlive the classifier.
  explicit Classifier(const ClassifyModel& model)
      : model_(&model), vectorizer_(model.vectorizer()) {}

  const ClassifyModel& model() const { return *model_; }
  // A score for each label. `file` stands in messages. Throws InputError where the features cannot
  // be weighted.
  void scores(const Example& example, const std::string& file, Scratch& scratch,
              std::vector<double>& scores) const;
  // p(y | x) from the scores. Throws UsageError for a model without probabilities.
  void probabilities(std::span<const double> scores, std::vector<double>& p) const;
  // The k best labels, best first; equals in the order of the labels.
  std::vector<Label> top(std::span<const double> scores, Index k) const;

 private:
  const ClassifyModel* model_;
  Vectorizer vectorizer_;
};

}  // namespace trellis::classify
