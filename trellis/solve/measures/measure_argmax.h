// The set that maximises score plus loss (1 − measure): constraint generation for set measures
// (Petterson & Caetano 2010; Petterson 2011, sec. 3.3.2 and 3.3.3, eqs. 3.5 to 3.7). Exact:
//   max over y ∈ {0,1}^V of   Σ_v s_v y_v + γ Δ(y, yⁿ),       Δ = 1 − measure (set_measure.h)
//
// yⁿ is the truth, with p items. With k items in y, h of them in yⁿ, and p ≥ 1, F_β and precision
// are rewards r(k) h, r(k) = g / (c + k), where F_β has g = 1 + β², c = β² p, and precision g = 1,
// c = 0. So for a fixed k the best y takes the top k of z_v(k) = s_v − γ r(k) [v ∈ yⁿ], and r
// decreases with k. Hamming and recall do not need k: each item is decided separately. Neither does
// an empty truth, where Δ = [y ≠ ∅]. Three algorithms for the rest:
//
// naive    Alg. 2: the top k of z(k), for each k, by selection. O(V²).
// bounded  Alg. 3: a lower bound on k by bisection, then Alg. 2 from there on. O(V²) still, but
//          fast if the bound is near V. With P(k) the positive entries of z(k): if |P(k)| ≥ k,
//          every best y contains P(k). For let y' = y ∪ P(k) and m = max(k, |y|) ≤ |y'|. As z
//          increases with k, the value of y' is ≥ ⟨y', z(m)⟩ = ⟨y, z(m)⟩ + Σ_{P(k)∖y} z_v(m),
//          where the sum is of positive numbers and the rest ≥ the value of y. So it holds for any
//          r that never increases: for precision too, with r(0) = ∞. If |P(k)| = k exceeds the
//          bound, Alg. 3 as printed does not advance; here the bound rises to k, and the search
//          continues. All three algorithms also try the empty set, which Alg. 2 and 3 omit.
// merged   O(V) except for the sorting of items near their thresholds. Others (v ∉ yⁿ) with s_v >
//          0 are in every best set: they increase k, and so decrease r. Hits (v ∈ yⁿ) with s_v ≤ 0
//          can stay out: to remove one changes Δ by γ g (c + k − h) / ((c + k)(c + k − 1)) ≥ 0.
//          Hits with s_v > γ r(k₀ + 1) are in, if k₀ items are known to be in, as above. An other
//          with s_v < 0 is in only to decrease r, so −s_v ≤ γ h (r(k−1) − r(k)): a narrow window
//          below 0, narrower with more others. The remaining hits and others are sorted
//          separately: the best j of both are the first a(j) hits and j − a(j) others, and a(j)
//          never decreases with j, since hits gain on others as k increases. So two pointers visit
//          all j, O(1) each, with sums over the undecided only, which large scores do not blur.
//
// Of several best sets, merged returns (up to rounding) the one with fewest items; among items that
// can replace each other, others come before hits, then lower numbers first. The same holds for
// naive and bounded, but large scores blur their sums.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/solve/measures/set_measure.h"

namespace trellis {

enum class ArgmaxAlgorithm { kMerged, kBounded, kNaive };
constexpr auto names_of(ArgmaxAlgorithm) {
  return Names{"constraint generator", "merged", "bounded", "naive"};
}

// Memory of one thread; calls do not allocate once it has grown.
struct MeasureArgmaxScratch {
  struct Item {
    double score;    // s_v
    double shifted;  // z_v(k), naive and bounded
    std::uint32_t item;
    bool hit;
  };
  std::vector<Item> hits, others;
  std::vector<double> hit_sums, other_sums;  // of the first 0, 1, 2, …
};

// Writes the best y, 0 or 1 for each of the V = s.size() items, and returns its value:
// chosen_sum(s, y) + γ Δ(y, yⁿ), to the bit. `truth`: the items of yⁿ, ascending, below V. Scores
// are finite, and γ ≥ 0.
double measure_argmax(const SetMeasure& measure, double gamma, std::span<const double> s,
                      std::span<const std::uint32_t> truth, MeasureArgmaxScratch& scratch,
                      std::span<Label> y, ArgmaxAlgorithm algorithm = ArgmaxAlgorithm::kMerged);

// Σ_v s_v y_v for y_v ∈ {0, 1}, in four partial sums of fixed shape.
double chosen_sum(std::span<const double> s, std::span<const Label> y);

// The counts of y against `truth`.
SetCounts set_counts(std::span<const std::uint32_t> truth, std::span<const Label> y);

}  // namespace trellis
