#include "trellis/tasks/grammar/filter/span_filter.h"

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::grammar {

template <class Weight>
std::uint32_t SpanFilter::best_tag(const Weight& weight) const {
  std::uint32_t best = 0;
  for (std::uint32_t t = 1; t < tag_symbols_.size(); ++t) {
    if (weight(t) > weight(best)) best = t;
  }
  return best;
}

void SpanFilter::weigh_words(std::span<const std::string> sentence, const TagChoices* tagger,
                             Scratch& scratch) const {
  const Index num_tags = words_->num_tags();
  scratch.tag_weights.assign(sentence.size() * num_tags, 0.0);
  for (Index i = 0; i < sentence.size(); ++i) {
    const std::span<double> row = std::span(scratch.tag_weights).subspan(i * num_tags, num_tags);
    if (tagger == nullptr) {
      words_->weights(sentence[i], i == 0, row);
      continue;
    }
    for (const TagChoice& choice : (*tagger)[i]) {  // p(t | x) → p(w | t)
      row[choice.tag] =
          portable_exp(static_cast<double>(choice.log_probability)) / words_->tag_share(choice.tag);
    }
  }
}

bool SpanFilter::keep(std::span<const std::string> sentence, const TagChoices* tagger,
                      Scratch& scratch, KeptSpans& kept) const {
  const Index n = sentence.size(), symbols = grammar_->num_symbols();
  const Index num_tags = tag_symbols_.size();
  weigh_words(sentence, tagger, scratch);
  scratch.weights.assign(n * symbols, 0.0);
  scratch.best_tags.resize(n);
  for (Index i = 0; i < n; ++i) {
    const double* row = scratch.tag_weights.data() + i * num_tags;
    for (Index t = 0; t < num_tags; ++t) scratch.weights[i * symbols + tag_symbols_[t]] = row[t];
    scratch.best_tags[i] =
        tagger != nullptr ? tagger->best(i) : best_tag([&](Index t) { return row[t]; });
  }
  kept.assign(n, symbols, false);
  if (scratch.sums.inside(*grammar_, n, scratch.weights) == -kInfinity) return false;
  scratch.sums.outside();
  scratch.counts.resize(symbols);
  if (tagger == nullptr) {
    for (Index i = 0; i < n; ++i) {
      scratch.sums.expected(i, i + 1, scratch.counts);
      scratch.best_tags[i] = best_tag([&](Index t) { return scratch.counts[tag_symbols_[t]]; });
    }
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
