// A dual point (learn/dual/dual_point.h) with its cuts: the common part of DCA with a stored dual
// and block-coordinate Frank–Wolfe. Example i's (a_i, b_i) is a convex combination of its cuts,
//
//   (a_i, b_i) = m_0 (rest) + Σ_k m_k (c_k, d_k),      m ≥ 0,  Σ m = 1
//
// where the atoms c_k are stored cuts (at most `capacity`), and the rest is a combination of all
// others; at first it is the trivial cut, L_i ≥ 0. With capacity 0 there is only the rest, and a
// visit is the step of Lacoste-Julien, Jaggi, Schmidt & Pletscher (2013), Algorithm 4: towards the
// cut at w, by the fraction that maximises D.
//
// With atoms, mass moves from one that is low at w to the one that is highest (a pairwise step:
// Lacoste-Julien & Jaggi 2015; in blocks: Osokin et al. 2016), which needs no oracle. It undoes
// early visits, and so converges faster near the optimum than steps towards a cut, which only fade
// out the others. Without N, D restricted to an example's masses is a quadratic determined by the
// atoms' inner products: coordinates are read and written once for any number of pairwise steps,
// for the values of all atoms at w before and the sum of the moves after, and a step itself takes
// O(atoms). With N every step reads w. An atom without mass for some time is dropped, since each
// costs time at every visit. If there is no space for a cut, it replaces an atom without mass, or
// the one with the least, which joins the rest.
//
// Atoms are stored without zeros. Memory: the coordinates of all rests and atoms; with atoms and
// without N also their products, and one vector of weights.
#pragma once

#include <algorithm>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/dual/dual_point.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

class StoredDual {
 public:
  // λ > 0; w as for DualPoint, or another start (see start()).
  StoredDual(const CutOracle& oracle, double lambda, Index capacity, std::span<double> w);

  // The dual of a start other than 0: all cuts there, times the s in [0, 1] that maximises
  // D = s b̄ − s² λ/2 ‖[ū]‖². One pass. False if stop was requested: the point has not changed, and
  // start() is to be called again.
  bool start(Scratch& scratch, const std::stop_token& stop);

  DualPoint& point() { return point_; }
  const DualPoint& point() const { return point_; }

  // b_i + ⟨a_i, w⟩, from the values at w of all that it is made of, which highest() and shift()
  // use.
  double evaluate(Index i);
  // The highest value of an atom, or of the rest. After evaluate(i).
  double highest(Index i) const;

  // Capacity 0: moves (a_i, b_i) towards the cut, whose value at w lies `gap` > 0 above it. False
  // if the slopes are the same.
  bool step_towards(Index i, const Cut& cut, double gap);

  // The cut joins the atoms, with mass 0, unless it is there already. `value` is its value at w.
  void insert(Index i, const Cut& cut, double value);
  // Pairwise steps until the highest atom lies at most `tolerance` above the lowest with mass, or
  // max_steps were taken. After evaluate(i), and insert(). False if nothing moves.
  bool shift(Index i, double tolerance, Index max_steps);

  // The coordinates that steps have written since the last call.
  Index take_touched() { return std::exchange(touched_, 0); }

  // Recomputes u and b, so that rounding errors do not accumulate.
  void refresh();

  void save(Checkpoint& checkpoint) const;
  void load(const Checkpoint& checkpoint);

 private:
  struct Atom {
    Cut cut;
    double mass = 0;
    double value = 0;  // at the w of evaluate()
    double moved = 0;  // mass, within shift()
    Index idle = 0;    // how often shift() left it without mass, in a row
  };
  struct Block {
    std::vector<Atom> atoms;   // the rest is the first
    std::vector<double> gram;  // ⟨c_k, c_l⟩ for l ≤ k, by rows; empty where nobody needs it
  };
  struct Pair {
    Index taker;
    Index giver;
    double rise;  // of the taker above the giver
  };

  static Index num_products(Index num_atoms) { return num_atoms * (num_atoms + 1) / 2; }
  static double& product(Block& block, Index k, Index l) {
    return block.gram[num_products(std::max(k, l)) + std::min(k, l)];
  }
  Index vacancy(Block& block) const;
  void join_rest(Block& block, Index k) const;
  void fill_products(Block& block, Index k);
  void drop_idle(Block& block) const;
  static double curvature(Block& block, Index k, Index l);
  Pair choose_pair(Block& block) const;
  bool shift_by_products(Block& block, double tolerance, Index max_steps);
  bool shift_by_weights(Index i, double tolerance, Index max_steps);

  const CutOracle& oracle_;
  Index capacity_;
  bool quadratic_;  // no N, and atoms: their inner products are kept
  DualPoint point_;
  std::vector<Block> blocks_;
  Cut packed_;
  SparseVector change_;
  std::vector<double> dense_;  // zeros, except within fill_products()
  Index touched_ = 0;
};

}  // namespace trellis
