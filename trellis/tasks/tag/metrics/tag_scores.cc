#include "trellis/tasks/tag/metrics/tag_scores.h"

#include <algorithm>

namespace trellis::tag {

namespace {

nlohmann::json figures(const MatchCounts& counts) {
  return {{"precision", counts.precision()},
          {"recall", counts.recall()},
          {"f1", counts.f1()},
          {"gold", counts.gold},
          {"found", counts.found},
          {"correct", counts.correct}};
}

}  // namespace

const std::vector<std::string_view>& LabelTexts::write(std::span<const Label> labels) {
  views_.clear();
  for (const Label label : labels) views_.push_back((*labels_)[static_cast<Index>(label)]);
  if (model_scheme_ == file_scheme_) return views_;
  convert_tags(views_, model_scheme_, file_scheme_, converted_);
  views_.assign(converted_.begin(), converted_.end());
  return views_;
}

void TagScores::add(std::span<const std::string_view> gold,
                    std::span<const std::string_view> predicted) {
  if (has_spans()) spans_.add(gold, predicted);
  confusion_.add(gold, predicted);
  ++num_sequences_;
  num_correct_sequences_ += std::equal(gold.begin(), gold.end(), predicted.begin()) ? 1U : 0U;
}

double TagScores::figure() const {
  return has_spans() ? spans_.overall().f1() : confusion_.accuracy();
}

nlohmann::json TagScores::to_json() const {
  nlohmann::json json;
  json["accuracy"] = confusion_.accuracy();
  json["tokens"] = confusion_.num_tokens();
  json["sequences"] = num_sequences_;
  json["correct_sequences"] = num_correct_sequences_;
  nlohmann::json rows = nlohmann::json::object();
  if (has_spans()) {
    json.update(figures(spans_.overall()));
    json["variant"] = "conlleval";
    for (const TypeCounts& type : spans_.by_type()) rows[type.type] = figures(type.counts);
    json["types"] = rows;
    return json;
  }
  const std::vector<LabelCounts> labels = confusion_.by_label();
  const double n = std::max<double>(1, static_cast<double>(labels.size()));
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  for (const LabelCounts& label : labels) {
    precision += label.counts.precision() / n;
    recall += label.counts.recall() / n;
    f1 += label.counts.f1() / n;
    rows[label.label] = figures(label.counts);
  }
  json["precision"] = precision;
  json["recall"] = recall;
  json["f1"] = f1;
  json["variant"] = "token macro-average";
  json["labels"] = rows;
  return json;
}

std::string TagScores::to_text() const {
  return has_spans() ? spans_.conlleval() : confusion_.table();
}

}  // namespace trellis::tag
