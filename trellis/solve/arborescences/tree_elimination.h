// Sums over dependency trees by elimination of words: the directed matrix-tree theorem (Tutte 1948;
// Koo, Globerson, Carreras & Collins 2007; McDonald & Satta 2007; Smith & Smith 2007) without a
// single subtraction, after Grassmann, Taksar & Heyman (1985).
//
// The arc from head j to word m weighs a_mj, that from the root r_m. The sum over all trees of the
// products of their weights is the determinant of the Laplacian, which elimination of the words one
// after another finds as a product of pivots. Word k goes by
//
//   d_k = r_k + Σ_j a_kj,     a_mj += a_mk a_kj / d_k,     r_m += a_mk r_k / d_k       (j ≠ m)
//
// over the words j and m that remain: a head k is replaced by what k's own head is. The diagonal of
// the Laplacian is never stored, so nothing cancels, and Σ = Π_k d_k to n ulp or so, whatever the
// weights (O'Cinneide 1993). Trees with one word at the root are the limit of weights ε r, divided
// by ε: then the pivot of all words but the last is Σ_j a_kj, and all else stays as it is.
//
// The derivatives have no cancellation either. With G the inverse of the Laplacian the chance of an
// arc is a_mj (G_mm − G_jm), or r_m G_mm for the root, and
//
//   x_jm = G_mm − G_jm = G_mm · (the chance that a walk from j, head after head, meets the root
//          before m) .
//
// For a word m that is left last, 1 / G_mm is its pivot r_m, and x_jm follows for the others in the
// reverse order of their elimination:
//
//   x_km = (Σ_j a_kj x_jm + r_k G_mm) / d_k,    with a, r and d as of k's elimination, x_mm = 0 .
//
// To have each word last once, the words are halved: one half is eliminated, and the other is
// halved in its turn. That takes 7n³/9 multiplications, and the x another n³/2; an LU decomposition
// takes n³/3, and the inverse of a matrix n³.
#pragma once

#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/wide_number.h"

namespace trellis {

// Whether pivots other than the last contain r (all trees), or not (one word at the root).
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

// x and G_mm, and the memory that they take.
template <class Number>
struct TreeEscapes {
  std::vector<Number> x;       // n rows of n: x_jm at [j n + m]
  std::vector<Number> visits;  // G_mm
  std::vector<Number> memory;
};

// Eliminates words 0, 1, … in place: column k below the diagonal and row k to its right stay as
// they were when it was word k's turn, and so does r_k; the last pivot is r_{n−1}.
//
// Doubles suffice while Π min(1, d_k) ≥ 1e−100 and the last pivot is ≤ 1e100, with rows whose
// largest weight is 1: what underflows is then less than 1e−200 of anything that matters. False
// where that is not so, and the pivots are not to be used.
bool eliminate(TreeMatrix<double>& matrix, RootInPivots root_in_pivots);
// Requires that there be a tree; r counts in all pivots: ε is a number.
void eliminate(TreeMatrix<WideNumber>& matrix);

// The pivots are those of eliminate(), to the bit. Overwrites the weights. False as for
// eliminate(), but in any of the orders that it goes through.
bool find_escapes(TreeMatrix<double>& matrix, RootInPivots root_in_pivots,
                  TreeEscapes<double>& escapes);
void find_escapes(TreeMatrix<WideNumber>& matrix, TreeEscapes<WideNumber>& escapes);

}  // namespace trellis
