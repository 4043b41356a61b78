// Sums over dependency trees by elimination of words: the directed matrix-tree theorem (Tutte 1948;
// Koo, Globerson, Carreras & Collins 2007; McDonald & Satta 2007; Smith & Smith 2007) without any
// subtraction, after Grassmann, Taksar & Heyman (1985).
//
// The arc from head j to word m has weight a_mj, the arc from the root r_m. The sum over all trees
// of the products of their weights is the determinant of the Laplacian. Elimination of the words,
// one after another, gives it as a product of pivots. The elimination of word k computes
//
//   d_k = r_k + Σ_j a_kj,     a_mj += a_mk a_kj / d_k,     r_m += a_mk r_k / d_k       (j ≠ m)
//
// for the words j and m that remain: it replaces a head k by the head of k. The diagonal of the
// Laplacian is never stored, so nothing cancels, and Σ = Π_k d_k to about n ulp for all weights
// (O'Cinneide 1993). Trees with one word at the root are the limit of weights ε r, divided by ε:
// the pivot of each word but the last is then Σ_j a_kj, and nothing else changes.
//
// The derivatives have no cancellation either. With G the inverse of the Laplacian, the probability
// of an arc is a_mj (G_mm − G_jm), or r_m G_mm for the root, and
//
//   x_jm = G_mm − G_jm = G_mm · (the probability that a walk from j, head after head, meets the
//          root before m) .
//
// If word m is left last, 1 / G_mm is its pivot r_m, and x_jm follows for the others in the reverse
// order of their elimination:
//
//   x_km = (Σ_j a_kj x_jm + r_k G_mm) / d_k,    with a, r and d as of k's elimination, x_mm = 0 .
//
// To make each word the last one once, we halve the words: one half is eliminated, and the other is
// halved again. That takes 7n³/9 multiplications, and the x another n³/2; an LU decomposition takes
// n³/3, and the inverse of a matrix n³.
#pragma once

#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/wide_number.h"

namespace trellis {

// Whether pivots before the last include r (all trees) or not (one word at the root).
enum class RootInPivots { kYes, kNo };

template <class Number>
struct TreeMatrix {
  Index n = 0;
  std::vector<Number> weights;  // n rows of n: a_mj at [m n + j]; a_mm is not read
  std::vector<Number> root;     // r
  std::vector<Number> pivots;   // d, as elimination finds them

  void resize(Index words) {
    n = words;
    weights.resize(n * n);
    root.resize(n);
    pivots.resize(n);
  }
};

// x and G_mm, and the scratch memory for them.
template <class Number>
struct TreeEscapes {
  std::vector<Number> x;       // n rows of n: x_jm at [j n + m]
  std::vector<Number> visits;  // G_mm
  std::vector<Number> memory;
};

// Eliminates words 0, 1, … in place: column k below the diagonal, row k to its right, and r_k keep
// the values at the elimination of word k; the last pivot is r_{n−1}.
//
// Doubles suffice while Π min(1, d_k) ≥ 1e−100 and the last pivot is ≤ 1e100, if the largest weight
// of each row is 1: an underflow then loses less than 1e−200 of any result. False otherwise; then
// the pivots are invalid.
bool eliminate(TreeMatrix<double>& matrix, RootInPivots root_in_pivots);
// Requires that there is a tree; all pivots include r: ε is a number.
void eliminate(TreeMatrix<WideNumber>& matrix);

// The pivots are those of eliminate(), to the bit. Overwrites the weights. False as in eliminate(),
// for any of the orders of elimination that it uses.
bool find_escapes(TreeMatrix<double>& matrix, RootInPivots root_in_pivots,
                  TreeEscapes<double>& escapes);
void find_escapes(TreeMatrix<WideNumber>& matrix, TreeEscapes<WideNumber>& escapes);

}  // namespace trellis
