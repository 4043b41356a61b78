#include "trellis/tasks/tables/bayes/filling.h"

#include <algorithm>

#include "trellis/base/error.h"

namespace trellis::bayes {

double fill(NetworkInference& inference, Decode how, std::span<Label> row,
            std::vector<std::vector<double>>* marginals) {
  if (how == Decode::kMap && marginals == nullptr) return inference.complete(row);
  std::vector<std::vector<double>> own;
  std::vector<std::vector<double>>& probabilities = marginals == nullptr ? own : *marginals;
  const double evidence = inference.marginals(row, probabilities);
  if (evidence == -kInfinity) return evidence;
  if (how == Decode::kMap) return inference.complete(row);
  for (Index v = 0; v < row.size(); ++v) {
    if (row[v] != kNoLabel) continue;
    const std::vector<double>& p = probabilities[v];
    row[v] = static_cast<Label>(std::max_element(p.begin(), p.end()) - p.begin());
  }
  return evidence;
}

void refuse_impossible(const std::string& file, Index line) {
  throw InputError(
      file, line,
      "the values of this row have probability 0 under the model (train with --smoothing above 0)");
}

}  // namespace trellis::bayes
