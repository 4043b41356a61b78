#include "trellis/tasks/training/folds.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {

std::vector<std::vector<Index>> deal_folds(Index num_examples, Index folds, std::uint64_t seed) {
  if (folds == 0) throw UsageError("examples are dealt to at least one fold");
  if (folds > num_examples) {
    throw UsageError(fmt::format("{} folds of {} examples leave some empty", folds, num_examples));
  }
  const std::vector<Index> order = random_permutation(num_examples, Random(seed));
  std::vector<std::vector<Index>> dealt(folds);
  for (Index k = 0; k < order.size(); ++k) dealt[k % folds].push_back(order[k]);
  for (std::vector<Index>& fold : dealt) std::sort(fold.begin(), fold.end());
  return dealt;
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
