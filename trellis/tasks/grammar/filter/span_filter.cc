#include "trellis/tasks/grammar/filter/span_filter.h"

namespace trellis::grammar {

template <class Weight>
std::uint32_t SpanFilter::best_tag(const Weight& weight) const {
  std::uint32_t best = 0;
  for (std::uint32_t t = 1; t < tag_symbols_.size(); ++t) {
    if (weight(t) > weight(best)) best = t;
  }
  return best;
}

bool SpanFilter::keep(std::span<const std::string> sentence, Scratch& scratch,
                      KeptSpans& kept) const {
  const Index n = sentence.size(), symbols = grammar_->num_symbols();
  scratch.weights.assign(n * symbols, 0.0);
  scratch.tag_weights.resize(words_->num_tags());
  scratch.best_tags.resize(n);
  for (Index i = 0; i < n; ++i) {
    words_->weights(sentence[i], i == 0, scratch.tag_weights);
    for (Index t = 0; t < tag_symbols_.size(); ++t) {
      scratch.weights[i * symbols + tag_symbols_[t]] = scratch.tag_weights[t];
    }
    scratch.best_tags[i] = best_tag([&](Index t) { return scratch.tag_weights[t]; });
  }
  kept.assign(n, symbols, false);
  if (scratch.sums.inside(*grammar_, n, scratch.weights) == -kInfinity) return false;
  scratch.sums.outside();
  scratch.counts.resize(symbols);
  for (Index i = 0; i < n; ++i) {
    scratch.sums.expected(i, i + 1, scratch.counts);
    scratch.best_tags[i] = best_tag([&](Index t) { return scratch.counts[tag_symbols_[t]]; });
  }
  if (!options_.prune) {
    kept.assign(n, symbols, true);
    return true;
  }
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
