#include "trellis/cli/label_run.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include "trellis/tasks/label/label_reader.h"
#include "trellis/tasks/label/labeller.h"

namespace trellis::cli {
LabelEvaluation evaluate_labels(const label::LabelModelParts& model, const std::string& file,
                                int threads, double beta) {
  label::ReadOptions options;
  options.label_names = model.label_names;
  options.add_labels = true;
  const label::LabelData data = label::read_label_data(file, options);
  label::LabelScorer scorer(data.label_names, beta);
  const Index num_labels = model.num_labels();
  // Labels that the model does not have keep the lowest score.
  std::vector<double> scores(data.num_labels(), -std::numeric_limits<double>::infinity());
  label::label_in_turn(model, data, threads, [&](Index begin, const label::Labelling& some) {
    for (Index i = 0; i < some.labels.size(); ++i) {
      const auto row = std::span(some.scores).subspan(i * num_labels, num_labels);
      std::copy(row.begin(), row.end(), scores.begin());
      scorer.add(data.labels[begin + i], some.labels[i], scores);
    }
  });
  LabelEvaluation evaluation;
  evaluation.scores = scorer.result();
  evaluation.unseen_labels.assign(
      data.label_names.begin() + static_cast<std::ptrdiff_t>(num_labels), data.label_names.end());
  return evaluation;
}

std::string training_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace trellis::cli
