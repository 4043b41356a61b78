// V independent yes/no parts: the set of labels of an instance, or of instances of a label.
//
//   s·z(y) = Σ_v s_v y_v,     y ∈ {0,1}^V,     Z = [0,1]^V
//
// maximize       the items with s_v > 0, so of several best sets the smallest. O(V)
// k_best         the k cheapest sets of changes to it, where item v costs |s_v|: a heap over sets
//                of the sorted costs, O(V log V + k (V + log k))
// log_partition  Σ_v log(1 + exp s_v), with marginals the logistic function 1 / (1 + exp(−s_v))
// project        clips to [0,1]
//
// Costs of sets that are not linear (F_β) come with their own maximiser:
// solve/measures/measure_argmax.h.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/measures/measure_argmax.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/structure.h"

namespace trellis {

struct LabelSetScratch {
  std::vector<double> values;    // exp(−|s_v|)
  MeasureArgmaxScratch measure;  // for models whose costs are set measures
  // A set of changes: those of `base` (if any) and the change `last`, by rank of cost.
  struct Change {
    double cost;
    double base_cost;
    Index base;
    Index last;
  };
  std::vector<Change> changes;
  std::vector<Index> heap, order;
};

class LabelSet {
 public:
  using Output = std::vector<Label>;  // 0 or 1 for each item
  using Scratch = LabelSetScratch;

  explicit LabelSet(Index num_items) : num_items_(num_items) {}

  Index num_items() const { return num_items_; }
  Index num_parts() const { return num_items_; }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const;
  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;
  double log_partition(std::span<const double> s, Scratch& scratch) const;
  double entropy(std::span<const double> s, Scratch& scratch) const;
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;
  void project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;
  LinearProgram linear_program() const;

 private:
  Index num_items_;
};

static_assert(Maximizer<LabelSet> && KBest<LabelSet> && Summer<LabelSet> && Sampler<LabelSet> &&
              Projector<LabelSet>);

}  // namespace trellis
