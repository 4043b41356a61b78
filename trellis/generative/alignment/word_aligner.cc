#include "trellis/generative/alignment/word_aligner.h"

#include <cassert>

#include "trellis/generative/alignment/jump_positions.h"

namespace trellis {
namespace {

Lengths forward_lengths(WordPair pair) {
  return {pair.source.size(), pair.target.size()};
}
Lengths reverse_lengths(WordPair pair) {
  return {pair.target.size(), pair.source.size()};
}

// Of the words, in their order: the same pair has the same draws.
std::uint64_t key_of(WordPair pair) {
  std::uint64_t key = pair.source.size();
  const auto mix = [&](std::span<const WordId> words) {
    for (const WordId word : words) key = (key ^ word) * 0x9E3779B97F4A7C15u + (key >> 29);
  };
  mix(pair.source);
  mix(pair.target);
  return key;
}

void best_of_each(Lengths lengths, std::span<const double> posterior, std::vector<Label>& a) {
  a.assign(lengths.target, kNoLabel);
  for (Index j = 0; j < lengths.target; ++j) {
    const double* row = posterior.data() + j * (lengths.source + 1);
    double best = row[lengths.source];
    for (Index i = 0; i < lengths.source; ++i) {
      if (row[i] > best) best = row[i], a[j] = static_cast<Label>(i);
    }
  }
}

}  // namespace

WordAligner::WordAligner(LexiconView lexicon, std::shared_ptr<const PositionModel> forward,
                         std::shared_ptr<const PositionModel> reverse,
                         std::shared_ptr<const Fertilities> fertilities)
    : lexicon_(lexicon),
      forward_(std::move(forward)),
      reverse_(std::move(reverse)),
      fertilities_(std::move(fertilities)) {
  assert(fertilities_ == nullptr ||
         (forward_->kind() == Positions::kJumps && reverse_->kind() == Positions::kJumps));
}

void WordAligner::fill(WordPair pair, Scratch& scratch) const {
  scratch.forward.scores.resize(forward_->num_scores(forward_lengths(pair)));
  scratch.reverse.scores.resize(reverse_->num_scores(reverse_lengths(pair)));
  lexicon_.grids(pair, scratch.forward.scores, scratch.reverse.scores);
}

// Estimates, by draws.
void WordAligner::draw_posteriors(WordPair pair, Scratch& scratch, Likelihood& likelihood) const {
  const std::uint64_t key = key_of(pair);
  const auto direction = [&](const PositionModel& positions, const FertilityTable& fertilities,
                             std::span<const WordId> words, Lengths lengths,
                             PositionScratch& grids) {
    const auto& jumps = dynamic_cast<const JumpPositions&>(positions);
    grids.marginals.resize(lengths.grid());
    return FertilitySampler(jumps.weights(), fertilities, jumps.options().null)
        .posteriors(lengths, words, std::span(grids.scores).first(lengths.grid()),
                    fertilities_->sampling, key, scratch.fertilities, grids.posterior(lengths));
  };
  likelihood = {direction(*forward_, fertilities_->forward, pair.source, forward_lengths(pair),
                          scratch.forward),
                direction(*reverse_, fertilities_->reverse, pair.target, reverse_lengths(pair),
                          scratch.reverse)};
}

WordAligner::Posteriors WordAligner::posteriors(WordPair pair, Scratch& scratch,
                                                Likelihood& likelihood) const {
  const Lengths forward = forward_lengths(pair), reverse = reverse_lengths(pair);
  fill(pair, scratch);
  if (fertilities_ != nullptr) {
    draw_posteriors(pair, scratch, likelihood);
  } else {
    likelihood = {forward_->sums(forward, scratch.forward),
                  reverse_->sums(reverse, scratch.reverse)};
  }
  return {forward, scratch.forward.posterior(forward), scratch.reverse.posterior(reverse)};
}

WordAligner::Likelihood WordAligner::maximize(WordPair pair, Scratch& scratch,
                                              std::vector<Label>& a, std::vector<Label>& b) const {
  Likelihood likelihood;
  if (fertilities_ != nullptr) {
    posteriors(pair, scratch, likelihood);
    best_of_each(forward_lengths(pair), scratch.forward.marginals, a);
    best_of_each(reverse_lengths(pair), scratch.reverse.marginals, b);
    return likelihood;
  }
  fill(pair, scratch);
  likelihood.forward = forward_->maximize(forward_lengths(pair), scratch.forward, a);
  likelihood.reverse = reverse_->maximize(reverse_lengths(pair), scratch.reverse, b);
  return likelihood;
}

void WordAligner::sample(WordPair pair, bool reverse, Random& random, Scratch& scratch,
                         std::vector<Label>& drawn) const {
  fill(pair, scratch);
  if (reverse) {
    reverse_->sample(reverse_lengths(pair), scratch.reverse, random, drawn);
  } else {
    forward_->sample(forward_lengths(pair), scratch.forward, random, drawn);
  }
}

}  // namespace trellis
