#include "trellis/tasks/parse/model/arc_pair_scorer.h"

#include <array>
#include <cstdint>
#include <utility>

#include "trellis/base/types.h"
#include "trellis/tasks/parse/features/arc_pair_templates.h"

namespace trellis::parse {
namespace {

// The fingerprints of a pair's features, whose slots are being prefetched.
struct FetchedPair {
  std::array<std::uint64_t, kMostPairFeatures> fingerprints;
  Index size = 0;
};

// Keeps those that may be known, and prefetches their slots.
void keep_known(const WeightView& weights, FetchedPair& pair) {
  Index kept = 0;
  for (Index f = 0; f < pair.size; ++f) {
    const std::uint64_t fp = pair.fingerprints[f];
    pair.fingerprints[kept] = fp;
    kept += weights.may_know(fp) ? 1 : 0;
  }
  pair.size = kept;
  for (Index f = 0; f < kept; ++f) weights.prefetch(pair.fingerprints[f]);
}

}  // namespace

double pair_score(const SentenceAtoms& atoms, const ArcPair& pair, const WeightView& weights) {
  double score = 0;
  ArcPairFeatures(atoms).each(pair, [&](std::uint64_t fp) { score += weights.weight(fp); });
  return score;
}

// Computes features one pair ahead, and prefetches those that may be known.
void score_pairs(const SentenceAtoms& atoms, const ArcPairGraph& graph, const WeightView& weights,
                 ArcPairSums& sums, std::vector<double>& s) {
  sums.assign(atoms);
  FetchedPair here, ahead;
  const auto fetch = [&](const ArcPair& pair) {
    ahead.size = sums.write(pair, ahead.fingerprints.data());
    keep_known(weights, ahead);
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
