// The memory that one thread of a problem reuses from example to example.
#pragma once

#include <span>
#include <vector>

#include "trellis/oracle/oracle.h"
#include "trellis/problem/part_model.h"

namespace trellis {

template <PartScorer M>
struct ProblemScratch : public Scratch {
  std::vector<double> scores;  // s
  std::vector<double> parts;   // z, or the marginals
  std::vector<double> truth;   // a second vector of parts
  typename M::Structure::Scratch structure;
  typename M::Structure::Output output;
  std::vector<ScoredOutput<typename M::Structure::Output>> best;
  std::vector<typename M::Structure::Output> draws;
  typename M::Workspace features;

  // Grows, never shrinks: no allocation once the largest example has been seen.
  void resize(Index num_parts) {
    if (scores.size() < num_parts) {
      scores.resize(num_parts);
      parts.resize(num_parts);
      truth.resize(num_parts);
    }
  }
};

// z ← z(ŷ) − z(y) for the vector of parts `z` that holds z(ŷ) or the marginals.
inline void subtract(std::span<double> z, std::span<const double> truth) {
  for (Index p = 0; p < z.size(); ++p) z[p] -= truth[p];
}

}  // namespace trellis
