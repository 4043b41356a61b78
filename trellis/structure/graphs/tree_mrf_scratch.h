// The memory of TreeMrf's dynamic programs: grows to the largest tree so far, and is reused.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/oracle_projection.h"
#include "trellis/solve/polytopes/polytope_projection.h"
#include "trellis/solve/vectors/segment_matrix.h"

namespace trellis {

// Use one per thread. Only TreeMrf reads the content, which has no meaning after a call. "By state"
// is by (node, label), with one more for the node above the roots.
struct TreeMrfScratch {
  // Memory for `size` unspecified values; never shrinks a vector.
  static void grow(std::vector<double>& values, Index size) {
    if (values.size() < size) values.resize(size);
  }

  std::vector<double> node;      // by state: node scores, −∞ where a label is not allowed
  std::vector<double> up;        // by state: the best (or log Σ exp) of the subtree below
  std::vector<double> messages;  // by message: the best of the parent and its children so far
  std::vector<double> down;      // by state: probabilities
  std::vector<double> table;     // an edge's table, transposed
  std::vector<double> sums;      // its marginals, transposed
  std::vector<double> row, buffer, zeros;
  std::vector<SegmentMatrix::Row> rows;

  // The origin of one of the k best (tree_mrf_kbest.cc).
  struct Derivation {
    double value;
    std::uint32_t left, right;
  };
  struct Vertex {
    std::vector<Derivation> best;        // in order, as far as requested
    std::vector<Derivation> candidates;  // a heap of candidates for the next one
    bool begun = false;
    bool pending = false;    // the successors of best.back() are not among the candidates yet
    bool exhausted = false;  // nothing comes next
  };
  struct Request {
    Index vertex;
    Index rank;
  };
  struct Choice {
    Index node;
    Index parent_label;
    Index rank;
  };
  std::vector<Vertex> vertices;
  std::vector<Index> touched;  // vertices that have begun
  std::vector<Request> requests;
  std::vector<Choice> choices;
  std::vector<Index> last_child, previous_sibling;

  ProjectionCache projections;
  std::vector<std::uint32_t> projection_key;
  OracleProjectionScratch counts;  // projections of tied tables
  std::vector<Label> output;
};

}  // namespace trellis
