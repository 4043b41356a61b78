// Trees boosted on the functional gradient of RankMatch's loss (Friedman 2001, "Greedy function
// approximation: a gradient boosting machine"). With a score f_d for each document d, the loss of a
// list of M documents, best first, is
//
//   L(f) = log Σ_π exp Σ_k c_π(k) f_k − Σ_k c_k f_k ,
//
// and with μ_kj the probability that document k is at position j,
//
//   ∂L/∂f_k   = Σ_j c_j μ_kj − c_k                   mean of c at k's position, minus the true c
//   ∂²L/∂f_k² = Σ_j c_j² μ_kj − (Σ_j c_j μ_kj)²      its variance .
//
// Each round grows a tree on the sums of these over all lists, and moves by `rate` along it.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/queries/query.h"
#include "trellis/problem/ranking_model.h"
#include "trellis/structure/matchings/permutation.h"
#include "trellis/tasks/rank/tree_bins.h"
#include "trellis/tasks/rank/tree_grower.h"
#include "trellis/tasks/rank/trees.h"

namespace trellis::rank {

// The loss of lists as a function of the documents' scores.
class ListLoss {
 public:
  // The lists of a query must be consecutive, as from draw_subsets, and short enough for sums.
  // `lists` must outlive the object.
  ListLoss(const RankedLists& lists, std::span<const Query> queries);

  // Returns the sum over all lists and writes the slopes of all documents. The bits do not depend
  // on the number of threads.
  double evaluate(std::span<const double> scores, int threads, std::span<Slope> slopes) const;

 private:
  struct Scratch {
    Permutation::Scratch sums;
    std::vector<double> scores, marginals;
  };
  double add_list(Index i, std::span<const double> scores, Scratch& scratch,
                  std::span<Slope> slopes) const;

  const RankedLists& lists_;
  std::vector<Index> list_begin_ = {0};  // by query
};

struct BoostOptions {
  Index trees = 100;
  TreeShape shape;
  double rate = 0.2;
  Index bins = TreeBins::kMaxBins;  // maximum per feature
  int threads = 0;
};

// Grows fewer trees if no split lowers the loss any more. `indices`: the features that are columns.
Trees boost(std::span<const std::uint32_t> indices, std::span<const Query> queries,
            const RankedLists& lists, const BoostOptions& options);

}  // namespace trellis::rank
