// The local polytope of a factor graph: what is left of the convex hull of its legal assignments
// when each factor minds its own variables alone (Wainwright & Jordan 2008, sec. 4.1.1; Martins,
// Figueiredo, Aguiar, Smith & Xing 2015, eq. (6)). Each factor's rows describe the hull of what the
// factor itself allows, so that of a graph with a single factor the polytope is the hull, as it is
// of an acyclic graph; of others it is a relaxation, whose whole points are the legal assignments.
//
//   a variable of arity ≥ 2   Σ_k z_k = 1
//   TABLE        Σ of the own parts with v in state k = z_k; all together 1
//   SEQUENCE     Σ_b z_tab = z_ta and Σ_a z_tab = z_{t+1,b}
//   PAIR         z_ab ≤ z_a,  z_ab ≤ z_b,  z_ab ≥ z_a + z_b − 1
//   HEAD         a unit flows from end to end: what comes to k is z_k, and so is what leaves it
//   ONE-OF, AT-MOST-ONE, OR, BUDGET   the number of literals that hold
//   TREE         flows (solve/arborescences/tree_polytopes.h)
#pragma once

#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/polytopes/linear_program.h"

namespace trellis {

// Parts are those of the layout; the flows of TREE factors stand behind them.
LinearProgram local_polytope(const FactorGraphLayout& layout);

}  // namespace trellis
