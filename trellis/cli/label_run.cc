#include "trellis/cli/label_run.h"

#include <limits>
#include <utility>

#include "trellis/tasks/label/label_reader.h"
#include "trellis/tasks/label/labeller.h"

namespace trellis::cli {
namespace {

// Scores of the model's labels, with the lowest possible ones for labels that it does not have.
std::vector<double> widened(const std::vector<double>& scores, Index from, Index to) {
  const Index num_instances = scores.size() / from;
  std::vector<double> wide(num_instances * to, -std::numeric_limits<double>::infinity());
  for (Index i = 0; i < num_instances; ++i) {
    for (Index v = 0; v < from; ++v) wide[i * to + v] = scores[i * from + v];
  }
  return wide;
}

}  // namespace

LabelEvaluation evaluate_labels(const label::LabelModelParts& model, const std::string& file,
                                int threads, double beta) {
  label::ReadOptions options;
  options.label_names = model.label_names;
  options.add_labels = true;
  const label::LabelData data = label::read_label_data(file, options);
  label::Labelling labelling = label::label_instances(model, data, threads);
  LabelEvaluation evaluation;
  for (Index v = model.num_labels(); v < data.num_labels(); ++v) {
    evaluation.unseen_labels.push_back(data.label_names[v]);
  }
  if (!evaluation.unseen_labels.empty()) {
    labelling.scores = widened(labelling.scores, model.num_labels(), data.num_labels());
  }
  evaluation.scores = label::score_label_sets(data.label_names, data.labels, labelling.labels,
                                              labelling.scores, beta);
  return evaluation;
}

std::string training_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace trellis::cli
