// Small training sets for the tests of the classifier.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/tasks/classify/train.h"

namespace trellis::classify::testing {

inline constexpr std::string_view kTinyText =
    "fruit\tApples and pears\n"
    "fruit\tpears, plums; ripe pears\n"
    "tools\ta hammer and a saw\n"
    "tools\tthe saw is sharp\n"
    "birds\tthe wren and the robin\n"
    "birds\trobin, robin, wren\n"
    "birds\t\n";

inline constexpr std::string_view kTinyVectors =
    "1 1:1 3:0.5\n"
    "1 1:0.8 4:1\n"
    "-1 2:1 3:0.4\n"
    "-1 2:0.7\n"
    "2 5:1 1:0.1\n"
    "2 5:0.9\n";

inline InputFile input(std::string_view content, std::string name = "tiny") {
  return InputFile::from_bytes(content, std::move(name));
}

inline ClassifyData data_of(std::string_view content, const DataOptions& options = {}) {
  std::vector<InputFile> files;
  files.push_back(input(content));
  return read_training_set(std::move(files), options);
}

inline TrainOptions options_for(std::string_view learner = {}, std::string_view loss = {}) {
  TrainOptions options;
  options.training.threads = 1;
  if (!learner.empty()) options.training.learner.learner = parse_learner(learner);
  if (!loss.empty()) options.training.learner.loss = Loss::named(loss);
  return options;
}

inline TrainOptions naive_bayes() {
  TrainOptions options = options_for();
  options.naive_bayes = true;
  return options;
}

inline Trained train_on(std::string_view content, const TrainOptions& options) {
  DataOptions data;
  data.counts = options.naive_bayes && !options.complement;
  return train(data_of(content, data), nullptr, options);
}

inline std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace trellis::classify::testing
