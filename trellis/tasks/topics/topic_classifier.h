// A linear classifier of documents by their mixtures of topics: how much a representation of few
// numbers keeps of what tells the classes apart (Lacoste-Julien 2009, section 4.4.2.2).
//
// It is a model of tasks/classify, inside that of the topics, whose labels are the numbers of the
// classes.
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
  // Throws UsageError where the model's labels are no numbers of classes.
  TopicClassifier(NameList names, classify::ClassifyModel model);

  // Multiclass, by the hinge, with C chosen over folds of the documents. Row d of `mixtures` is
  // document d's; one whose label is kNoLabel is left out. Nothing where it was interrupted; throws
  // UsageError where fewer than two classes have documents.
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
  // The class of a document.
  Label predict(std::span<const double> mixture, Scratch& scratch) const;

  static void describe(ModelArchive& a, std::optional<TopicClassifier>& classifier);

 private:
  NameList names_;
  std::shared_ptr<const classify::ClassifyModel> model_;
  std::vector<Label> classes_;  // by label of the model
};

}  // namespace trellis::topics
