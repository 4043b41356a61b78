#include "trellis/tasks/align/features/pair_evidence.h"

#include <algorithm>

#include "trellis/base/error.h"

namespace trellis::align {

void ExternalEvidence::assign(std::span<const Link> links, Index num_source, Index num_target) {
  linked.assign(num_source, num_target, 0);
  source_linked.assign(num_source, 0);
  target_linked.assign(num_target, 0);
  for (const Link link : links) {
    if (link.source >= num_source || link.target >= num_target) {
      throw UsageError("a link of another aligner is outside of the words of the pair");
    }
    linked(link.source, link.target) = 1;
    source_linked[link.source] = 1;
    target_linked[link.target] = 1;
  }
}

float PairEvidence::product(Index i, Index j) const {
  float best = 0;
  for (const ViewEvidence& view : views) best = std::max(best, view.product(i, j));
  return best;
}

void PairEvidence::look_up(const LexiconView& lexicon, std::span<const float> entry_dice) {
  in_lexicon.assign(num_source, num_target, 0);
  forward_t.assign(num_source, num_target, lexicon.floor);
  reverse_t.assign(num_source, num_target, lexicon.floor);
  dice.assign(num_source, num_target, 0);
  source_dice.assign(num_source, {});
  target_dice.assign(num_target, {});
  for (Index i = 0; i < num_source; ++i) {
    for (Index j = 0; j < num_target; ++j) {
      const Index entry = lexicon.find(source[i], target[j]);
      if (entry == LexiconView::kNone) {
        forward_t(i, j) = lexicon.unseen_forward_of(source[i]);
        reverse_t(i, j) = lexicon.unseen_reverse_of(target[j]);
        continue;
      }
      in_lexicon(i, j) = 1;
      forward_t(i, j) = lexicon.forward[entry];
      reverse_t(i, j) = lexicon.reverse[entry];
      dice(i, j) = entry_dice[entry];
      source_dice[i].add(entry_dice[entry]);
      target_dice[j].add(entry_dice[entry]);
    }
  }
}

}  // namespace trellis::align
