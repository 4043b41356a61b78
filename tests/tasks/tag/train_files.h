// A training from files to a model file, as the program makes it, for tests that have files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trellis/tasks/tag/train.h"

namespace trellis::testing {

struct TrainFiles {
  std::vector<std::string> files;
  std::string dev;
  std::string model;
  std::string warm_start;
  tag::TrainingSetOptions data;
  tag::TrainOptions options;

  LearnerOptions& said() { return options.training.learner; }
};

struct FilesResult : tag::TrainResult {
  bool interrupted = false;
  Index best_epoch = 0;
  Index repaired_labels = 0;
  LearnSummary summary;
};

inline FilesResult train_files(TrainFiles run, const tag::FeatureTemplate& features,
                               const TrainEvents& events = {}) {
  if (!run.warm_start.empty()) {
    run.options.warm_start =
        std::make_shared<const tag::TagModel>(tag::TagModel::read(run.warm_start));
  }
  plan(run.options, run.data);
  run.data.threads = run.options.training.threads;
  std::optional<InputFile> dev;
  if (!run.dev.empty()) dev.emplace(run.dev);
  tag::TagData data = tag::read_tag_data(tag::open_files(run.files), std::move(dev), features,
                                         run.data, run.options.warm_start.get());
  const Index repaired = data.set.repaired_labels;
  tag::Trained trained = tag::train(std::move(data), run.options, events);
  FilesResult result;
  static_cast<tag::TrainResult&>(result) = std::move(trained.result);
  result.interrupted = result.learned.interrupted;
  result.best_epoch = result.learned.best_epoch;
  result.repaired_labels = repaired;
  result.summary = result.learned.fitted.summary;
  if (trained.model && !run.model.empty()) trained.model->write(run.model);
  if (trained.model) result.learned.stages->discard();
  return result;
}

}  // namespace trellis::testing
