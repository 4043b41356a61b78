#include "trellis/tasks/factors/graph_decoder.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/structure/structure.h"
#include "trellis/tasks/factors/feature_map.h"

namespace trellis::factors {
namespace {

void round_values(const FactorGraphLayout& layout, std::span<const double> z,
                  std::vector<std::uint32_t>& values) {
  values.assign(layout.num_variables(), 0);
  for (Index v = 0; v < values.size(); ++v) {
    for (Index k = 1; k < layout.num_values(v); ++k) {
      if (share_of(layout, z, v, k) > share_of(layout, z, v, values[v])) {
        values[v] = static_cast<std::uint32_t>(k);
      }
    }
  }
}

}  // namespace

double share_of(const FactorGraphLayout& layout, std::span<const double> z, Index variable,
                Index value) {
  if (!layout.is_switch(variable)) return z[layout.state(variable, value)];
  const double on = z[layout.state(variable, 0)];
  return value == 1 ? on : 1 - on;
}

std::span<const double> GraphDecoder::scores(const GraphRecord& graph, Scratch& scratch) const {
  scratch.scores.resize(graph.layout.num_parts());
  part_scores(graph.rows, w_, scratch.scores);
  return scratch.scores;
}

void GraphDecoder::decode(const GraphRecord& graph, Scratch& scratch, Decoded& found) const {
  const std::span<const double> s = scores(graph, scratch);
  if (inference_ == Inference::kExact) {
    const MapResult result =
        scratch.search.solve(graph.layout, s, {}, found.values, {.runs = search_limit_});
    found.score = result.value;
    found.gap = result.proven ? 0 : result.upper - result.value;
    if (!result.proven && result.value == kImpossible) {
      throw InputError(
          graph.file, graph.line,
          fmt::format("the search found no legal assignment of this graph within --search-limit {}",
                      search_limit_));
    }
  } else {
    found.z.resize(graph.layout.num_parts());
    const Ad3Result result = scratch.relaxation.solve(graph.layout, s, {}, found.z);
    found.score = result.upper;
    found.whole = result.integral;
    found.convergence = result.convergence;
    round_values(graph.layout, found.z, found.values);
  }
  if (found.score == kImpossible) {
    throw InputError(graph.file, graph.line,
                     "this graph has no legal assignment: its factors contradict each other");
  }
}

FactorsScores evaluate(const GraphDecoder& decoder, std::span<const GraphRecord> graphs,
                       const Domains& domains, int threads, std::span<const Index> chosen) {
  const Index count = chosen.empty() ? graphs.size() : chosen.size();
  const auto graph = [&](Index i) -> const GraphRecord& {
    return graphs[chosen.empty() ? i : chosen[i]];
  };
  std::vector<std::vector<std::uint32_t>> found(count);
  std::vector<GraphDecoder::Scratch> scratch(static_cast<Index>(resolve_threads(threads)));
  parallel_for(count, threads, [&](Index i, int worker) {
    Decoded decoded;
    decoder.decode(graph(i), scratch[static_cast<Index>(worker)], decoded);
    found[i] = std::move(decoded.values);
  });
  FactorsScores scores(domains);
  for (Index i = 0; i < count; ++i) scores.add(graph(i), found[i]);
  return scores;
}

}  // namespace trellis::factors
