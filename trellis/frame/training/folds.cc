#include "trellis/frame/training/folds.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

std::vector<std::vector<Index>> deal(std::span<const Index> order, Index folds) {
  if (folds == 0) throw UsageError("examples must be split into at least one fold");
  if (folds > order.size()) {
    throw UsageError(fmt::format("{} folds are more than {} examples: some would be empty", folds,
                                 order.size()));
  }
  std::vector<std::vector<Index>> dealt(folds);
  for (Index k = 0; k < order.size(); ++k) dealt[k % folds].push_back(order[k]);
  for (std::vector<Index>& fold : dealt) std::sort(fold.begin(), fold.end());
  return dealt;
}

}  // namespace

std::vector<std::vector<Index>> deal_folds(Index num_examples, Index folds, std::uint64_t seed) {
  return deal(random_permutation(num_examples, Random(seed)), folds);
}

std::vector<std::vector<Index>> deal_folds(std::span<const Label> labels, Index folds,
                                           std::uint64_t seed) {
  std::vector<Index> order = random_permutation(labels.size(), Random(seed));
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return labels[i] < labels[j]; });
  return deal(order, folds);
}

std::vector<Index> without(std::span<const Index> fold, Index num_examples) {
  std::vector<Index> rest;
  Index next = 0;
  for (Index i = 0; i < num_examples; ++i) {
    if (next < fold.size() && fold[next] == i) {
      ++next;
    } else {
      rest.push_back(i);
    }
  }
  return rest;
}

}  // namespace trellis
