// What a run by draws says of them: how hard they were to come by, and how sure the gradient is.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/problem/monte_carlo_problem.h"
#include "trellis/structure/covering_matching.h"
#include "trellis/tasks/match/graph_model.h"

namespace trellis::match {

struct DrawFigures {
  Index draws = 0;            // of a gradient; 0: nothing was drawn
  double acceptance = 0;      // accepted draws of those tried, of all examples together
  double gradient_norm = 0;   // of the estimated objective
  double gradient_error = 0;  // its standard error: √(Σ_k Var g_k)
};

// At the weights w of the objective with that λ; a variance needs 2 draws or more.
DrawFigures draw_figures(const GraphModel<CoveringMatching>& model,
                         const MonteCarloOptions& options, double lambda, std::span<const double> w,
                         int threads);

}  // namespace trellis::match
