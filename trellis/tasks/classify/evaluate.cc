#include "trellis/tasks/classify/evaluate.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/classify/predict.h"

namespace trellis::classify {
namespace {

constexpr Index kShownCharacters = 240;

std::string beginning(const Example& example) {
  if (!example.text.empty()) {
    const std::string_view shown = utf8_prefix(example.text, kShownCharacters);
    return std::string(shown) + (shown.size() < example.text.size() ? " …" : "");
  }
  std::string text;
  for (const IndexedValue& value : example.values) {
    if (text.size() > kShownCharacters) return text + " …";
    if (!text.empty()) text += ' ';
    text += std::to_string(value.index);
  }
  return text;
}

}  // namespace

std::string Evaluation::to_json(Index confusions) const {
  nlohmann::json json = scores.to_json(confusions);
  json["unseen_labels"] = unseen_labels;
  return json.dump();
}

Evaluation evaluate(const ClassifyModel& model, InputFile file, const EvaluateOptions& options) {
  const std::string name = file.name();
  StreamOptions stream;
  stream.columns = options.columns;
  stream.labelled = true;
  stream.threads = options.threads;
  Evaluation evaluation;
  std::set<std::string> unseen;
  const auto judge = [&](const Example& example, const std::vector<double>& scores) {
    const std::string& predicted = model.labels()[static_cast<Index>(best_label(scores))];
    evaluation.scores.add(example.label, predicted);
    if (!model.has_label(example.label)) unseen.insert(example.label);
    if (example.label == predicted || evaluation.mistakes.size() >= options.max_mistakes) return;
    evaluation.mistakes.push_back({example.line, beginning(example), example.label, predicted});
  };
  if (classify_stream(Classifier(model), std::move(file), stream, judge) == 0) {
    throw InputError(name, 0, "there is no example in it");
  }
  evaluation.unseen_labels.assign(unseen.begin(), unseen.end());
  return evaluation;
}

}  // namespace trellis::classify
