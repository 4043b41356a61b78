// The memory of TreeMrf's dynamic programs: grows to the largest tree seen, and is reused.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/oracle_projection.h"
#include "trellis/solve/polytopes/polytope_projection.h"
#include "trellis/solve/vectors/segment_matrix.h"

namespace trellis {

// One for each thread. What it holds is TreeMrf's own business and means nothing after a call.
// "By state" is by (node, label), with one more for the node above the roots.
struct TreeMrfScratch {
  // Room for `size` values, whatever they are: a longer vector is left as it is.
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

  // How one of the k best came about (tree_mrf_kbest.cc).
  struct Derivation {
    double value;
    std::uint32_t left, right;
  };
  struct Vertex {
    std::vector<Derivation> best;        // in order, as far as asked for
    std::vector<Derivation> candidates;  // a heap of what may come next
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
