#include "trellis/generative/alignment/word_aligner.h"

namespace trellis {

void WordAligner::fill(WordPair pair, Scratch& scratch) const {
  const Lengths forward{pair.source.size(), pair.target.size()};
  const Lengths reverse{pair.target.size(), pair.source.size()};
  scratch.forward.scores.resize(forward_->num_scores(forward));
  scratch.reverse.scores.resize(reverse_->num_scores(reverse));
  lexicon_.grids(pair, scratch.forward.scores, scratch.reverse.scores);
}

WordAligner::Posteriors WordAligner::posteriors(WordPair pair, Scratch& scratch,
                                                Likelihood& likelihood) const {
  const Lengths forward{pair.source.size(), pair.target.size()};
  const Lengths reverse{pair.target.size(), pair.source.size()};
  fill(pair, scratch);
  likelihood.forward = forward_->sums(forward, scratch.forward);
  likelihood.reverse = reverse_->sums(reverse, scratch.reverse);
  return {forward, scratch.forward.posterior(forward), scratch.reverse.posterior(reverse)};
}

WordAligner::Likelihood WordAligner::maximize(WordPair pair, Scratch& scratch,
                                              std::vector<Label>& a, std::vector<Label>& b) const {
  fill(pair, scratch);
  Likelihood likelihood;
  likelihood.forward =
      forward_->maximize({pair.source.size(), pair.target.size()}, scratch.forward, a);
  likelihood.reverse =
      reverse_->maximize({pair.target.size(), pair.source.size()}, scratch.reverse, b);
  return likelihood;
}

}  // namespace trellis
