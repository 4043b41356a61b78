// How good predicted labels are: spans as conlleval counts them, tokens, and what is confused.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/metrics/confusion.h"
#include "trellis/tasks/tag/metrics/span_metrics.h"
#include "trellis/tasks/tag/reading/tag_scheme.h"

namespace trellis::tag {

// Labels of the model as texts of the scheme that its files are written in.
class LabelTexts {
 public:
  LabelTexts(const std::vector<std::string>& labels, TagScheme model_scheme, TagScheme file_scheme)
      : labels_(&labels), model_scheme_(model_scheme), file_scheme_(file_scheme) {}

  // The views live until the next call.
  const std::vector<std::string_view>& write(std::span<const Label> labels);

 private:
  const std::vector<std::string>* labels_;
  TagScheme model_scheme_;
  TagScheme file_scheme_;
  std::vector<std::string> converted_;
  std::vector<std::string_view> views_;
};

class TagScores {
 public:
  explicit TagScores(TagScheme scheme) : scheme_(scheme) {}

  void add(std::span<const std::string_view> gold, std::span<const std::string_view> predicted);

  bool has_spans() const { return scheme_ != TagScheme::kPlain; }
  const SpanMetrics& spans() const { return spans_; }
  const Confusion& confusion() const { return confusion_; }
  Index num_sequences() const { return num_sequences_; }
  Index num_correct_sequences() const { return num_correct_sequences_; }

  // The figure that training watches, in percent: F1 of spans, or token accuracy for plain labels.
  double figure() const;
  std::string_view figure_name() const { return has_spans() ? "f1" : "accuracy"; }
  // accuracy, precision, recall, f1 in percent (for plain labels: macro-averages over the labels),
  // and a table by type or label.
  nlohmann::json to_json() const;
  std::string to_text() const;  // conlleval's output, or a table of labels

 private:
  TagScheme scheme_;
  SpanMetrics spans_;
  Confusion confusion_;
  Index num_sequences_ = 0;
  Index num_correct_sequences_ = 0;
};

}  // namespace trellis::tag
