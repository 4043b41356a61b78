#include "trellis/tasks/tag/metrics/tag_scores.h"

#include <algorithm>

namespace trellis::tag {
namespace {

Value figures(const MatchCounts& counts) {
  return Value::record({{"precision", counts.precision()},
                        {"recall", counts.recall()},
                        {"f1", counts.f1()},
                        {"gold", counts.gold},
                        {"found", counts.found},
                        {"correct", counts.correct}});
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

UnseenLabels::UnseenLabels(std::span<const std::string> known, TagScheme file_scheme)
    : plain_(file_scheme == TagScheme::kPlain) {
  for (const std::string& label : known) known_.emplace(essence(label));
}

std::string_view UnseenLabels::essence(std::string_view label) const {
  return plain_ ? label : parse_tag(label).type;
}

void UnseenLabels::add(std::span<const std::string_view> labels) {
  for (const std::string_view label : labels) {
    if (!known_.contains(essence(label))) unseen_.emplace(label);
  }
}

void TagScores::add(std::span<const std::string_view> gold,
                    std::span<const std::string_view> predicted) {
  if (has_spans()) spans_.add(gold, predicted);
  confusion_.add(gold, predicted);
  ++num_sequences_;
  num_correct_sequences_ += std::equal(gold.begin(), gold.end(), predicted.begin()) ? 1U : 0U;
}

MatchCounts TagScores::overall() const {
  if (has_spans()) return spans_.overall();
  return {confusion_.num_tokens(), confusion_.num_tokens(), confusion_.num_correct_tokens()};
}

std::vector<LabelCounts> TagScores::by_type() const {
  return has_spans() ? spans_.by_type() : confusion_.by_label();
}

Value TagScores::record() const {
  Value rows = Value::record();
  for (const LabelCounts& type : by_type()) rows[type.label] = figures(type.counts);
  Value record;
  if (has_spans()) {
    record = figures(overall());
  } else {
    for (const char* figure : {"precision", "recall", "f1"}) {
      double mean = 0;
      for (const auto& [label, row] : rows.fields())
        mean += row.at(figure).get<double>() / static_cast<double>(rows.size());
      record[figure] = mean;
    }
  }
  record["variant"] = has_spans() ? "conlleval" : "token macro-average";
  record[has_spans() ? "types" : "labels"] = rows;
  record["accuracy"] = confusion_.accuracy();
  record["tokens"] = confusion_.num_tokens();
  record["sequences"] = num_sequences_;
  record["correct_sequences"] = num_correct_sequences_;
  return record;
}

std::string TagScores::to_text() const {
  return has_spans() ? spans_.conlleval() : confusion_.table();
}

}  // namespace trellis::tag
