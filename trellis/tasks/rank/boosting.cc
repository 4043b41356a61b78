#include "trellis/tasks/rank/boosting.h"

#include <algorithm>

#include "trellis/base/parallel.h"

namespace trellis::rank {

ListLoss::ListLoss(const RankedLists& lists, std::span<const Query> queries) : lists_(lists) {
  Index documents = 0;
  Index list = 0;
  for (const Query& query : queries) {
    documents += query.num_documents();
    while (list < lists.size() && lists[list][0] < documents) ++list;
    list_begin_.push_back(list);
  }
}

double ListLoss::add_list(Index i, std::span<const double> scores, Scratch& scratch,
                          std::span<Slope> slopes) const {
  const auto documents = lists_[i];
  const std::vector<double>& c = lists_.c[lists_.positions[i]];
  const Index m = documents.size();
  scratch.scores.resize(m * m);
  scratch.marginals.resize(m * m);
  double truth = 0;
  for (Index k = 0; k < m; ++k) {
    const double f = scores[documents[k]];
    for (Index j = 0; j < m; ++j) scratch.scores[k * m + j] = c[j] * f;
    truth += c[k] * f;
  }
  const double log_sum =
      Permutation(m).log_partition(scratch.scores, scratch.sums, scratch.marginals);
  for (Index k = 0; k < m; ++k) {
    double mean = 0;
    double square = 0;
    for (Index j = 0; j < m; ++j) {
      mean += c[j] * scratch.marginals[k * m + j];
      square += c[j] * c[j] * scratch.marginals[k * m + j];
    }
    slopes[documents[k]].gradient += mean - c[k];
    slopes[documents[k]].curvature += std::max(0.0, square - mean * mean);
  }
  return log_sum - truth;
}

double ListLoss::evaluate(std::span<const double> scores, int threads,
                          std::span<Slope> slopes) const {
  std::fill(slopes.begin(), slopes.end(), Slope{});
  const Index queries = list_begin_.size() - 1;
  std::vector<Scratch> scratch(static_cast<Index>(resolve_threads(threads)));
  std::vector<double> losses(queries);
  // Queries share no documents, so threads never write the same slopes.
  parallel_for(queries, resolve_threads(threads), [&](Index q, int worker) {
    for (Index i = list_begin_[q]; i < list_begin_[q + 1]; ++i) {
      losses[q] += add_list(i, scores, scratch[static_cast<Index>(worker)], slopes);
    }
  });
  double sum = 0;
  for (const double loss : losses) sum += loss;
  return sum;
}

Trees boost(std::span<const std::uint32_t> indices, std::span<const Query> queries,
            const RankedLists& lists, const BoostOptions& options) {
  const TreeBins bins(indices, queries, options.bins);
  const ListLoss loss(lists, queries);
  TreeGrower grower(bins, options.shape, options.threads);
  std::vector<double> scores(bins.num_rows(), 0.0);
  std::vector<Slope> slopes(bins.num_rows());
  Trees trees;
  while (trees.size() < options.trees) {
    loss.evaluate(scores, options.threads, slopes);
    grower.grow(slopes);
    if (grower.tree().size() == 0) break;
    trees.append(grower.tree());
    for (Index row = 0; row < scores.size(); ++row) {
      scores[row] += options.rate * grower.values()[grower.leaf(row)];
    }
  }
  return trees;
}

}  // namespace trellis::rank
