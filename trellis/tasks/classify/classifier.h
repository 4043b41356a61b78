// Classifies an example: scores, label, probabilities. Const; threads can share a classifier, each
// with its own scratch.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/examples/example.h"
#include "trellis/tasks/classify/classify_model.h"

namespace trellis::classify {

// The label with the highest score; ties go to the first.
Label best_label(std::span<const double> scores);

// A vector as input of a model with a kernel: the bias, if there is one, then k(x, x_p). `bias` is
// the bias feature of x, or kNoAttribute.
void expand_vector(const KernelPivots& kernel, AttributeId bias, std::span<const AttributeId> ids,
                   std::span<const float> values, std::vector<double>& products,
                   std::vector<float>& out);

class Classifier {
 public:
  struct Scratch {
    explicit Scratch(const ClassifyModel& model) : vector(model.features()) {}
    Vectorizer::Scratch vector;
    std::vector<double> products;  // with a kernel, like the next ones
    std::vector<float> values;
  };

  // The model must outlive the classifier.
  explicit Classifier(const ClassifyModel& model)
      : model_(&model), vectorizer_(model.vectorizer()) {}

  const ClassifyModel& model() const { return *model_; }
  // Computes a score for each label. Messages name `file`. Throws InputError if the features cannot
  // be weighted.
  void scores(const Example& example, const std::string& file, Scratch& scratch,
              std::vector<double>& scores) const;
  // p(y | x) from the scores. Throws UsageError for a model without probabilities.
  void probabilities(std::span<const double> scores, std::vector<double>& p) const;
  // The k best labels, best first; ties in the order of the labels.
  std::vector<Label> top(std::span<const double> scores, Index k) const;

 private:
  const ClassifyModel* model_;
  Vectorizer vectorizer_;
};

}  // namespace trellis::classify
