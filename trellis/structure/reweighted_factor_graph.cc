#include "trellis/structure/reweighted_factor_graph.h"

#include "trellis/solve/factors/local_polytope.h"

namespace trellis {

LinearProgram ReweightedFactorGraph::linear_program() const {
  return local_polytope(layout());
}

}  // namespace trellis
