#include "trellis/tasks/align/decoding.h"

#include <algorithm>

namespace trellis::align {
namespace {

static_assert(to_string(Combination::kGrowDiagFinalAnd) ==
              to_string(Symmetrisation::kGrowDiagFinalAnd));

using Posteriors = WordAligner::Posteriors;

Link link_of(Index i, Index j) {
  return {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)};
}

// Keeps the links whose `score` is at least `least`.
template <class Score>
void collect(Lengths lengths, double least, const Score& score, std::vector<ScoredLink>& links) {
  links.clear();
  for (Index i = 0; i < lengths.source; ++i) {
    for (Index j = 0; j < lengths.target; ++j) {
      const double value = score(i, j);
      if (value >= least) links.push_back({link_of(i, j), value});
    }
  }
}

// Collects the numbers that a threshold is compared with.
void collect(const Posteriors& p, Combination combination, double least,
             std::vector<ScoredLink>& links) {
  switch (combination) {
    case Combination::kForward:
      return collect(
          p.lengths(), least, [&](Index i, Index j) { return p.forward(i, j); }, links);
    case Combination::kReverse:
      return collect(
          p.lengths(), least, [&](Index i, Index j) { return p.reverse(i, j); }, links);
    default:
      return collect(
          p.lengths(), least, [&](Index i, Index j) { return p.forward(i, j) * p.reverse(i, j); },
          links);
  }
}

Links without_scores(const std::vector<ScoredLink>& scored) {
  Links links;
  for (const ScoredLink& one : scored) links.push_back(one.link);
  return links;
}

// The links of the two directions.
struct Directions {
  Links forward, reverse;
};
Directions directions(const WordAligner& aligner, WordPair pair, const Posteriors& p,
                      const Decoding& decoding, DecodeScratch& scratch) {
  Directions found;
  if (decoding.decode == Decode::kPosterior) {
    std::vector<ScoredLink> links;
    collect(p, Combination::kForward, decoding.threshold, links);
    found.forward = without_scores(links);
    collect(p, Combination::kReverse, decoding.threshold, links);
    found.reverse = without_scores(links);
    return found;
  }
  WordAligner::Scratch alignments;  // a second one, which leaves the posteriors intact
  aligner.maximize(pair, alignments, scratch.a, scratch.b);
  for (Index j = 0; j < scratch.a.size(); ++j) {
    if (scratch.a[j] != kNoLabel) {
      found.forward.push_back(link_of(static_cast<Index>(scratch.a[j]), j));
    }
  }
  for (Index i = 0; i < scratch.b.size(); ++i) {
    if (scratch.b[i] != kNoLabel) {
      found.reverse.push_back(link_of(i, static_cast<Index>(scratch.b[i])));
    }
  }
  sort_links(found.forward);
  return found;
}

double probability(const Posteriors& p, Combination combination, Link link) {
  const double forward = p.forward(link.source, link.target);
  const double reverse = p.reverse(link.source, link.target);
  if (combination == Combination::kForward) return forward;
  if (combination == Combination::kReverse) return reverse;
  if (combination == Combination::kProduct) return forward * reverse;
  return (forward + reverse) / 2;
}

}  // namespace

void decode(const WordAligner& aligner, WordPair pair, const Decoding& decoding,
            DecodeScratch& scratch, AlignedLinks& found) {
  found.links.clear();
  found.likelihood = {};
  if (pair.source.empty() || pair.target.empty()) return;
  const Posteriors p = aligner.posteriors(pair, scratch.aligner, found.likelihood);
  if (decoding.combination == Combination::kProduct) {
    return collect(p, decoding.combination, decoding.threshold, found.links);
  }
  const Directions both = directions(aligner, pair, p, decoding, scratch);
  const Links links = symmetrise(both.forward, both.reverse, pair.source.size(), pair.target.size(),
                                 static_cast<Symmetrisation>(decoding.combination));
  for (const Link link : links) {
    found.links.push_back({link, probability(p, decoding.combination, link)});
  }
}

void score_links(const WordAligner& aligner, WordPair pair, const Decoding& decoding, double least,
                 DecodeScratch& scratch, std::vector<ScoredLink>& scored) {
  scored.clear();
  if (pair.source.empty() || pair.target.empty()) return;
  WordAligner::Likelihood likelihood;
  const Posteriors p = aligner.posteriors(pair, scratch.aligner, likelihood);
  collect(p, decoding.combination, least, scored);
}

void weigh_links(const WordAligner& aligner, WordPair pair, const Decoding& decoding, double least,
                 DecodeScratch& scratch, std::vector<ScoredLink>& weighed) {
  weighed.clear();
  if (pair.source.empty() || pair.target.empty()) return;
  WordAligner::Likelihood likelihood;
  const Posteriors p = aligner.posteriors(pair, scratch.aligner, likelihood);
  const auto weight = [&](Index i, Index j) {
    return probability(p, decoding.combination, link_of(i, j));
  };
  collect(p.lengths(), least, weight, weighed);
}

}  // namespace trellis::align
