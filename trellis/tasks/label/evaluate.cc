#include "trellis/tasks/label/evaluate.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "trellis/formats/sets/label_reader.h"
#include "trellis/tasks/label/model/labeller.h"
#include "trellis/tasks/label/model/model_rows.h"

namespace trellis::label {
namespace {

std::string unknown_features(const LabelModel& model, const LabelData& data) {
  if (data.declares_features || data.num_features() == 0) return {};  // ModelRows checks those
  const ModelRows rows(model, data);
  return rows.num_known() > 0 ? std::string() : rows.none_known(data.feature_names.front());
}

LabelData read_for(const LabelModel& model, InputFile file) {
  ReadOptions options;
  options.label_names = model.label_names;
  options.add_labels = true;
  return read_label_data(std::move(file), options);
}

// Calls visit(instance, labels, scores) for each instance in order. Labels that the model does not
// have keep the lowest score.
template <class Visit>
void label_each(const LabelModel& model, const LabelData& data, int threads, const Visit& visit) {
  const Index num_labels = model.num_labels();
  std::vector<double> scores(data.num_labels(), -std::numeric_limits<double>::infinity());
  label_in_turn(model, data, threads, [&](Index begin, const Labelling& some) {
    for (Index i = 0; i < some.labels.size(); ++i) {
      const auto row = std::span(some.scores).subspan(i * num_labels, num_labels);
      std::copy(row.begin(), row.end(), scores.begin());
      visit(begin + i, some.labels[i], std::span<const double>(scores));
    }
  });
}

}  // namespace

Value Evaluation::record() const {
  Value record = scores.record();
  record["unseen_labels"] = unseen_labels;
  return record;
}

Evaluation evaluate(const LabelModel& model, InputFile file, int threads, double beta) {
  const LabelData data = read_for(model, std::move(file));
  LabelScorer scorer(data.label_names, beta);
  label_each(model, data, threads,
             [&](Index i, std::span<const std::uint32_t> labels, std::span<const double> scores) {
               scorer.add(data.labels[i], labels, scores);
             });
  Evaluation evaluation;
  evaluation.warning = unknown_features(model, data);
  evaluation.scores = scorer.result();
  evaluation.unseen_labels.assign(
      data.label_names.begin() + static_cast<std::ptrdiff_t>(model.num_labels()),
      data.label_names.end());
  return evaluation;
}

Evaluation evaluate(const JudgedSets& sets, double beta) {
  return {
      score_label_sets(sets.label_names, sets.truth, sets.predicted, sets.scores, beta), {}, {}};
}

JudgedSets judged_sets(const LabelModel& model, InputFile file, int threads) {
  const LabelData data = read_for(model, std::move(file));
  JudgedSets sets{data.label_names, data.labels, {}, {}};
  label_each(model, data, threads,
             [&](Index, std::span<const std::uint32_t> labels, std::span<const double> scores) {
               sets.predicted.append(labels);
               sets.scores.insert(sets.scores.end(), scores.begin(), scores.end());
             });
  return sets;
}

}  // namespace trellis::label
