// Where structure and features meet: a part model knows, for each example i, the structure of its
// outputs, the map w ↦ s = F(x_i)ᵀ w and its transpose, the true output and the costs. The problems
// (hinge_problem.h, smooth_problem.h) turn any part model into an oracle.
//
// Costs that are linear in the parts are vectors p_i, and every problem takes them. Those that are
// not (F_β of a set) come with a maximiser of their own, which the hinge alone asks for, or with a
// search that may miss.
#pragma once

#include <concepts>
#include <span>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/oracle/oracle.h"
#include "trellis/structure/structure.h"

namespace trellis {

// All but the costs.
template <class M>
concept PartScorer = requires(const M& model, Index i, std::span<const double> w,
                              std::span<double> s, std::span<const double> z, double scale,
                              typename M::Workspace& workspace, SparseVector& slope) {
  typename M::Structure;
  typename M::Workspace;
  requires Structure<typename M::Structure>;
  { model.num_examples() } -> std::convertible_to<Index>;
  { model.dimension() } -> std::convertible_to<Index>;
  { model.example_weight(i) } -> std::convertible_to<double>;
  { model.structure(i) } -> std::convertible_to<typename M::Structure>;
  { model.gold(i) } -> std::convertible_to<const typename M::Structure::Output&>;
  model.scores(i, w, s);                          // s ← F(x_i)ᵀ w
  model.add_features(i, z, scale, s);             // s (as large as w) += scale · F(x_i) z
  model.features(i, z, scale, workspace, slope);  // slope ← scale · F(x_i) z, sparse
};

// With costs that are linear in the parts, cost(y, y_i) = p_i·(z(y) − z(y_i)).
template <class M>
concept PartModel = PartScorer<M> &&
    requires(const M& model, Index i, double scale, std::span<double> s) {
  model.add_costs(i, scale, s);  // s += scale · p_i
};

// With any costs ≥ 0, cost(y_i, y_i) = 0, and the output that they make the most of.
template <class M>
concept CostMaximizer = PartScorer<M> &&
    requires(const M& model, Index i, double gamma, std::span<const double> s,
             typename M::Structure::Scratch& scratch, typename M::Workspace& workspace,
             typename M::Structure::Output& y) {
  // y ← argmax s·z(y) + γ cost(y, y_i), whose value is returned
  { model.maximize_augmented(i, gamma, s, scratch, workspace, y) } -> std::convertible_to<double>;
};

// With such costs, and a search that may miss the best output.
template <class M>
concept CostSearcher = PartScorer<M> &&
    requires(const M& model, Index i, double gamma, std::span<const double> s,
             typename M::Structure::Scratch& scratch, typename M::Workspace& workspace,
             typename M::Structure::Output& y) {
  // y ← an output of a high s·z(y) + γ cost(y, y_i), whose value is returned
  { model.search_augmented(i, gamma, s, scratch, workspace, y) } -> std::convertible_to<double>;
  // The same y and value, and what no output exceeds.
  { model.bound_augmented(i, gamma, s, scratch, workspace, y) } -> std::same_as<MaximumBounds>;
};

// With scores that are not linear in w but have a fixed share, s = F(x_i)ᵀ w + o_i
// (centred_model.h).
template <class M>
concept OffsetScorer = PartScorer<M> &&
    requires(const M& model, Index i, std::span<const double> w, std::span<double> s) {
  { model.offsets(i) } -> std::convertible_to<std::span<const double>>;  // o_i; empty: 0
  model.linear_scores(i, w, s);                                          // s ← F(x_i)ᵀ w
};

// The output that makes the most of its cost times what it lacks in margin, where that is positive;
// a cost of 0 stands for none.
struct RescaledMaximum {
  double value = 0;  // cost · (γ + s·(z(y) − z(y_i)))
  double cost = 0;
};

// With any costs ≥ 0, and the output that they make the most of as factors (slack_problem.h).
template <class M>
concept RescaledMaximizer = PartScorer<M> &&
    requires(const M& model, Index i, double gamma, std::span<const double> s,
             typename M::Structure::Scratch& scratch, typename M::Workspace& workspace,
             typename M::Structure::Output& y) {
  // y ← argmax cost(y, y_i) (γ + s·(z(y) − z(y_i)))
  { model.maximize_rescaled(i, gamma, s, scratch, workspace, y) } -> std::same_as<RescaledMaximum>;
};

// The weights that must stay ≥ 0 (WeightRange in oracle/oracle.h), for a model that has such.
template <PartScorer M>
std::span<const WeightRange> nonnegative_weights(const M& model) {
  if constexpr (requires { model.nonnegative(); }) {
    return model.nonnegative();
  } else {
    return {};
  }
}

}  // namespace trellis
