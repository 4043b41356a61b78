// Dynamic programming along a Markov chain with one dense table A of steps between S states, a
// whole sequence for each call: the inner loops of hidden Markov models.
//
//   markov_forward    α_0 = π ∘ e_0,   α_t = k_t · e_t ∘ (Aᵀ α_{t−1})
//   markov_backward   β_{T−1} = 1/Σα_{T−1},   v_t = k_t · e_t ∘ β_t,   β_{t−1} = A v_t,
//                     γ_t = α_t ∘ β_t
//   markov_pairs      C(i,j) += Σ_t α_{t−1}(i) v_t(j): times A(i,j), the expected steps i → j
//   markov_viterbi    δ_0 = π + e_0,   δ_t = e_t + max_i (δ_{t−1}(i) + A(i,·)),   and the path
//
// Rows have `stride` values, S rounded up to an even number; the value beyond S, if there is one,
// must repeat the last (so that it neither underflows nor wins alone), and results there do the
// same. Every operation acts on one lane, so the bits do not depend on the width of the vectors.
//
// The scaled domain (Rabiner 1989, sec. V.A) without a loss. The factors k_t are powers of two, 1
// unless all of α_t is below kRescale, so scaling never rounds. Let positive values of A, π and e
// be at least kSmallestFactor and at most 1. A positive message below kFloor is lifted to it, so no
// product ever underflows: messages are 0 where a state cannot be reached (or left), and nowhere
// else, and are never too small. What is lifted adds to the total Σ α β = 1 at most
//
//   Σ_t Σ_i kFloor (β_t(i) + α_t(i))  ≤  T S kFloor (largest β + 1),
//
// which is nothing, as long as `largest β` stays below kLargestBackward; the caller checks that,
// and does the sequence again in the log domain where it fails.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"

namespace trellis {

inline constexpr double kMarkovSmallestFactor = 1e-87;
inline constexpr double kMarkovFloor = 1e-120;
inline constexpr double kMarkovLargestBackward = 1e80;  // for T·S up to 1e20

inline constexpr Index markov_stride(Index states) {
  return states + (states & 1);
}

struct MarkovTable {
  Index states = 0;                    // S ≥ 1
  Index stride = 0;                    // markov_stride(S)
  const double* steps = nullptr;       // A: S rows
  const double* transposed = nullptr;  // Aᵀ: S rows
};

struct MarkovForward {
  bool possible = false;      // Σ α_{T−1} > 0
  bool lifted = false;        // a message was raised to the floor
  bool positive = true;       // every message of every position
  double total = 0;           // Σ α_{T−1}
  std::int64_t exponent = 0;  // Π k_t = 2^−exponent
};

// `emissions` has T pointers to rows; `alpha` T rows, `scales` T values. Stops at the first
// position that nothing reaches.
MarkovForward markov_forward(const MarkovTable& table, const double* first,
                             std::span<const double* const> emissions, double* alpha,
                             double* scales);

// Requires the result of markov_forward, and that it is possible. Writes γ and v (T rows each; row
// 0 of v is not written). Returns the largest β of a state that can be reached.
double markov_backward(const MarkovTable& table, const MarkovForward& forward,
                       std::span<const double* const> emissions, const double* alpha,
                       const double* scales, double* gamma, double* weighted);

// `sums`: S rows. Adds over t = 1 … length−1.
void markov_pairs(const MarkovTable& table, Index length, const double* alpha,
                  const double* weighted, double* sums);

// targets[t] += rows[t], t < targets.size(); null targets are skipped.
void add_markov_rows(Index stride, std::span<double* const> targets, const double* rows);

// Tables, `first` and emissions are logarithms (−∞: impossible). `delta` has T rows. Returns the
// best score, or −∞, and then the path means nothing. Of equal ones the path goes through the
// smallest states, read from the end.
double markov_viterbi(const MarkovTable& table, const double* first,
                      std::span<const double* const> emissions, double* delta,
                      std::span<Label> path);

}  // namespace trellis
