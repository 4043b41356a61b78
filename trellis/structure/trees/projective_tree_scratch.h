// The memory of ProjectiveTree's dynamic programs: grows to the longest sentence seen, and is
// reused.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/projective_spans.h"
#include "trellis/solve/arborescences/projective_sums.h"
#include "trellis/solve/polytopes/oracle_projection.h"

namespace trellis {

// Use one per thread. Only ProjectiveTree reads the content, which has no meaning after a call.
struct ProjectiveTreeScratch {
  ProjectiveSpans spans;
  std::vector<ProjectiveSpans::Span> open;
  ProjectiveSums sums;

  // How one of the k best came about (projective_tree_kbest.cc).
  struct Derivation {
    double value;
    std::uint32_t choice;  // k, or the part
    std::uint32_t left, right;
  };
  struct Vertex {
    std::vector<Derivation> best;        // in order, as far as asked for
    std::vector<Derivation> candidates;  // a heap of what may come next
    bool pending = false;    // the successors of best.back() are not among the candidates yet
    bool exhausted = false;  // nothing comes next
  };
  struct Request {
    Index vertex;
    Index rank;
  };
  std::deque<Vertex> vertices;       // in the order in which they were begun
  std::vector<std::uint32_t> slots;  // of a vertex: 1 + its place there, or 0
  std::vector<Index> begun;
  std::vector<Request> requests, choices;

  OracleProjectionScratch projection;
  std::vector<std::uint32_t> best;
};

}  // namespace trellis
