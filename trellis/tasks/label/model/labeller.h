// Prediction: the labels of instances under a model. Const: one model, many threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/sets/label_data.h"
#include "trellis/structure/sets/pairwise_label_set.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::label {

// The label sets of instances, one at a time; a scratch for each worker. The model must outlive it
// and be one that can be written.
class Labeller {
 public:
  struct Scratch {
    PairwiseLabelScratch pairwise;
    std::vector<double> parts;  // scores of labels, then those of pairs
    std::vector<Label> y;
  };

  explicit Labeller(const LabelModel& model);

  // Row i of `rows`, which are as scaled() makes them. scores[v] ← how far label v is above its
  // threshold; labels ← those that are given, ascending. Of several best label sets of a pairwise
  // model the smallest.
  void label(const FeatureRows& rows, Index i, Scratch& scratch, std::span<double> scores,
             std::vector<std::uint32_t>& labels) const;

 private:
  void best_set(std::span<const double> scores, Scratch& scratch,
                std::vector<std::uint32_t>& labels) const;
  void follow_chain(std::span<double> scores, std::vector<std::uint32_t>& labels) const;

  const LabelModel& model_;
  PairwiseLabelSet pairwise_;
};

struct Labelling {
  LabelSets labels;
  // [instance · V + label]: how far above its threshold; for chains, given what was given before.
  std::vector<double> scores;
};

// `rows` as scaled() makes them: the width of the weights.
Labelling predict_labels(const LabelModel& model, const FeatureRows& rows, int threads);

// So many are labelled in one go: fewer where the model has many labels or features.
Index instances_at_once(const LabelModel& model);
// For instances `begin` … of the data, some at a time and in their order: memory is bounded
// whatever the number of instances. `visit` is called by the caller's thread. Throws InputError as
// ModelRows.
using VisitLabelling = std::function<void(Index begin, const Labelling& labelling)>;
void label_in_turn(const LabelModel& model, const LabelData& data, int threads,
                   const VisitLabelling& visit);
// All of them at once.
Labelling label_instances(const LabelModel& model, const LabelData& data, int threads);

}  // namespace trellis::label
