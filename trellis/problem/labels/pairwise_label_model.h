// The part model of submodular multi-label learning (Petterson & Caetano 2011; Petterson 2011,
// chapter 4): instances x with sets of labels that attract each other in pairs,
//
//   s_v = ⟨x, θ_v⟩,     s_vw = c C_vw θ²_vw ≥ 0
//
// where C_vw ≥ 0 says how often v and w occur together and c scales all pairs against the labels.
// Weights: θ_v of feature k at [k·V + v], then one θ²_vw ≥ 0 for each pair (nonnegative()).
//
// The cost is the loss of a set measure, which is not linear in the parts, so the model brings its
// own maximiser (solve/measures/pairwise_measure_argmax.h): Algorithm 5, which may miss the
// optimum, or the exact search within limits. Whatever is found is an output, so its cut is valid,
// and so is the lower bound of a learner; but L_i(w) is underestimated where the optimum was
// missed. Hence this is a CostSearcher (part_model.h), whose certificates come from upper bounds,
// by the search within limits whatever the generator is. Besides
//
//   loss_bounds()   value ≤ L_i(w) ≤ upper          for one instance
//   risk_bounds()   their means
//
// and statistics of all calls since the last reset: sums of whole numbers, which do not depend on
// the order of the calls or the number of threads.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/oracle/oracle.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/solve/measures/pairwise_measure_argmax.h"
#include "trellis/solve/measures/set_measure.h"
#include "trellis/structure/sets/pairwise_label_set.h"

namespace trellis {

// Sets of labels: those of instance i are ids[begin[i]] … ids[begin[i + 1] − 1], ascending.
struct LabelSetView {
  std::span<const std::uint64_t> begin;
  std::span<const std::uint32_t> ids;

  Index size() const { return begin.empty() ? 0 : begin.size() - 1; }
  std::span<const std::uint32_t> operator[](Index i) const {
    return ids.subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

// Pairs of labels v < w, and C_vw: the share of the instances that have both.
struct LabelPairs {
  std::vector<NodePair> pairs;
  std::vector<double> frequency;
};

// The most frequent pairs: as many as `fraction` (in [0, 1]) of all V (V − 1)/2, rounded down, and
// none that never occurs. Of equally frequent ones the first by their labels. The pairs are listed
// by their labels. Throws UsageError for a label that does not exist, and another fraction.
LabelPairs frequent_label_pairs(const LabelSetView& sets, Index num_labels, double fraction);

enum class PairwiseGenerator { kAlgorithm5, kExact };

struct PairwiseLabelOptions {
  SetMeasure measure;
  double coupling_scale = 1;  // c ≥ 0
  PairwiseGenerator generator = PairwiseGenerator::kExact;
  PairwiseSearchLimits limits;  // of kExact, and of upper bounds
  // Run Algorithm 6 after each Algorithm 5, for the statistics alone.
  bool count_certified = false;
};

struct PairwiseStatistics {
  std::uint64_t calls = 0;
  std::uint64_t certified = 0;    // by Algorithm 6, if it was asked
  std::uint64_t improved = 0;     // kExact: Algorithm 5 was not optimal
  std::uint64_t proven = 0;       // the bound of the answer is its value
  std::uint64_t cuts = 0;         // minimum cuts
  std::uint64_t subproblems = 0;  // of branch and bound
  double remaining = 0;           // Σ bound − value, in steps of 2⁻³²
};

struct RiskBounds {
  double value = 0;
  double upper = 0;
  double proven = 0;  // the share of instances whose value is proven
};

class PairwiseLabelModel {
 public:
  using Structure = PairwiseLabelSet;
  using Output = PairwiseLabelSet::Output;
  struct Workspace {
    PairwiseMeasureArgmax argmax;
    std::vector<double> scores;  // of loss_bounds()
    Output output;               // of a search for a bound alone
  };

  // `rows` (a constant feature included, where one is wanted) must outlive the model and has a row
  // for each set. Throws UsageError for what does not fit together.
  PairwiseLabelModel(const FeatureRows& rows, const LabelSetView& sets, Index num_labels,
                     LabelPairs pairs, const PairwiseLabelOptions& options);
  PairwiseLabelModel(const PairwiseLabelModel&) = delete;  // structures point into it
  PairwiseLabelModel& operator=(const PairwiseLabelModel&) = delete;

  Index num_examples() const { return gold_.size(); }
  Index dimension() const { return first_pair_weight() + pairs_.pairs.size(); }
  Index num_labels() const { return num_labels_; }
  Index first_pair_weight() const { return rows_->width() * num_labels_; }
  std::span<const NodePair> pairs() const { return pairs_.pairs; }
  // A_vw of each pair under the weights w.
  std::vector<double> couplings(std::span<const double> w) const;
  std::span<const WeightRange> nonnegative() const {
    return std::span(nonnegative_).first(pairs_.pairs.empty() ? 0 : 1);
  }

  double example_weight(Index) const { return 1; }
  PairwiseLabelSet structure(Index) const { return structure_; }
  const Output& gold(Index i) const { return gold_[i]; }
  void scores(Index i, std::span<const double> w, std::span<double> s) const;
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const;
  // The generator's output, or y_i itself where that is better.
  double search_augmented(Index i, double gamma, std::span<const double> s,
                          PairwiseLabelScratch& scratch, Workspace& workspace, Output& y) const;
  // The same, and the bound of the exact search within the limits. With Algorithm 5 that is one
  // more search, which is for the bound alone and not counted.
  MaximumBounds bound_augmented(Index i, double gamma, std::span<const double> s,
                                PairwiseLabelScratch& scratch, Workspace& workspace,
                                Output& y) const;

  // By the exact search within `limits`, whatever the generator is.
  LossBounds loss_bounds(Index i, double gamma, std::span<const double> w,
                         const PairwiseSearchLimits& limits, Workspace& workspace) const;
  // The same bits for any number of threads (unless limits.seconds is set).
  RiskBounds risk_bounds(double gamma, std::span<const double> w,
                         const PairwiseSearchLimits& limits, int threads) const;

  PairwiseStatistics statistics() const;
  void reset_statistics();

 private:
  struct Counters {
    std::atomic<std::uint64_t> calls = 0, certified = 0, improved = 0, proven = 0, cuts = 0,
                               subproblems = 0, remaining = 0;
  };

  PairwiseMeasureProblem problem(Index i, double gamma, std::span<const double> s) const;
  PairwiseMeasureAnswer generate(Index i, double gamma, std::span<const double> s,
                                 Workspace& workspace, Output& y) const;
  void prefer_truth(Index i, std::span<const double> s, const PairwiseMeasureArgmax& argmax,
                    PairwiseMeasureAnswer& answer, Output& y) const;
  // The bound of an answer: the value itself where that is proven.
  static double upper(const PairwiseMeasureAnswer& answer);
  void count(const PairwiseMeasureAnswer& answer) const;

  const FeatureRows* rows_;
  Index num_labels_;
  LabelPairs pairs_;
  PairwiseLabelOptions options_;
  PairwiseLabelSet structure_;
  std::vector<Output> gold_;
  std::array<WeightRange, 1> nonnegative_;
  mutable Counters counters_;
};

static_assert(SearchModel<PairwiseLabelModel> && !HingeModel<PairwiseLabelModel>);

}  // namespace trellis
