// Classifying: from an example to scores, a label, probabilities. Const: one classifier, many
// threads, a scratch each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/example.h"

namespace trellis::classify {

// The highest score; the first of equals.
Label best_label(std::span<const double> scores);

class Classifier {
 public:
  struct Scratch {
    explicit Scratch(const ClassifyModel& model) : vector(model.features()) {}
    Vectorizer::Scratch vector;
  };

  // The model must outlive the classifier.
  explicit Classifier(const ClassifyModel& model)
      : model_(&model), vectorizer_(model.vectorizer()) {}

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
