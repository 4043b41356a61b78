// Prediction: the best values of a graph's variables for given weights, or the best point of the
// relaxation. Const and thread-safe for distinct scratch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/convergence.h"
#include "trellis/solve/factors/ad3.h"
#include "trellis/solve/factors/map_search.h"
#include "trellis/tasks/factors/factors_scores.h"
#include "trellis/tasks/factors/graph_file.h"
#include "trellis/tasks/factors/inference.h"

namespace trellis::factors {

struct Decoded {
  // A value for each variable. For a fractional point: that with the largest share, legal or not.
  std::vector<std::uint32_t> values;
  // The score of the values; for the relaxation: an upper bound for all legal assignments.
  double score = 0;
  double gap = 0;  // if a limit ended the search: the best may score higher by this
  // The point of the relaxation; otherwise empty.
  std::vector<double> z;
  bool whole = true;  // the point is an assignment, and hence the best one
  Convergence convergence;
};

class GraphDecoder {
 public:
  struct Scratch {
    std::vector<double> scores;
    MapSearch search;
    Ad3 relaxation;
  };

  // The weights must outlive the object. `inference` must be exact or relaxed.
  GraphDecoder(std::span<const double> w, Inference inference, Index search_limit = kSearchLimit)
      : w_(w), inference_(inference), search_limit_(search_limit) {}

  // The scores of all parts, stored in the scratch.
  std::span<const double> scores(const GraphRecord& graph, Scratch& scratch) const;
  // Throws InputError for a graph without a legal assignment (which the relaxation may not detect),
  // or if the search reaches its limit before it finds one.
  void decode(const GraphRecord& graph, Scratch& scratch, Decoded& found) const;

 private:
  std::span<const double> w_;
  Inference inference_;
  Index search_limit_;
};

// The inference for prediction after training with `inference`: sums have no best output.
constexpr Inference decoding_of(Inference inference) {
  return inference == Inference::kRelaxed ? Inference::kRelaxed : Inference::kExact;
}

// The share of each state in a point or in marginals, by value of the variable; a switch has the
// values off and on.
double share_of(const FactorGraphLayout& layout, std::span<const double> z, Index variable,
                Index value);

// Evaluates on the graphs, or on those with the numbers `chosen`.
FactorsScores evaluate(const GraphDecoder& decoder, std::span<const GraphRecord> graphs,
                       const Domains& domains, int threads, std::span<const Index> chosen = {});

}  // namespace trellis::factors
