// Sets of labels in which pairs attract each other (Petterson & Caetano 2011; Petterson 2011, sec.
// 4.2 and appendix B): y ∈ {0, 1}^V, and for a list of pairs vw
//
//   s·z(y) = Σ_v s_v y_v + Σ_{vw} s_vw y_v y_w,      s_vw ≥ 0
//
// Parts, in this order: label v, z_v = y_v, is part v; pair p = vw, z_p = y_v y_w, is part V + p.
// The scores of pairs must be finite and ≥ 0: maximize throws UsageError where one is not, and
// names the pair. On the side of the weights that is a sign constraint (Oracle::nonnegative) on
// features ≥ 0.
//
// Z = { 0 ≤ z ≤ 1,  z_vw ≤ z_v,  z_vw ≤ z_w }: rows with one 1 and one −1 are totally unimodular,
// so its vertices are whole. Its best points for scores with s_vw ≥ 0 have z_vw = min(z_v, z_w) and
// are outputs; z_vw = 0 between two labels that are given is a vertex as well, for other scores.
//
// maximize: y_v y_w = ½ (y_v + y_w − [y_v ≠ y_w]), so with supplies s_v + ½ Σ_w s_vw and capacities
// ½ s_vw in both directions this is a minimum cut (solve/flows/max_flow.h), exact to its quantum.
// Of several best sets the smallest, which is a part of all others.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"
#include "trellis/solve/flows/max_flow.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/structure.h"

namespace trellis {

struct PairwiseLabelScratch {
  MaxFlow max_flow;
  std::vector<double> supply, capacity;  // by label, by pair
};

class PairwiseLabelSet {
 public:
  using Output = std::vector<Label>;  // 0 or 1 for each label
  using Scratch = PairwiseLabelScratch;
  static constexpr bool kSignedScores = true;  // see Structure

  // `pairs` must outlive the structure and its copies. Throws UsageError for a pair of equal
  // labels, with a label that does not exist, or that occurs twice (in either direction). This
  // check sorts the pairs; a copy costs nothing: construct once and copy.
  PairwiseLabelSet(Index num_labels, std::span<const NodePair> pairs);

  Index num_labels() const { return num_labels_; }
  std::span<const NodePair> pairs() const { return pairs_; }
  Index num_parts() const { return num_labels_ + pairs_.size(); }
  Index pair_part(Index p) const { return num_labels_ + p; }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)
  // Throws UsageError unless the scores of all pairs are finite and ≥ 0.
  void require_attraction(std::span<const double> s) const;

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  LinearProgram linear_program() const;

 private:
  Index num_labels_;
  std::span<const NodePair> pairs_;
};

static_assert(Maximizer<PairwiseLabelSet> && !Summer<PairwiseLabelSet>);

}  // namespace trellis
