// The linear relaxation of the best assignment of a factor graph (factor_graph_layout.h), by AD³:
// Martins, Figueiredo, Aguiar, Smith & Xing (2015), "AD³: alternating directions dual decomposition
// for MAP inference in graphical models", JMLR 16, Algorithm 2.
//
//   max  Σ_p s_p z_p    z in the local polytope: each factor's part of z is in its convex hull
//
// A factor f has a copy q_f of the states that it is linked to, and a share c of their scores, with
// Σ_l c_l = s_i over the links l of state i; copies agree with p. One after another,
//
//   q_f ← argmax_{conv f} ⟨c, q⟩ + own scores − ½η‖q − p‖²     closed forms, or active_set.h
//   p_i ← the mean of the copies of state i
//   c_l ← c_l − η(q_l − p_i)
//
// where copies move half a step further (over-relaxation: Eckstein & Bertsekas 1992), and η adapts
// so that copies and p converge at the same rate. A variable of two or more states is a ONE-OF
// factor of its own unless a TABLE or SEQUENCE implies that constraint.
//
// PAIRs with score 0 have no effect and are left out; so are those of fixed states.
//
// Any shares c give an upper bound, Σ_f max_f, and p gives a lower bound if it rounds to a legal
// assignment. If the bounds meet, the assignment is optimal.
//
// Results depend only on the arguments, to the bit, whatever the object has computed before.
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
  // Root mean squares, over links, of q − p and of the last change of p: if both are below this
  // value, z counts as the solution.
  double residual = 1e-6;
  // An assignment within this distance of the bound, relative to |bound| plus the largest |score|,
  // counts as optimal.
  double gap = 1e-9;
};

struct Ad3Result {
  double upper = kInfinity;   // no legal assignment scores more; −∞: there is none
  double lower = -kInfinity;  // the score of Ad3::assignment(); −∞: no legal one was found
  bool integral = false;      // the bounds meet, and z is the assignment's indicator
  // For the residual of Ad3Options; the residual is 0 if the bounds meet.
  Convergence convergence;
};

// Reuses its memory in repeated calls; use one object per thread.
class Ad3 {
 public:
  Ad3();
  ~Ad3();
  Ad3(Ad3&&) noexcept;
  Ad3& operator=(Ad3&&) noexcept;

  // z, of num_parts(), is in the local polytope up to the residual.
  Ad3Result solve(const FactorGraphLayout& graph, std::span<const double> s,
                  const Ad3Options& options, std::span<double> z);
  // The assignment of the last result with a lower bound above −∞: a value for each variable.
  std::span<const std::uint32_t> assignment() const;

  // The same in steps, for searches that fix states. `graph` and `s` must outlive the calls.
  void begin(const FactorGraphLayout& graph, std::span<const double> s);
  void fix(Index state, bool on);
  void release(Index state);
  // Fixes a literal permanently, for assignments too.
  void require(const Literal& literal);
  bool is_fixed(Index state) const;
  // Continues from the current state. The assignment may be any legal one with the fixed states.
  Ad3Result run(const Ad3Options& options);
  // For searches: it considers only assignments whose score exceeds `least`, and that of the best
  // assignment so far, by more than `tolerance`. It stops if the upper bound under the fixed states
  // proves that there is none. States that the bound proves to be on (or off) are fixed and added
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
