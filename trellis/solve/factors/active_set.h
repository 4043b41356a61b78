// The quadratic program of a factor of which all that is known is its best vertex in a direction
// (Martins, Figueiredo, Aguiar, Smith & Xing 2015, sec. 6: the active set method of Nocedal &
// Wright 2006, sec. 16.5):
//
//   min  ½η‖q‖² − ⟨b, q⟩ − Σ_k w_k o_k,      q = Σ_k w_k u_k,   w ≥ 0,  Σ_k w_k = 1
//
// over mixes of the factor's vertices u_k ∈ {0,1}^L, whose own parts have the score o_k. On the
// active vertices the weights solve
//
//   η (⟨u_k, u_l⟩ + 1)_kl w = r − μ1,    r_k = ⟨b, u_k⟩ + o_k,    Σ_k w_k = 1 .
//
// A vertex joins that is best for the scores b − ηq, and those leave whose weights would become
// negative. A vertex in the affine hull of the active ones takes the place of one of them: along
// that line the objective is linear. The set is kept from call to call, and where b has changed
// little, so has the set: then a call is one solution of the system and one best vertex.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/vertex_mix.h"

namespace trellis {

class ActiveSet {
 public:
  void clear() { active_.clear(); }
  bool empty() const { return active_.empty(); }
  Index size() const { return active_.size(); }

  // maximize(scores, on) → the best vertex's value, as FactorMaximum::solve does; own(on) → the
  // score of a vertex's own parts. `direction` and `on` are memory. Writes q; kDone: the minimum up
  // to rounding; kGoesOn: stopped after `most_steps` vertices, from which the next call continues.
  enum class Outcome { kDone, kGoesOn, kNoVertex };
  template <class Maximize, class Own>
  Outcome solve(std::span<const double> b, double eta, const Maximize& maximize, const Own& own,
                Index most_steps, std::vector<double>& direction, std::vector<std::uint32_t>& on,
                std::span<double> q);

  // visit(weight, links that are on) for each active vertex.
  template <class Visit>
  void each_vertex(const Visit& visit) const {
    for (Index k = 0; k < size(); ++k) visit(active_[k].weight, active_[k].vertex.on);
  }

 private:
  struct Vertex {
    std::vector<std::uint32_t> on;
    double own = 0;  // o
  };
  using Active = VertexMix<Vertex>::Active;

  void reward(std::span<const double> b, Active& active) const;
  Active& append(std::span<const std::uint32_t> on, double own);
  void mix(std::span<double> q) const;
  bool join(std::span<const double> b, std::span<const std::uint32_t> on, double own);
  bool exchange();
  // Σ_k w_k r_k − η‖q‖²: what the active vertices reach for the scores b − ηq.
  double reached(double eta, std::span<const double> q) const;
  static bool is_better(double value, double reached, double eta);

  // Squares of distances are whole numbers over whole numbers; what is below is rounding.
  static constexpr double kDependent = 1e-9;

  VertexMix<Vertex> active_{kDependent};
  std::vector<std::uint8_t> mark_;  // by link
};

template <class Maximize, class Own>
ActiveSet::Outcome ActiveSet::solve(std::span<const double> b, double eta, const Maximize& maximize,
                                    const Own& own, Index most_steps,
                                    std::vector<double>& direction, std::vector<std::uint32_t>& on,
                                    std::span<double> q) {
  direction.resize(b.size());
  if (empty()) {
    if (maximize(b, on) == -kInfinity) return Outcome::kNoVertex;
    join(b, on, own(on));
  }
  for (Index k = 0; k < size(); ++k) reward(b, active_[k]);
  for (Index step = 0;; ++step) {
    // A newcomer that leaves at once has changed nothing, and would come again.
    if (!active_.settle(eta) && step > 0) return Outcome::kDone;
    mix(q);
    if (step == most_steps) return Outcome::kGoesOn;
    for (Index l = 0; l < b.size(); ++l) direction[l] = b[l] - eta * q[l];
    const double value = maximize(std::span<const double>(direction), on);
    if (!is_better(value, reached(eta, q), eta) || !join(b, on, own(on))) {
      return Outcome::kDone;
    }
  }
}

}  // namespace trellis
