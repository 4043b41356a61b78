// The local polytope of a factor graph: a relaxation of the convex hull of its legal assignments,
// in which each factor constrains only its own variables (Wainwright & Jordan 2008, sec. 4.1.1;
// Martins, Figueiredo, Aguiar, Smith & Xing 2015, eq. (6)). Each factor's rows describe the convex
// hull of the assignments that it allows. So the polytope of a single factor, or of an acyclic
// graph, is the hull; others are relaxations, whose integer points are the legal assignments.
//
//   a variable of arity ≥ 2   Σ_k z_k = 1
//   TABLE        Σ of the own parts with v in state k = z_k; their total is 1
//   SEQUENCE     Σ_b z_tab = z_ta and Σ_a z_tab = z_{t+1,b}
//   PAIR         z_ab ≤ z_a,  z_ab ≤ z_b,  z_ab ≥ z_a + z_b − 1
//   HEAD         a unit flow from end to end: the flow into k is z_k, and so is the flow out of k
//   ONE-OF, AT-MOST-ONE, OR, BUDGET   limits on the number of true literals
//   TREE         flows (solve/arborescences/tree_polytopes.h)
#pragma once

#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/polytopes/linear_program.h"

namespace trellis {

// The variables are the parts of the layout, followed by the flows of TREE factors.
LinearProgram local_polytope(const FactorGraphLayout& layout);

}  // namespace trellis
