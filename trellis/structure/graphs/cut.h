// Binary labels y_j ∈ {0, 1} for the nodes of any graph, where neighbours like to agree: Markov
// networks with submodular potentials (Greig, Porteous & Seheult 1989; Lacoste-Julien 2009,
// sec. 2.2.2).
//
//   s·z(y) = Σ_j s_j y_j + Σ_{e = jk} s_e [y_j ≠ y_k]                            Potts edges
//   s·z(y) = Σ_j s_j y_j + Σ_{e = jk} a_e y_j + b_e y_k + s_e [y_j ≠ y_k]        table edges
//
// The table of a table edge, for (y_j, y_k) = 00, 01, 10, 11, is 0, b + s, a + s, a + b: up to a
// constant every 2 × 2 table is one of these, and it is submodular iff s ≤ 0. Parts, in this order:
//
//   node j      z_j = y_j                                   part j
//   edge e      [y_j ≠ y_k]                                 part n + e          (Potts)
//               y_j,  y_k,  [y_j ≠ y_k]                     parts n + 3e + 0, 1, 2   (tables)
//
// The scores of disagreement, s_e, must be ≤ 0: maximize throws UsageError where one is not. On the
// side of the weights that is a sign constraint (Oracle::nonnegative) on features that are ≥ 0.
//
// Z = { 0 ≤ z_j ≤ 1,  |z_j − z_k| ≤ z_e ≤ 1 }, and copies of z_j in tables equal to z_j. Its best
// points for scores with s_e ≤ 0 are outputs; z_e = 1 between equal labels is a vertex as well, for
// other scores.
//
// maximize: a minimum cut (solve/flows/max_flow.h, exact to its quantum); of several best outputs
// the one with the fewest 1s, which is below all others. project: solve/flows/tension_projection.h.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"
#include "trellis/solve/flows/max_flow.h"
#include "trellis/solve/flows/tension_projection.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/structure.h"

namespace trellis {

enum class CutEdges { kPotts, kTable };

struct CutScratch {
  MaxFlow max_flow;
  std::vector<double> supply, capacity;  // by node, by edge
  TensionProjection projection;
  std::vector<double> weight, mean, edge_value;
};

class CutNetwork {
 public:
  using Output = std::vector<Label>;  // 0 or 1 for each node
  using Scratch = CutScratch;
  static constexpr bool kSignedScores = true;  // see Structure

  // `edges` must outlive the network and its copies. Throws UsageError for an edge with equal ends,
  // with a node that does not exist, or that occurs twice (in either direction). This check sorts
  // the edges; a copy costs nothing: construct a network once and copy it.
  CutNetwork(Index num_nodes, std::span<const NodePair> edges, CutEdges kind = CutEdges::kPotts);

  Index num_nodes() const { return num_nodes_; }
  std::span<const NodePair> edges() const { return edges_; }
  CutEdges kind() const { return kind_; }
  Index num_parts() const { return num_nodes_ + edge_stride() * edges_.size(); }
  Index node_part(Index j) const { return j; }
  // [y_j ≠ y_k] of an edge; in a table, y_j and y_k stand before it.
  Index disagreement_part(Index e) const { return table_part(e) + edge_stride() - 1; }
  Index table_part(Index e) const { return num_nodes_ + edge_stride() * e; }  // the first of edge e

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  void project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;
  LinearProgram linear_program() const;

 private:
  bool tables() const { return kind_ == CutEdges::kTable; }
  Index edge_stride() const { return tables() ? 3 : 1; }

  Index num_nodes_;
  std::span<const NodePair> edges_;
  CutEdges kind_;
};

static_assert(Maximizer<CutNetwork> && Projector<CutNetwork>);

}  // namespace trellis
