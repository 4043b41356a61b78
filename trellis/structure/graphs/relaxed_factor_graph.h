// The local polytope of a factor graph (FactorGraph::linear_program) as a structure of its own.
// Relaxed training uses it; its loss is an upper bound of the exact one (Kulesza & Pereira 2007;
// Martins, Smith & Xing 2009). Parts are those of FactorGraph.
//
// Outputs are points of the polytope, such as the indicator of an assignment. maximize is AD³
// (solve/factors/ad3.h): its value is the upper bound of AD³, which is not below the score of any
// legal assignment, up to rounding, and equals that of the point if it is integral. Otherwise the
// point is in the polytope and attains the value up to the residual; scratch.result describes the
// end of the iteration. Hence search() returns both, the score of the point and the bound: the
// former gives cuts of the relaxed loss, the latter objectives, however early AD³ was stopped. (A
// point that is in the polytope only up to the residual gives a cut up to that.)
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/ad3.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/graphs/factor_graph.h"
#include "trellis/structure/standing.h"
#include "trellis/structure/structure.h"

namespace trellis {

class RelaxedFactorGraph {
 public:
  using Output = std::vector<double>;  // z
  struct Scratch {
    Ad3 ad3;
    Ad3Result result;  // of the last maximize
  };
  static constexpr Standing kMaximumStanding = Standing::kUpperBound;
  // Closer than a parser needs: what is left of the residual is how far cuts may be off.
  static constexpr Ad3Options kOptions{2000, 1e-8, 1e-9};

  // `layout` must outlive the structure.
  explicit RelaxedFactorGraph(const FactorGraphLayout& layout, const Ad3Options& options = kOptions)
      : exact_(layout), options_(options) {}

  const FactorGraph& exact() const { return exact_; }
  const FactorGraphLayout& layout() const { return exact_.layout(); }
  Index num_parts() const { return exact_.num_parts(); }

  // Whether a point lies within `slack` of the polytope in each part; by a linear program.
  bool legal(const Output& y, double slack = 1e-5) const;
  void indicator(const Output& y, std::span<double> z) const;
  double score(std::span<const double> s, const Output& y) const;

  // −∞ where no assignment is legal and AD³ finds that out; then y is empty.
  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  MaximumBounds search(std::span<const double> s, Scratch& scratch, Output& y) const;
  LinearProgram linear_program() const { return exact_.linear_program(); }

 private:
  FactorGraph exact_;
  Ad3Options options_;
};

static_assert(Maximizer<RelaxedFactorGraph> && Searcher<RelaxedFactorGraph> &&
              standing_of_maximum<RelaxedFactorGraph>() == Standing::kUpperBound);

}  // namespace trellis
