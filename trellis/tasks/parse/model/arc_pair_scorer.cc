#include "trellis/tasks/parse/model/arc_pair_scorer.h"

#include <array>
#include <cstdint>
#include <utility>

#include "trellis/base/types.h"
#include "trellis/tasks/parse/features/arc_pair_templates.h"

namespace trellis::parse {
namespace {

// The fingerprints of a pair's features, whose slots are on the way.
struct FetchedPair {
  std::array<std::uint64_t, kMostPairFeatures> fingerprints;
  Index size = 0;
};

}  // namespace

double pair_score(const SentenceAtoms& atoms, const ArcPair& pair, const WeightView& weights) {
  double score = 0;
  ArcPairFeatures(atoms).each(pair, [&](std::uint64_t fp) { score += weights.weight(fp); });
  return score;
}

void score_pairs(const SentenceAtoms& atoms, const ArcPairGraph& graph, const WeightView& weights,
                 std::vector<double>& s) {
  ArcPairFeatures features(atoms);
  FetchedPair here, ahead;
  const auto fetch = [&](const ArcPair& pair) {
    ahead.size = 0;
    features.each(pair, [&](std::uint64_t fingerprint) {
      weights.prefetch(fingerprint);
      ahead.fingerprints[ahead.size++] = fingerprint;
    });
  };
  const std::vector<ArcPair>& pairs = graph.pairs();
  s.reserve(s.size() + pairs.size());
  if (!pairs.empty()) fetch(pairs[0]);
  for (Index k = 0; k < pairs.size(); ++k) {
    std::swap(here, ahead);
    if (k + 1 < pairs.size()) fetch(pairs[k + 1]);
    double score = 0;
    for (Index f = 0; f < here.size; ++f) score += weights.weight(here.fingerprints[f]);
    s.push_back(score);
  }
}

}  // namespace trellis::parse
