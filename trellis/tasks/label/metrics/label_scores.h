// Scores of predicted label sets (Tsoumakas, Katakis & Vlahavas 2010), with the conventions of
// solve/measures/set_measure.h: F of two empty sets is 1. Labels without a true instance have a
// large influence on a macro mean, so each macro score has two versions: over all labels, and over
// those that occur in the truth ("present"). All are fractions, not percent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/sets/label_data.h"
#include "trellis/tasks/label/metrics/measure.h"

namespace trellis::label {

struct PrecisionRecall {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  double f_beta = 0;  // for the given β
};

struct LabelRow {
  std::string label;
  SetCounts counts;
  PrecisionRecall figures;
};

struct LabelScores {
  Index instances = 0;
  double beta = 1;
  PrecisionRecall macro, macro_present, micro, example;
  double hamming = 0;  // the share of wrong instance–label pairs
  double subset_accuracy = 0;
  std::optional<double> ranking_loss;  // if scores are given
  std::vector<LabelRow> labels;

  Index num_present() const;  // labels that occur in the truth

  // Keys: macro_f1 micro_f1 example_f1 hamming subset_accuracy ranking_loss …, and `labels`.
  Value record() const;
  // The means, the losses, and a row for each label. If there are more than `max_labels`: rows for
  // the most frequent true labels, in the model's order, and the number of labels not shown.
  std::string to_text(Index max_labels) const;
};

// Adds up scores instance by instance; memory depends only on the number of labels.
class LabelScorer {
 public:
  // Throws UsageError if there are no names, or beta is not positive and finite.
  explicit LabelScorer(std::vector<std::string> names, double beta = 1);

  // Sets are ascending. `scores` has a number for each label, for all instances, or is always
  // empty. Throws UsageError for invalid arguments.
  void add(std::span<const std::uint32_t> truth, std::span<const std::uint32_t> predicted,
           std::span<const double> scores = {});
  // Throws UsageError if there are no instances.
  LabelScores result() const;

 private:
  SetCounts compare(std::span<const std::uint32_t> truth, std::span<const std::uint32_t> predicted);
  void check(std::span<const std::uint32_t> set) const;
  void add_ranking(std::span<const std::uint32_t> truth, std::span<const double> scores);

  std::vector<std::string> names_;
  double beta_;
  std::vector<SetCounts> labels_;  // over the instances so far, for each label
  SetCounts all_;
  PrecisionRecall example_;  // sums
  Index instances_ = 0;
  Index exact_ = 0;
  Index ranked_ = 0;
  double ranking_loss_ = 0;
  std::vector<double> relevant_;  // scratch: the scores of an instance's labels
};

// `scores` has a row of names.size() numbers for each instance, or is empty.
LabelScores score_label_sets(const std::vector<std::string>& names, const LabelSets& truth,
                             const LabelSets& predicted, std::span<const double> scores = {},
                             double beta = 1);

// The score by a measure, higher is better (hamming: 1 − the loss).
double figure(const LabelScores& scores, const Measure& measure);
// The name of that score; "hamming" always means the loss, so its name is "1 - hamming".
std::string figure_name(const Measure& measure);
// The score as reported under the measure's own name: for hamming, the loss.
double quoted(double figure, const Measure& measure);

}  // namespace trellis::label
