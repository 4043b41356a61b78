// How good predicted label sets are (Tsoumakas, Katakis & Vlahavas 2010). Conventions of
// solve/measures/set_measure.h: F of empty against empty is 1. Labels without an instance in the
// truth have a large say in a macro mean, so macro figures are told twice: over all labels, and
// over those that occur in the truth ("present"). All figures are fractions, not percent.
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
  double f_beta = 0;  // of the β that was asked for
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
  double hamming = 0;  // a loss: the share of instance–label pairs that are wrong
  double subset_accuracy = 0;
  std::optional<double> ranking_loss;  // where scores are given
  std::vector<LabelRow> labels;

  Index num_present() const;  // labels that occur in the truth

  // Keys: macro_f1 micro_f1 example_f1 hamming subset_accuracy ranking_loss …, and `labels`.
  Value record() const;
  // The means, the losses, and a row for each label; with more than `max_labels` of them those that
  // occur most in the truth, in the order of the model, and how many are not shown.
  std::string to_text(Index max_labels) const;
};

// Adds up instance by instance, in memory that grows with the number of labels alone.
class LabelScorer {
 public:
  // Throws UsageError for no name, and for a beta that is not positive and finite.
  explicit LabelScorer(std::vector<std::string> names, double beta = 1);

  // Sets ascend. `scores` has a number for each label, or is empty: for all instances or for none.
  // Throws UsageError for what does not fit.
  void add(std::span<const std::uint32_t> truth, std::span<const std::uint32_t> predicted,
           std::span<const double> scores = {});
  // Throws UsageError where nothing was added.
  LabelScores result() const;

 private:
  SetCounts compare(std::span<const std::uint32_t> truth, std::span<const std::uint32_t> predicted);
  void check(std::span<const std::uint32_t> set) const;
  void add_ranking(std::span<const std::uint32_t> truth, std::span<const double> scores);

  std::vector<std::string> names_;
  double beta_;
  std::vector<SetCounts> labels_;  // of each label over the instances so far; but for `items`
  SetCounts all_;
  PrecisionRecall example_;  // sums
  Index instances_ = 0;
  Index exact_ = 0;
  Index ranked_ = 0;
  double ranking_loss_ = 0;
  std::vector<double> relevant_;  // memory: the scores of the labels of an instance
};

// `scores` has a row of names.size() numbers for each instance, or is empty.
LabelScores score_label_sets(const std::vector<std::string>& names, const LabelSets& truth,
                             const LabelSets& predicted, std::span<const double> scores = {},
                             double beta = 1);

// The figure that a measure stands for, higher is better (hamming: 1 − the loss).
double figure(const LabelScores& scores, const Measure& measure);
// What such a figure is called, as "hamming" always means the loss: "1 - hamming".
std::string figure_name(const Measure& measure);
// The figure as it is quoted under the measure's own name: hamming as the loss.
double quoted(double figure, const Measure& measure);

}  // namespace trellis::label
