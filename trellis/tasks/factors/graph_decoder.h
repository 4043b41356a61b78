// Prediction: the best values of a graph's variables under weights, or the best point of its
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
  // A value for each variable. Of a fractional point: the state that is most on, legal or not.
  std::vector<std::uint32_t> values;
  // Of the values; of the relaxation: what no legal assignment has more than.
  double score = 0;
  double gap = 0;  // of a search that the limit ended: the best may score this much more
  // Of the relaxation.
  std::vector<double> z;
  bool whole = true;  // the point is an assignment, and the best there is
  Convergence convergence;
};

class GraphDecoder {
 public:
  struct Scratch {
    std::vector<double> scores;
    MapSearch search;
    Ad3 relaxation;
  };

  // The weights must outlive it. `inference` is exact or relaxed.
  GraphDecoder(std::span<const double> w, Inference inference, Index search_limit = kSearchLimit)
      : w_(w), inference_(inference), search_limit_(search_limit) {}

  // Of all parts; lives in the scratch.
  std::span<const double> scores(const GraphRecord& graph, Scratch& scratch) const;
  // Throws InputError for a graph without a legal assignment, or where the search reached its limit
  // before it found one. The relaxation need not notice.
  void decode(const GraphRecord& graph, Scratch& scratch, Decoded& found) const;

 private:
  std::span<const double> w_;
  Inference inference_;
  Index search_limit_;
};

// The inference that predicts where that one learns: sums have no best output.
constexpr Inference decoding_of(Inference inference) {
  return inference == Inference::kRelaxed ? Inference::kRelaxed : Inference::kExact;
}

// Each state's share of a point or of marginals, as values of the variable: of a switch, off and
// on.
double share_of(const FactorGraphLayout& layout, std::span<const double> z, Index variable,
                Index value);

// Against the truth of the graphs, or of those whose numbers are `chosen`.
FactorsScores evaluate(const GraphDecoder& decoder, std::span<const GraphRecord> graphs,
                       const Domains& domains, int threads, std::span<const Index> chosen = {});

}  // namespace trellis::factors
