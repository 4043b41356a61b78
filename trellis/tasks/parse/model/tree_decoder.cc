#include "trellis/tasks/parse/model/tree_decoder.h"

#include "trellis/base/error.h"
#include "trellis/tasks/parse/model/arc_model.h"

namespace trellis::parse {
namespace {

// The expected reduction of risk by a labelled arc, from the probabilities of labelled arcs.
void write_worth(const DependencyArcs& arcs, std::span<const double> marginals,
                 std::vector<double>& worth) {
  worth.resize(arcs.size());
  for (Index g = 0; g < arcs.num_groups(); ++g) {
    double of_head = 0;
    for (Index p = arcs.group_begin(g); p < arcs.group_begin(g + 1); ++p) of_head += marginals[p];
    for (Index p = arcs.group_begin(g); p < arcs.group_begin(g + 1); ++p) {
      worth[p] = (1 - kLabelCost) * of_head + kLabelCost * marginals[p];
    }
  }
}

}  // namespace

DecodeOptions DecodeOptions::over(const DecodeOptions& standard) const {
  DecodeOptions options = *this;
  if (!options.decoding) options.decoding = standard.decoding;
  if (!options.sums) options.sums = standard.sums;
  if (!options.limits.any() && options.sums == standard.sums) options.limits = standard.limits;
  return options;
}

void DecodeOptions::check(Index order) const {
  if (order == 1 && (sums || limits.any())) {
    throw UsageError("a first-order parser is exact: --inference and its limits require --order 2");
  }
  if (sums == PairInference::kRelaxed) {
    throw UsageError("--inference relaxed gives no probabilities: choose beliefs or reweighted");
  }
  limits.check(sums.value_or(PairInference::kBeliefs));
}

DecodedTree TreeDecoder::decode(const DependencyArcs& arcs, const ArcPairGraph* pairs,
                                std::span<const double> s, Scratch& scratch,
                                std::vector<std::uint32_t>& tree) const {
  if (options_.risk()) return least_risk(arcs, pairs, s, scratch, tree);
  if (pairs != nullptr) {
    const MapResult found = scratch.search.solve(arcs, *pairs, s, kMostSearchRuns, tree);
    return {found.value, found.proven, true};
  }
  return {with_arcs(arcs, scratch, [&](const auto& structure, auto& memory) {
    return structure.maximize(s, memory, tree);
  })};
}

DecodedTree TreeDecoder::least_risk(const DependencyArcs& arcs, const ArcPairGraph* pairs,
                                    std::span<const double> s, Scratch& scratch,
                                    std::vector<std::uint32_t>& tree) const {
  Convergence convergence{true};
  scratch.marginals.resize(s.size());
  const double log_sum = sum(arcs, pairs, s, scratch, scratch.marginals, convergence);
  const bool converged = convergence.converged && log_sum > kImpossible;
  write_worth(arcs, scratch.marginals, scratch.worth);
  return with_arcs(arcs, scratch, [&](const auto& structure, auto& memory) -> DecodedTree {
    structure.maximize(scratch.worth, memory, tree);
    if (tree.size() < arcs.words()) return {};
    const double score =
        pairs == nullptr ? structure.score(s, tree) : LabelFold(arcs, *pairs).score(s, tree);
    return {score, true, converged};
  });
}

double TreeDecoder::log_partition(const DependencyArcs& arcs, const ArcPairGraph* pairs,
                                  std::span<const double> s, Scratch& scratch,
                                  std::span<double> marginals) const {
  Convergence convergence;
  return sum(arcs, pairs, s, scratch, marginals, convergence);
}

double TreeDecoder::sum(const DependencyArcs& arcs, const ArcPairGraph* pairs,
                        std::span<const double> s, Scratch& scratch, std::span<double> marginals,
                        Convergence& convergence) const {
  if (pairs == nullptr) {
    return with_arcs(arcs, scratch, [&](const auto& structure, auto& memory) {
      return structure.log_partition(s, memory, marginals);
    });
  }
  if (options_.sums == PairInference::kReweighted) {
    const ForestCover cover(pairs->layout());
    const ReweightedFactorGraph graph(cover, options_.limits.of(ReweightedOptions{}));
    const double value =
        ReweightedTree(arcs, *pairs, graph).log_partition(s, scratch.reweighted, marginals);
    convergence = scratch.reweighted.graph.sums.convergence();
    return value;
  }
  const BeliefFactorGraph graph(pairs->layout(), options_.limits.of(kDecodingBeliefs));
  const double value = BeliefTree(arcs, *pairs, graph).log_partition(s, scratch.beliefs, marginals);
  convergence = scratch.beliefs.graph.beliefs.convergence();
  return value;
}

}  // namespace trellis::parse
