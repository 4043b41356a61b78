// The convex hulls of dependency trees over candidate arcs, as linear programs whose parts are the
// arcs and whose auxiliary variables are flows.
//
// All trees: to each word k a unit of flow comes from the root, through arcs as far as these are
// taken (Martins, Smith & Xing 2009; n · A variables).
// Projective trees: flows through Eisner's chart, O(n³) variables.
#pragma once

#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/solve/polytopes/linear_program.h"

namespace trellis {

LinearProgram tree_polytope(const ArcGraph& graph, Roots roots);
LinearProgram projective_tree_polytope(const ArcGraph& graph, Roots roots);

}  // namespace trellis
