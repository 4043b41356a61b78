// A structure whose best output takes a search without a bound on its time (QuadraticMatching,
// FactorGraph), with a limit on that search: a Searcher in the place of a Maximizer. Where the
// limit is reached, search returns the best output found and an upper bound on the best score.
// Learners then use valid cuts, and certificates are made of the upper bounds; where every search
// is proved, all values are those of the exact structure.
//
// S::search_within(limit, s, scratch, y) → MaximumBounds, equal where y is proved to be the best.
#pragma once

#include <concepts>
#include <span>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/structure.h"

namespace trellis {

template <class S>
concept LimitedSearcher = Structure<S> &&
    requires(const S& structure, Index limit, std::span<const double> s,
             typename S::Scratch& scratch, typename S::Output& y) {
  { structure.search_within(limit, s, scratch, y) } -> std::same_as<MaximumBounds>;
};

template <LimitedSearcher S>
class LimitedSearch {
 public:
  using Output = typename S::Output;
  using Scratch = typename S::Scratch;
  static constexpr bool kSignedScores = SignedScores<S>;
  static constexpr bool kRelaxedProgram = RelaxedProgram<S>;

  LimitedSearch(const S& exact, Index limit) : exact_(exact), limit_(limit) {}

  const S& exact() const { return exact_; }
  Index num_parts() const { return exact_.num_parts(); }
  bool legal(const Output& y) const { return exact_.legal(y); }
  void indicator(const Output& y, std::span<double> z) const { exact_.indicator(y, z); }
  double score(std::span<const double> s, const Output& y) const { return exact_.score(s, y); }
  MaximumBounds search(std::span<const double> s, Scratch& scratch, Output& y) const {
    return exact_.search_within(limit_, s, scratch, y);
  }
  LinearProgram linear_program() const { return exact_.linear_program(); }

 private:
  S exact_;
  Index limit_;
};

}  // namespace trellis
