#include "trellis/tasks/align/supervised/frequent_words.h"

#include <algorithm>
#include <numeric>

#include "trellis/tasks/align/model/text_statistics.h"

namespace trellis::align {

std::vector<std::string> frequent_words(const AlignModel& model, Index most, bool source) {
  const auto& counts =
      source ? model.statistics()->source_counts : model.statistics()->target_counts;
  const NameList& words = source ? model.words().source() : model.words().target();
  std::vector<Index> order(counts.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return counts[a] > counts[b]; });
  std::vector<std::string> frequent;
  for (Index k = 0; k < std::min(most, order.size()); ++k) {
    frequent.emplace_back(words[order[k]]);
  }
  return frequent;
}

}  // namespace trellis::align
