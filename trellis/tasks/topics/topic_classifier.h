// A linear classifier of documents by their mixtures of topics. Its error measures how much
// information about classes the mixtures keep (Lacoste-Julien 2009, section 4.4.2.2).
//
// It is a model of tasks/classify inside the topic model; its labels are the numbers of classes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/classify/classifier.h"
#include "trellis/tasks/classify/classify_model.h"

namespace trellis::topics {

enum class ClassifierKind { kNone, kSvm };
constexpr auto names_of(ClassifierKind) {
  return Names{"classifier", "none", "svm"};
}

class TopicClassifier {
 public:
  // Throws UsageError if the model's labels are not numbers of classes.
  TopicClassifier(NameList names, classify::ClassifyModel model);

  // A multiclass SVM, with C chosen over folds of the documents. Row d of `mixtures` is document
  // d's; documents with the label kNoLabel are left out. Empty if interrupted; throws UsageError if
  // fewer than two classes have documents.
  static std::optional<TopicClassifier> train_svm(std::span<const double> mixtures, Index topics,
                                                  std::span<const Label> labels, NameList names,
                                                  std::uint64_t seed, int threads,
                                                  const TrainEvents& events);

  const NameList& names() const { return names_; }
  const classify::ClassifyModel& model() const { return *model_; }

  struct Scratch {
    std::optional<classify::Classifier::Scratch> classifier;
    classify::Example example;
    std::vector<double> scores;
  };
  // Predicts the class of a document.
  Label predict(std::span<const double> mixture, Scratch& scratch) const;

  static void describe(ModelArchive& a, std::optional<TopicClassifier>& classifier);

 private:
  NameList names_;
  std::shared_ptr<const classify::ClassifyModel> model_;
  std::vector<Label> classes_;  // by label of the classifier
};

}  // namespace trellis::topics
