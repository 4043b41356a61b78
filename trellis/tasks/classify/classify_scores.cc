#include "trellis/tasks/classify/classify_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "trellis/base/text.h"

namespace trellis::classify {
namespace {

std::string padded(const std::string& text, Index width) {
  const Index length = utf8_length(text);
  return length < width ? text + std::string(width - length, ' ') : text;
}

}  // namespace

void ClassifyScores::add(std::string_view gold, std::string_view predicted) {
  confusion_.add(std::span(&gold, 1), std::span(&predicted, 1));
}

double ClassifyScores::macro_f1() const {
  const std::vector<tag::LabelCounts> labels = confusion_.by_label();
  double sum = 0;
  for (const tag::LabelCounts& label : labels) sum += label.counts.f1();
  return labels.empty() ? 0 : sum / static_cast<double>(labels.size());
}

Value ClassifyScores::record(Index confusions) const {
  Value record;
  record["accuracy"] = accuracy();
  record["error"] = error();
  record["macro_f1"] = macro_f1();
  record["examples"] = num_examples();
  record["correct"] = num_correct();
  Value labels = Value::record();
  for (const tag::LabelCounts& label : confusion_.by_label()) {
    labels[label.label] = Value::record({{"precision", label.counts.precision()},
                                         {"recall", label.counts.recall()},
                                         {"f1", label.counts.f1()},
                                         {"gold", label.counts.gold},
                                         {"predicted", label.counts.found},
                                         {"correct", label.counts.correct}});
  }
  record["labels"] = std::move(labels);
  record["confusions"] = Value::list();
  for (const tag::ConfusedPair& pair : confusion_.most_confused(confusions)) {
    record["confusions"].push_back(
        Value::record({{"gold", pair.gold}, {"predicted", pair.predicted}, {"count", pair.count}}));
  }
  return record;
}

std::string ClassifyScores::to_text(Index confusions) const {
  std::string text = fmt::format(
      "{} examples; correct: {}\naccuracy {:.2f} %, error {:.2f} %, "
      "macro-F1 {:.2f} %\n",
      num_examples(), num_correct(), accuracy(), error(), macro_f1());
  const std::vector<tag::LabelCounts> labels = confusion_.by_label();
  Index width = 5;
  for (const tag::LabelCounts& label : labels) width = std::max(width, utf8_length(label.label));
  text += fmt::format("\n{}  precision   recall       F1     gold\n", padded("label", width));
  for (const tag::LabelCounts& label : labels) {
    text += fmt::format("{}  {:9.2f}  {:7.2f}  {:7.2f}  {:7}\n", padded(label.label, width),
                        label.counts.precision(), label.counts.recall(), label.counts.f1(),
                        label.counts.gold);
  }
  const std::vector<tag::ConfusedPair> mistakes = confusion_.most_confused(confusions);
  if (!mistakes.empty()) text += "\nmost common mistakes (gold → predicted)\n";
  for (const tag::ConfusedPair& pair : mistakes) {
    text += fmt::format("{:7}  {} → {}\n", pair.count, pair.gold, pair.predicted);
  }
  return text;
}

}  // namespace trellis::classify
