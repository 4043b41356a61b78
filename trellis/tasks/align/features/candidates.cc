#include "trellis/tasks/align/features/candidates.h"

#include <algorithm>
#include <cmath>

namespace trellis::align {
namespace {

constexpr float kLeastPosterior = 0.02F, kLeastProduct = 0.002F, kStrongProduct = 0.3F;
constexpr float kLeastDice = 0.15F;
constexpr double kNear = 0.2;                       // from the diagonal, as a share of the sentence
constexpr Index kTellingLetters = 4, kLetters = 2;  // letters of words that match anywhere; nearby

bool seen_by_aligner(const PairEvidence& evidence, Index i, Index j) {
  for (const ViewEvidence& view : evidence.views) {
    if (view.best(i, j) != 0 || view.forward(i, j) >= kLeastPosterior ||
        view.reverse(i, j) >= kLeastPosterior || view.product(i, j) >= kLeastProduct) {
      return true;
    }
  }
  for (const ExternalEvidence& external : evidence.externals) {
    if (external.linked(i, j) != 0) return true;
  }
  return false;
}

bool spelt_alike(const PairEvidence& evidence, Index i, Index j) {
  const WordForm& a = evidence.source_forms[i];
  const WordForm& b = evidence.target_forms[j];
  if (same_number(a, b)) return true;
  if (!same_letters(a, b)) return false;
  if (a.kind == WordKind::kWord && a.letters.size() >= kTellingLetters) return true;
  if (a.kind == WordKind::kWord && a.letters.size() < kLetters) return false;
  const double distance =
      (static_cast<double>(i) + 0.5) / static_cast<double>(evidence.num_source) -
      (static_cast<double>(j) + 0.5) / static_cast<double>(evidence.num_target);
  return std::abs(distance) <= kNear;
}

bool associated(const PairEvidence& evidence, Index i, Index j) {
  const float dice = evidence.dice(i, j);
  return dice >= kLeastDice &&
         (dice == evidence.source_dice[i].first || dice == evidence.target_dice[j].first);
}

bool beside_strong_link(const PairEvidence& evidence, Index i, Index j) {
  if (evidence.in_lexicon(i, j) == 0) return false;
  const auto strong = [&](Index l, Index m) { return evidence.product(l, m) >= kStrongProduct; };
  return (i > 0 && strong(i - 1, j)) || (j > 0 && strong(i, j - 1)) ||
         (i + 1 < evidence.num_source && strong(i + 1, j)) ||
         (j + 1 < evidence.num_target && strong(i, j + 1));
}

}  // namespace

void choose_candidates(const PairEvidence& evidence, Candidates& candidates) {
  candidates.edges.clear();
  candidates.edge_at.assign(evidence.num_source, evidence.num_target, Candidates::kNone);
  for (Index i = 0; i < evidence.num_source; ++i) {
    for (Index j = 0; j < evidence.num_target; ++j) {
      if (!seen_by_aligner(evidence, i, j) && !associated(evidence, i, j) &&
          !beside_strong_link(evidence, i, j) && !spelt_alike(evidence, i, j)) {
        continue;
      }
      candidates.edge_at(i, j) = static_cast<std::uint32_t>(candidates.edges.size());
      candidates.edges.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
    }
  }
}

}  // namespace trellis::align
