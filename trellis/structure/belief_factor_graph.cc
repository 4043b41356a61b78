#include "trellis/structure/belief_factor_graph.h"

#include "trellis/solve/factors/local_polytope.h"

namespace trellis {

LinearProgram BeliefFactorGraph::linear_program() const {
  return local_polytope(*layout_);
}

}  // namespace trellis
