#include "trellis/tasks/label/evaluate.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "trellis/tasks/label/model/labeller.h"
#include "trellis/tasks/label/model/model_rows.h"
#include "trellis/tasks/label/reading/label_reader.h"

namespace trellis::label {
namespace {

std::string unknown_features(const LabelModel& model, const LabelData& data) {
  if (data.declares_features || data.num_features() == 0) return {};  // the first: an error then
  const ModelRows rows(model, data);
  return rows.num_known() > 0 ? std::string() : rows.none_known(data.feature_names.front());
}

}  // namespace

std::string Evaluation::to_json() const {
  nlohmann::json json = scores.to_json();
  json["unseen_labels"] = unseen_labels;
  return json.dump();
}

Evaluation evaluate(const LabelModel& model, InputFile file, int threads, double beta) {
  ReadOptions options;
  options.label_names = model.label_names;
  options.add_labels = true;
  const LabelData data = read_label_data(std::move(file), options);
  LabelScorer scorer(data.label_names, beta);
  const Index num_labels = model.num_labels();
  // Labels that the model does not have keep the lowest score.
  std::vector<double> scores(data.num_labels(), -std::numeric_limits<double>::infinity());
  label_in_turn(model, data, threads, [&](Index begin, const Labelling& some) {
    for (Index i = 0; i < some.labels.size(); ++i) {
      const auto row = std::span(some.scores).subspan(i * num_labels, num_labels);
      std::copy(row.begin(), row.end(), scores.begin());
      scorer.add(data.labels[begin + i], some.labels[i], scores);
    }
  });
  Evaluation evaluation;
  evaluation.warning = unknown_features(model, data);
  evaluation.scores = scorer.result();
  evaluation.unseen_labels.assign(
      data.label_names.begin() + static_cast<std::ptrdiff_t>(num_labels), data.label_names.end());
  return evaluation;
}

}  // namespace trellis::label
