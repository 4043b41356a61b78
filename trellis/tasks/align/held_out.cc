#include "trellis/tasks/align/held_out.h"

#include <algorithm>

#include "trellis/base/parallel.h"

namespace trellis::align {
namespace {

constexpr double kLeastScored = 1e-5;  // less probable links are no candidates for a threshold

// If two directions are combined, no single number decides whether a link is found.
bool has_one_number(const Decoding& decoding) {
  return decoding.has_threshold() && (decoding.combination == Combination::kProduct ||
                                      decoding.combination == Combination::kForward ||
                                      decoding.combination == Combination::kReverse);
}

}  // namespace

ThresholdChoice judge_links(const WordAligner& aligner, const Vocabularies& words,
                            const GoldPairs& gold, const ThresholdSearch& search, int threads,
                            Decoding& decoding) {
  std::vector<std::vector<ScoredLink>> scored(gold.pairs.size());
  std::vector<DecodeScratch> scratch(static_cast<Index>(resolve_threads(threads)));
  const bool chooses = search.wanted && has_one_number(decoding);
  parallel_for(scored.size(), threads, [&](Index k, int worker) {
    std::vector<WordId> source, target;
    words.find(gold.pairs[k].source(), gold.pairs[k].target(), source, target);
    DecodeScratch& mine = scratch[static_cast<Index>(worker)];
    if (chooses) {
      score_links(aligner, {source, target}, decoding, kLeastScored, mine, scored[k]);
    } else {
      AlignedLinks found;
      decode(aligner, {source, target}, decoding, mine, found);
      scored[k] = std::move(found.links);
    }
  });
  if (chooses) {
    ThresholdChoice choice = choose_threshold(scored, gold.links, search.aim);
    choice.threshold = std::max(choice.threshold, kLeastScored);  // links below were not considered
    decoding.threshold = choice.threshold;
    return choice;
  }
  ThresholdChoice as_said;
  as_said.threshold = decoding.threshold;
  for (Index k = 0; k < scored.size(); ++k) {
    as_said.counts += count_links(links_at(scored[k], 0), gold.links[k]);
  }
  return as_said;
}

}  // namespace trellis::align
