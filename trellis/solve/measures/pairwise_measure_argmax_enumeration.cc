#include "trellis/solve/measures/pairwise_measure_argmax_enumeration.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

namespace trellis {
namespace {

constexpr double kLowest = -std::numeric_limits<double>::infinity();

}  // namespace

double SetEnumeration::maximize(const PairwiseCuts& cuts, const CountedSet& fixed,
                                std::span<const double> gain, Index stride, PairwiseCuts::Set y) {
  list_free(cuts);
  sum_scores(cuts, fixed.score);
  const Index num_true = free_.size() - num_others_;
  const Index run = Index{1} << num_others_, runs = Index{1} << num_true;
  double best = kLowest;
  Index best_run = 0;
  double best_run_value = kLowest;
  Index best_hits = 0;
  // Runs of the same number of hits have the same gains.
  for (Index hits = 0; hits <= num_true; ++hits) {
    spread_gains(gain.subspan((fixed.hits + hits) * stride + fixed.others, num_others_ + 1));
    for (Index r = 0; r < runs; ++r) {
      if (counts_[r] != hits) continue;
      best_run_value = best_of_run(scores_.data() + r * run, run);
      if (best_run_value > best) {
        best = best_run_value;
        best_run = r;
        best_hits = hits;
      }
    }
  }
  spread_gains(gain.subspan((fixed.hits + best_hits) * stride + fixed.others, num_others_ + 1));
  Index set = 0;
  while (scores_[best_run * run + set] + gains_[set] != best) ++set;
  set += best_run * run;
  for (Index v = 0; v < cuts.num_labels(); ++v) y[v] = cuts.is_given(v) ? 1 : 0;
  for (Index b = 0; b < free_.size(); ++b) {
    if ((set >> b & 1) != 0) y[free_[b]] = 1;
  }
  return best;
}

void SetEnumeration::list_free(const PairwiseCuts& cuts) {
  const Index labels = cuts.num_labels();
  free_.clear();
  position_.assign(labels, 0);
  for (const bool wanted : {false, true}) {
    if (wanted) num_others_ = free_.size();
    for (std::uint32_t v = 0; v < labels; ++v) {
      if (!cuts.is_free(v) || cuts.is_true(v) != wanted) continue;
      position_[v] = static_cast<std::uint32_t>(free_.size());
      free_.push_back(v);
    }
  }
  assert(free_.size() <= kMostLabels);
  const Index sets = Index{1} << free_.size();
  if (scores_.size() < sets) {
    scores_.resize(sets);
    change_.resize(sets);
    gains_.resize(sets);
    counts_.assign(1, 0);
    while (counts_.size() < sets) {
      const Index half = counts_.size();
      counts_.resize(2 * half);
      for (Index set = 0; set < half; ++set) {
        counts_[half + set] = static_cast<std::uint8_t>(counts_[set] + 1);
      }
    }
  }
}

void SetEnumeration::sum_scores(const PairwiseCuts& cuts, double score) {
  scores_[0] = score;
  for (Index b = 0; b < free_.size(); ++b) {
    const Index v = free_[b];
    double alone = cuts.unary()[v];
    coupling_.assign(free_.size(), 0);
    for (const std::uint32_t p : cuts.pairs_of(v)) {
      const Index w = cuts.other_end(p, v);
      if (cuts.is_given(w)) alone += cuts.coupling()[p];
      if (cuts.is_free(w)) coupling_[position_[w]] += cuts.coupling()[p];
    }
    change_[0] = alone;
    for (Index q = 0; q < b; ++q) {
      const Index half = Index{1} << q;
      const double coupled = coupling_[q];
      double* const change = change_.data();
      for (Index set = 0; set < half; ++set) change[half + set] = change[set] + coupled;
    }
    const Index half = Index{1} << b;
    double* const scores = scores_.data();
    const double* const change = change_.data();
    for (Index set = 0; set < half; ++set) scores[half + set] = scores[set] + change[set];
  }
}

// gains_[S] = gains[|S|]
void SetEnumeration::spread_gains(std::span<const double> gains) {
  const Index sets = Index{1} << num_others_;
  for (Index set = 0; set < sets; ++set) {
    gains_[set] = gains[counts_[set]];
  }
}

// Lanes, so that comparisons do not wait for each other. The largest is the same in any order.
double SetEnumeration::best_of_run(const double* scores, Index size) const {
  constexpr Index kLanes = 8;
  std::array<double, kLanes> lanes;
  lanes.fill(kLowest);
  const double* const gains = gains_.data();
  Index set = 0;
  for (; set + kLanes <= size; set += kLanes) {
    for (Index l = 0; l < kLanes; ++l) {
      const double value = scores[set + l] + gains[set + l];
      lanes[l] = value > lanes[l] ? value : lanes[l];
    }
  }
  double best = *std::max_element(lanes.begin(), lanes.end());
  for (; set < size; ++set) best = std::max(best, scores[set] + gains[set]);
  return best;
}

}  // namespace trellis
