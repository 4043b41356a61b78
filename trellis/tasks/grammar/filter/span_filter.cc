#include "trellis/tasks/grammar/filter/span_filter.h"

namespace trellis::grammar {

bool SpanFilter::keep(std::span<const std::string> sentence, Scratch& scratch,
                      KeptSpans& kept) const {
  const Index n = sentence.size(), symbols = grammar_->num_symbols();
  scratch.weights.assign(n * symbols, 0.0);
  scratch.tag_weights.resize(words_->num_tags());
  for (Index i = 0; i < n; ++i) {
    words_->weights(sentence[i], i == 0, scratch.tag_weights);
    for (Index t = 0; t < tag_symbols_.size(); ++t) {
      scratch.weights[i * symbols + tag_symbols_[t]] = scratch.tag_weights[t];
    }
  }
  kept.assign(n, symbols, false);
  if (scratch.sums.inside(*grammar_, n, scratch.weights) == -kInfinity) return false;
  if (!options_.prune) {
    kept.assign(n, symbols, true);
    return true;
  }
  scratch.sums.outside();
  scratch.counts.resize(symbols);
  for (Index i = 0; i < n; ++i) {
    for (Index j = i + 1; j <= n; ++j) {
      scratch.sums.expected(i, j, scratch.counts);
      for (Index a = 0; a < symbols; ++a) {
        if (scratch.counts[a] >= options_.prune_below) kept.keep(i, j, a);
      }
    }
  }
  return true;
}

}  // namespace trellis::grammar
