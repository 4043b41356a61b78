// Scores of predicted labels: spans as in conlleval, tokens, and confusions.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/columns/tag_scheme.h"
#include "trellis/scorers/confusion.h"
#include "trellis/scorers/conlleval.h"
#include "trellis/scorers/match_counts.h"

namespace trellis::tag {

// The model's labels as texts in the tag scheme of its files.
class LabelTexts {
 public:
  LabelTexts(const std::vector<std::string>& labels, TagScheme model_scheme, TagScheme file_scheme)
      : labels_(&labels), model_scheme_(model_scheme), file_scheme_(file_scheme) {}

  // The views are valid until the next call.
  const std::vector<std::string_view>& write(std::span<const Label> labels);

 private:
  const std::vector<std::string>* labels_;
  TagScheme model_scheme_;
  TagScheme file_scheme_;
  std::vector<std::string> converted_;
  std::vector<std::string_view> views_;
};

// Collects the labels of a file that are unknown. For spans only the type counts: a label in the
// file's scheme may correspond to several of the model's.
class UnseenLabels {
 public:
  UnseenLabels(std::span<const std::string> known, TagScheme file_scheme);
  void add(std::span<const std::string_view> labels);
  std::vector<std::string> list() const { return {unseen_.begin(), unseen_.end()}; }  // no repeats

 private:
  std::string_view essence(std::string_view label) const;

  bool plain_;
  std::set<std::string, std::less<>> known_;
  std::set<std::string, std::less<>> unseen_;
};

// The dev metric in percent: F1 of spans, or token accuracy for plain labels.
inline double watched_figure(TagScheme scheme, const MatchCounts& overall) {
  return scheme == TagScheme::kPlain ? overall.recall() : overall.f1();
}
constexpr std::string_view watched_name(TagScheme scheme) {
  return scheme == TagScheme::kPlain ? "accuracy" : "f1";
}

class TagScores {
 public:
  explicit TagScores(TagScheme scheme) : scheme_(scheme) {}

  void add(std::span<const std::string_view> gold, std::span<const std::string_view> predicted);

  bool has_spans() const { return scheme_ != TagScheme::kPlain; }
  const SpanMetrics& spans() const { return spans_; }
  const Confusion& confusion() const { return confusion_; }
  Index num_sequences() const { return num_sequences_; }
  Index num_correct_sequences() const { return num_correct_sequences_; }

  // Over spans; for plain labels, which are their own types, over tokens.
  MatchCounts overall() const;
  std::vector<LabelCounts> by_type() const;
  double figure() const { return watched_figure(scheme_, overall()); }
  std::string_view figure_name() const { return watched_name(scheme_); }
  // accuracy, precision, recall, f1 in percent (for plain labels: macro-averages over labels), and
  // a table by type or label.
  Value record() const;
  std::string to_text() const;  // as from conlleval, or a table of labels

 private:
  TagScheme scheme_;
  SpanMetrics spans_;
  Confusion confusion_;
  Index num_sequences_ = 0;
  Index num_correct_sequences_ = 0;
};

}  // namespace trellis::tag
