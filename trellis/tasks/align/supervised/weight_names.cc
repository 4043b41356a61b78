#include "trellis/tasks/align/supervised/weight_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace trellis::align {

std::vector<std::string> weight_names(const SupervisedAligner& aligner) {
  std::vector<std::string> names;
  const AlignmentFeatures& features = aligner.features();
  const auto add = [&](std::span<const std::string> more, const std::string& before) {
    for (const std::string& name : more) names.push_back(before + name);
  };
  add(features.link_names(), "");
  add(features.identity_names(), "");
  for (const char* side : {"source", "target"}) {
    for (Index d = 2; d <= aligner.layout().most_links; ++d) {
      add(features.word_names(), fmt::format("{} link {}: ", side, d));
    }
  }
  if (aligner.layout().pairs > 0) add(features.pair_names(), "pair: ");
  return names;
}

std::vector<NamedWeight> largest_weights(const SupervisedAligner& aligner, Index top) {
  const std::vector<std::string> names = weight_names(aligner);
  std::vector<NamedWeight> all;
  for (Index k = 0; k < names.size(); ++k) {
    const double weight = aligner.learned().weights[k];
    if (weight != 0) all.push_back({names[k], weight});
  }
  std::stable_sort(all.begin(), all.end(), [](const NamedWeight& a, const NamedWeight& b) {
    return std::abs(a.weight) > std::abs(b.weight);
  });
  if (all.size() > top) all.resize(top);
  return all;
}

}  // namespace trellis::align
