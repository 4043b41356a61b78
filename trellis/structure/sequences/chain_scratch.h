// The memory of Chain's dynamic programs: grows to the longest sequence so far, and is reused.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/oracle_projection.h"
#include "trellis/solve/polytopes/polytope_projection.h"
#include "trellis/structure/sequences/chain_states.h"

namespace trellis {

// Use one per thread. Only Chain reads the content, which has no meaning after a call. Messages at
// position t are indexed by state, num_states() apart.
struct ChainScratch {
  using State = ChainStates::State;

  // Memory for `size` unspecified values; never shrinks a vector.
  static void grow(std::vector<double>& values, Index size) {
    if (values.size() < size) values.resize(size);
  }

  // A sidetrack of k_best: one step that leaves the best path, with another predecessor.
  struct Sidetrack {
    double loss;      // the loss of the step against the best one, ≥ 0
    std::uint32_t t;  // the position of that predecessor
    State state;      // and its state
    std::uint32_t left, right;
    std::uint32_t rank;  // of a leftist heap
  };
  // A path of k_best: the parent's sidetracks, and one more.
  struct Path {
    double loss;
    double parent_loss;
    std::uint32_t sidetrack;
    std::uint32_t parent;
  };

  // The part scores with hard constraints as −∞ (Chain::Passes::prepare). `node` has the slots of
  // ChainStates, node_stride apart; the pointers refer to the caller's scores if nothing had to be
  // changed, otherwise to the vectors below.
  const double* node = nullptr;
  const double* table = nullptr;
  Index node_stride = 0;
  std::vector<double> node_copy, table_copy;
  std::vector<double> first;  // by label: start score and node score at t = 0
  std::vector<double> stop;   // by state, of those that can stand at T−1; −∞ elsewhere

  // Messages.
  std::vector<double> forward;   // T × S
  std::vector<double> backward;  // S, or T × S in the log domain
  std::vector<double> incoming;  // node and backward together: a chunk × S

  // The scaled domain: exponentials of these scores, and the factors removed from them:
  std::vector<double> exp_node, exp_table, exp_stop;
  Index exp_stride = 0;      // from the table of a position to that of the next
  std::vector<double> best;  // f at two positions
  std::vector<double> shifts;
  std::vector<double> scales;  // powers of two, by position
  double total = 0;            // Σ over the last position

  std::vector<double> slot_sums, row;
  std::vector<Sidetrack> sidetracks;
  std::vector<std::uint32_t> heaps;  // of each (t, state)
  std::vector<Path> paths;
  std::vector<std::uint32_t> queue;
  std::vector<State> best_before;  // of each (t, state) with a heap
  std::vector<State> trail;
  std::vector<std::uint32_t> taken;

  ProjectionCache projections;
  std::vector<std::uint32_t> projection_key;
  OracleProjectionScratch counts;  // projections of tied chains
  std::vector<Label> output;
};

}  // namespace trellis
