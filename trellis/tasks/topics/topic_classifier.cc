#include "trellis/tasks/topics/topic_classifier.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/text.h"
#include "trellis/problem/loss.h"
#include "trellis/tasks/classify/train.h"

namespace trellis::topics {
namespace {

// The format of `trellis topics predict --as libsvm`, with numbers as labels.
std::string libsvm_text(std::span<const double> mixtures, Index topics,
                        std::span<const Label> labels) {
  std::string text;
  for (Index d = 0; d < labels.size(); ++d) {
    if (labels[d] == kNoLabel) continue;
    fmt::format_to(std::back_inserter(text), "{}", labels[d]);
    for (Index k = 0; k < topics; ++k) {
      fmt::format_to(std::back_inserter(text), " {}:{:.9g}", k + 1, mixtures[d * topics + k]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

TopicClassifier::TopicClassifier(NameList names, classify::ClassifyModel model)
    : names_(std::move(names)),
      model_(std::make_shared<const classify::ClassifyModel>(std::move(model))) {
  for (const std::string& label : model_->labels()) {
    const std::optional<double> number = parse_double(label);
    if (!number || !(*number >= 0 && *number < static_cast<double>(names_.size()))) {
      throw UsageError("the classifier has a label that is not a class");
    }
    classes_.push_back(static_cast<Label>(*number));
  }
}

std::optional<TopicClassifier> TopicClassifier::train_svm(std::span<const double> mixtures,
                                                          Index topics,
                                                          std::span<const Label> labels,
                                                          NameList names, std::uint64_t seed,
                                                          int threads, const TrainEvents& events) {
  const std::string text = libsvm_text(mixtures, topics, labels);
  std::vector<InputFile> files;
  files.push_back(InputFile::from_bytes(text, "<mixtures>"));
  classify::DataOptions reading;
  reading.reader.format = classify::InputFormat::kLibsvm;
  const classify::ClassifyData data =
      classify::read_training_set(std::move(files), reading, threads);
  classify::TrainOptions options;
  options.training.learner.loss = Loss::named("svm");
  options.training.choose = true;
  options.training.seed = seed;
  options.training.threads = threads;
  // The classifier's epochs are not evaluations of topics.
  TrainEvents without_epochs = events;
  without_epochs.on_epoch = nullptr;
  classify::Trained trained = classify::train(data, nullptr, options, without_epochs);
  if (!trained.model || trained.result.learned.interrupted) return std::nullopt;
  return TopicClassifier(std::move(names), *std::move(trained.model));
}

Label TopicClassifier::predict(std::span<const double> mixture, Scratch& scratch) const {
  if (!scratch.classifier) scratch.classifier.emplace(*model_);
  scratch.example.clear();
  for (Index k = 0; k < mixture.size(); ++k) {
    const auto value = static_cast<float>(mixture[k]);
    if (value != 0) scratch.example.values.push_back({static_cast<std::uint32_t>(k + 1), value});
  }
  classify::Classifier(*model_).scores(scratch.example, "<mixture>", *scratch.classifier,
                                       scratch.scores);
  return classes_[static_cast<Index>(classify::best_label(scratch.scores))];
}

void TopicClassifier::describe(ModelArchive& a, std::optional<TopicClassifier>& classifier) {
  a.optional("classifier", classifier.has_value(), 1, [&] {
    std::span<const std::byte> file;
    NameView names;
    if (classifier) file = classifier->model_->bytes(), names = classifier->names_.view();
    a.array("classifier", file, {}, "a model file of kind classify");
    a.name_list("classifier", names, "of the classes");
    a.check([&] {
      classifier.emplace(NameList(names, a.name()),
                         classify::ClassifyModel::from_bytes(file, a.name() + ", its classifier"));
    });
  });
}

}  // namespace trellis::topics
