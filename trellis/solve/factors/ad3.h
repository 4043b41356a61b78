// The linear relaxation of the best assignment of a factor graph (factor_graph_layout.h), by AD³:
// Martins, Figueiredo, Aguiar, Smith & Xing (2015), "AD³: alternating directions dual decomposition
// for MAP inference in graphical models", JMLR 16, Algorithm 2.
//
//   max  Σ_p s_p z_p    z in the local polytope: each factor's part of z is a mix of what it allows
//
// A factor f has its own copy q_f of the states that it is linked to, and a share c of their
// scores, with Σ_l c_l = s_i over the links l of state i; copies agree with p. In turn
//
//   q_f ← argmax_{conv f} ⟨c, q⟩ + own scores − ½η‖q − p‖²     closed forms, or active_set.h
//   p_i ← the mean of the copies of state i
//   c_l ← c_l − η(q_l − p_i)
//
// with copies moved on by half a step more (over-relaxation: Eckstein & Bertsekas 1992) and η
// adapted such that copies and p settle alike. A variable of two or more states is a ONE-OF factor
// of its own where no TABLE or SEQUENCE says so already.
//
// PAIRs whose score is 0 say nothing and are left out, as are those of states that are fixed.
//
// Any shares c give an upper bound, Σ_f max_f, and p a legal assignment where it rounds to one:
// where these two meet, the assignment is the best there is.
//
// Results depend on the arguments alone; the same bits for any past of the object.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/convergence.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis {

struct Ad3Options {
  Index max_iterations = 1000;
  // Root mean squares, over links, of q − p and of the last change of p: where both are below, z is
  // taken for the solution.
  double residual = 1e-6;
  // An assignment within this of the bound, relative to |bound| and the largest |score|
  // together, is taken for the best.
  double gap = 1e-9;
};

struct Ad3Result {
  double upper = kInfinity;   // no legal assignment scores more; −∞: there is none
  double lower = -kInfinity;  // the score of Ad3::assignment(); −∞: no legal one was found
  bool integral = false;      // the bounds meet, and z is the assignment's indicator
  // Of the residual of Ad3Options, which is 0 where the bounds meet.
  Convergence convergence;
};

// Holds its memory, which repeated calls reuse; one for each thread.
class Ad3 {
 public:
  Ad3();
  ~Ad3();
  Ad3(Ad3&&) noexcept;
  Ad3& operator=(Ad3&&) noexcept;

  // z, of num_parts(), is in the local polytope up to the residual.
  Ad3Result solve(const FactorGraphLayout& graph, std::span<const double> s,
                  const Ad3Options& options, std::span<double> z);
  // Of the last result with a lower bound above −∞: a value for each variable.
  std::span<const std::uint32_t> assignment() const;

  // The same in steps, for searches, which fix states. `graph` and `s` must live on.
  void begin(const FactorGraphLayout& graph, std::span<const double> s);
  void fix(Index state, bool on);
  void release(Index state);
  // For good, and for assignments too.
  void require(const Literal& literal);
  bool is_fixed(Index state) const;
  // Goes on from where it is. The assignment may be any legal one with what is required.
  Ad3Result run(const Ad3Options& options);
  // For searches: only what scores above `least`, and above the assignment found so far, by more
  // than `tolerance` is looked for. Stops where the upper bound, given what is fixed, says that
  // there is no such thing; states that by the bound must then be on, or off, are fixed and added
  // to `implied`.
  Ad3Result run(const Ad3Options& options, double least, double tolerance,
                std::vector<Literal>& implied);
  std::span<const double> point() const;  // by state
  void write(std::span<double> z) const;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace trellis
