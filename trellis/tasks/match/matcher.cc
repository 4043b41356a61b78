#include "trellis/tasks/match/matcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"

namespace trellis::match {

std::span<const double> Matcher::scores(const MatchExample& example, Scratch& scratch) const {
  scratch.scores.assign(example.features.num_edges(), 0.0);
  example.features.add_scores(w_, scratch.scores);
  return scratch.scores;
}

double Matcher::match(const MatchExample& example, Scratch& scratch,
                      Matching::Output& found) const {
  return example.structure(cover_).maximize(scores(example, scratch), scratch.matching, found);
}

void Matcher::k_best(const MatchExample& example, Index k, Scratch& scratch,
                     std::vector<ScoredOutput<Matching::Output>>& best) const {
  example.structure(cover_).k_best(scores(example, scratch), k, scratch.matching, best);
}

double Matcher::marginals(const MatchExample& example, Scratch& scratch,
                          std::span<double> probabilities) const {
  require_sums(cover_);
  const Index larger = std::max(example.num_left, example.num_right);
  if (larger > kLargestPermanent) {
    throw UsageError(
        fmt::format("'{}' has {} nodes on a side: sums over matchings and probabilities are only "
                    "possible up to {} nodes",
                    example.name, larger, kLargestPermanent));
  }
  const CoveringMatching structure(example.num_left, example.num_right, example.edges.get());
  return structure.log_partition(scores(example, scratch), scratch.sums, probabilities);
}

void require_sums(Cover cover) {
  if (cover == Cover::kPerfect) return;
  throw UsageError(
      "--cover partial allows no sums over matchings: probabilities and --estimator map require "
      "--cover perfect");
}

Index edge_between(const MatchExample& example, Index left, Index right) {
  if (example.edges == nullptr) return left * example.num_right + right;
  const BipartiteGraph graph = example.edges->graph();
  const auto row =
      graph.column.subspan(graph.begin[left], graph.begin[left + 1] - graph.begin[left]);
  const auto at = std::lower_bound(row.begin(), row.end(), static_cast<std::uint32_t>(right));
  return graph.begin[left] + static_cast<Index>(at - row.begin());
}

std::vector<Matching::Output> match_all(const Matcher& matcher,
                                        std::span<const MatchExample> examples, int threads,
                                        std::span<const Index> chosen) {
  std::vector<Matcher::Scratch> scratch(static_cast<Index>(resolve_threads(threads)));
  std::vector<Matching::Output> found(chosen.empty() ? examples.size() : chosen.size());
  parallel_for(found.size(), threads, [&](Index i, int worker) {
    const MatchExample& example = examples[chosen.empty() ? i : chosen[i]];
    matcher.match(example, scratch[static_cast<Index>(worker)], found[i]);
  });
  return found;
}

MatchScores evaluate(const Matcher& matcher, std::span<const MatchExample> examples, int threads,
                     std::span<const Index> chosen) {
  const std::vector<Matching::Output> found = match_all(matcher, examples, threads, chosen);
  MatchScores scores;
  for (Index i = 0; i < found.size(); ++i) {
    scores.add(examples[chosen.empty() ? i : chosen[i]], found[i]);
  }
  return scores;
}

}  // namespace trellis::match
