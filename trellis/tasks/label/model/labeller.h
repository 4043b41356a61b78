// Predicts the labels of instances with a model. Const: threads can share a model.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/sets/label_data.h"
#include "trellis/structure/sets/pairwise_label_set.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::label {

// Labels one instance at a time, with a scratch for each thread. The model must outlive the object
// and be complete enough to be written.
class Labeller {
 public:
  struct Scratch {
    PairwiseLabelScratch pairwise;
    std::vector<double> parts;  // scores of labels, then those of pairs
    std::vector<Label> y;
  };

  explicit Labeller(const LabelModel& model);

  // Labels row i of `rows`, which come from scaled(). scores[v] ← score of label v minus its
  // threshold; labels ← the assigned labels, ascending. If several label sets of a pairwise model
  // are best, the smallest.
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
  // [instance · V + label]: score minus threshold; for chains, given the labels assigned before.
  std::vector<double> scores;
};

// `rows` come from scaled(), with the width of the weights.
Labelling predict_labels(const LabelModel& model, const FeatureRows& rows, int threads);

// Size of a batch: smaller for models with many labels or features.
Index instances_at_once(const LabelModel& model);
// Labels the instances from `begin` on in batches, in order, so that memory is bounded for any
// number of instances. `visit` is called on the caller's thread. Throws InputError like ModelRows.
using VisitLabelling = std::function<void(Index begin, const Labelling& labelling)>;
void label_in_turn(const LabelModel& model, const LabelData& data, int threads,
                   const VisitLabelling& visit);
// Labels all of them at once.
Labelling label_instances(const LabelModel& model, const LabelData& data, int threads);

}  // namespace trellis::label
