// A structure is a finite set of outputs y, each with an indicator (or count) z_p(y) of its parts
// p, scored by s·z(y). A structure sees a vector s of part scores, and never a weight, a feature,
// an example or a loss.
//
// Each operation is a concept of its own; a structure models the concepts for which it has an
// algorithm, and a learner's problem requires only the concepts that it needs:
//
//   Maximizer       maximize(s)            argmax_y s·z(y)
//   Searcher        search(s)              a good output, maybe not the best; a bound on the best
//   KBest           k_best(s, k)           the k best outputs, best first
//   LevelMaximizer  maximize_levels(s, ℓ)  the best output of each total of integers ℓ
//   ProductMaximizer maximize_product      argmax_y (a + s·z(y)) (b + c·z(y))
//   Summer          log_partition(s)       log Σ_y exp(s·z(y)) and the marginals E[z]
//   Sampler         sample(s, random)      a draw from exp(s·z(y)) / Σ exp
//   Projector       project(v)             the nearest point of Z, that of linear_program()
//
// Structures are immutable and cheap to copy; scratch memory belongs to the caller (one per thread)
// and is reused by repeated calls. Part scores are finite doubles (JunctionTree also takes −∞);
// hard constraints belong to the structure and need no scores. If no output is legal, maximize and
// log_partition return −∞ and k_best returns nothing.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/convergence.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/standing.h"

namespace trellis {

// The score of an illegal output.
inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();

template <class Output>
struct ScoredOutput {
  Output output;
  double score = 0;
};

template <class S>
concept Structure = requires(const S& structure, const typename S::Output& y, std::span<double> z,
                             std::span<const double> s) {
  typename S::Output;
  typename S::Scratch;
  { structure.num_parts() } -> std::convertible_to<Index>;
  structure.indicator(y, z);                                      // z ← z(y), overwriting
  { structure.score(s, y) } -> std::convertible_to<double>;       // s·z(y)
  { structure.linear_program() } -> std::same_as<LinearProgram>;  // Z as A z ≤ b
};

// Whether Z = {z ≥ 0 : A z = b}: then the outputs on the smallest face around a point z of Z are
// those without a part where z is 0. This is false if z counts parts (tied tables) or if parts are
// optional. The default is false.
template <Structure S>
bool faces_by_zeros(const S& structure) {
  if constexpr (requires { structure.faces_by_zeros(); }) {
    return structure.faces_by_zeros();
  } else {
    return false;
  }
}

// Whether some part scores must have a sign, otherwise maximize refuses them: neighbours may
// attract each other, but not repel. For weights, this is Oracle::nonnegative.
template <class S>
concept SignedScores = Structure<S> && S::kSignedScores;

// Whether linear_program() is a relaxation, larger than the hull of the outputs: properties of its
// points need not apply to outputs. The default is the hull.
template <class S>
concept RelaxedProgram = Structure<S> && S::kRelaxedProgram;

template <class S>
concept Maximizer = Structure<S> && requires(const S& structure, std::span<const double> s,
                                             typename S::Scratch& scratch, typename S::Output& y) {
  { structure.maximize(s, scratch, y) } -> std::convertible_to<double>;  // the best score
};

// Not a Maximizer, or one whose best score is a bound that its output need not attain (a relaxation
// solved up to a residual). Training by its cuts is then certified from upper bounds.
template <class S>
concept Searcher = Structure<S> && requires(const S& structure, std::span<const double> s,
                                            typename S::Scratch& scratch, typename S::Output& y) {
  // s·z(y) of the output found, and an upper bound for all outputs
  { structure.search(s, scratch, y) } -> std::same_as<MaximumBounds>;
};

// No output exceeds its best score.
template <class S>
concept BoundingMaximizer = Maximizer<S> &&(standing_of_maximum<S>() == Standing::kExact ||
                                            standing_of_maximum<S>() == Standing::kUpperBound);

// Its output also attains that score, the best among the structure's own outputs (for a relaxation,
// an upper bound of the original problem, but still the best of its points).
template <class S>
concept ExactMaximizer = BoundingMaximizer<S> && !Searcher<S>;

template <class S>
concept KBest = Maximizer<S> &&
    requires(const S& structure, std::span<const double> s, Index k, typename S::Scratch& scratch,
             std::vector<ScoredOutput<typename S::Output>>& best) {
  structure.k_best(s, k, scratch, best);
};

template <class S>
concept LevelMaximizer = Structure<S> &&
    requires(const S& structure, std::span<const double> s, std::span<const std::uint32_t> levels,
             Index num_levels, typename S::Scratch& scratch,
             std::vector<ScoredOutput<typename S::Output>>& best) {
  // The parts with levels, [0, num_level_parts()), and a bound on ℓ(y), the sum over the parts of
  // y.
  { structure.num_level_parts() } -> std::convertible_to<Index>;
  { structure.highest_level(levels) } -> std::convertible_to<std::uint64_t>;
  // best[ℓ] ← the best output with ℓ(y) = ℓ, for ℓ < num_levels; kImpossible if there is none.
  structure.maximize_levels(s, levels, num_levels, scratch, best);
};

template <class S>
concept ProductMaximizer = Structure<S> &&
    requires(const S& structure, double a, std::span<const double> s, double b,
             std::span<const double> c, typename S::Scratch& scratch, typename S::Output& y) {
  // y ← argmax (a + s·z(y)) (b + c·z(y)) over the outputs whose factors are both positive. Returns
  // the product; if there is no such output, returns 0 and does not change y.
  { structure.maximize_product(a, s, b, c, scratch, y) } -> std::convertible_to<double>;
};

template <class S>
concept Summer = Structure<S> &&
    requires(const S& structure, std::span<const double> s, typename S::Scratch& scratch,
             std::span<double> marginals) {
  // Returns log Σ exp; writes E[z], of size num_parts(), to `marginals`.
  { structure.log_partition(s, scratch, marginals) } -> std::convertible_to<double>;
  // Shannon entropy of exp(s·z(y)) / Σ exp, without the cancellation of log Σ exp − s·E[z].
  { structure.entropy(s, scratch) } -> std::convertible_to<double>;
};

// Its sums come from an iteration, which may have ended before it converged: marginals are the
// gradient of log_partition only up to the residual.
template <class S>
concept IterativeSummer = Summer<S> && requires(const typename S::Scratch& scratch) {
  // How the last call with this scratch ended.
  { S::convergence(scratch) } -> std::convertible_to<Convergence>;
};

template <class S>
concept Sampler = Structure<S> &&
    requires(const S& structure, std::span<const double> s, typename S::Scratch& scratch,
             Random& random, typename S::Output& y) {
  structure.sample(s, random, scratch, y);
};

template <class S>
concept Projector = Structure<S> && requires(const S& structure, std::span<const double> v,
                                             typename S::Scratch& scratch, std::span<double> z) {
  structure.project(v, scratch, z);  // z ← argmin_{z ∈ Z} ‖z − v‖₂; a result, if any, says how well
};

}  // namespace trellis
