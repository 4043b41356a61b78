#include "trellis/tasks/align/features/word_features.h"

#include <algorithm>
#include <cassert>

#include "trellis/tasks/align/features/feature_sink.h"

namespace trellis::align {
namespace {

// Probability of a second link, from the expected number of links.
double second_of(double expected) {
  return std::clamp(expected - 1, 0.0, 1.0);
}

// Sums up the candidates of each word of a side. `word_of(edge)` is the word, `posterior(i, j)`
// that of the direction in which a word may have several links.
template <class WordOf, class Posterior>
void look_at_words(const PairEvidence& evidence, const Candidates& candidates, Index words,
                   const WordOf& word_of, const Posterior& posterior,
                   WordFeatures::Scratch& scratch) {
  scratch.expected.assign(words, 0);
  scratch.products.assign(words, 0);
  scratch.strength.assign(words, {});
  for (const MatchingEdges::Edge edge : candidates.edges) {
    const Index word = word_of(edge);
    const float p = posterior(edge.left, edge.right);
    scratch.expected[word] += double{p};
    scratch.products[word] += double{evidence.views[0].product(edge.left, edge.right)};
    scratch.strength[word].add(p);
  }
}

}  // namespace

struct WordFeatures::Cell {
  WordFacts facts;
  bool is_short = false, punctuation = false;
  double expected = 0, products = 0, second = 0;
};

WordFeatures::WordFeatures(bool fertilities) : fertilities_(fertilities) {
  FeatureNames sink(names_);
  tell(Cell{}, sink);
}

template <class Sink>
void WordFeatures::tell(const Cell& cell, Sink& sink) const {
  sink.group("second");
  sink("bias", 1);
  sink("rarely", 1 - double{cell.facts.several});
  if (fertilities_) sink("rarely_by_fertility", 1 - double{cell.facts.several_by_fertility});
  for (Index k = 0; k < kFrequencyBuckets; ++k) {
    sink(kFrequencyBucketNames[k], indicator(cell.facts.bucket == static_cast<FrequencyBucket>(k)));
  }
  sink("short", indicator(cell.is_short));
  sink("punctuation", indicator(cell.punctuation));
  sink("unexpected", 1 - second_of(cell.expected));
  sink("unexpected_product", 1 - second_of(cell.products));
  sink("weak", 1 - cell.second);
}

void WordFeatures::fill(const PairEvidence& evidence, const Candidates& candidates,
                        Scratch& scratch, std::span<float> source_rows,
                        std::span<float> target_rows) const {
  const ViewEvidence& aligner = evidence.views[0];
  look_at_words(
      evidence, candidates, evidence.num_source,
      [](MatchingEdges::Edge edge) { return Index{edge.left}; },
      [&](Index i, Index j) { return aligner.forward(i, j); }, scratch);
  fill_side(evidence.source_facts, evidence.source_forms, scratch, source_rows);
  look_at_words(
      evidence, candidates, evidence.num_target,
      [](MatchingEdges::Edge edge) { return Index{edge.right}; },
      [&](Index i, Index j) { return aligner.reverse(i, j); }, scratch);
  fill_side(evidence.target_facts, evidence.target_forms, scratch, target_rows);
}

void WordFeatures::fill_side(std::span<const WordFacts> words, std::span<const WordForm> forms,
                             const Scratch& scratch, std::span<float> rows) const {
  assert(rows.size() == words.size() * names_.size());
  FeatureValues sink(rows.data());
  for (Index k = 0; k < words.size(); ++k) {
    tell(Cell{words[k], forms[k].is_short(), forms[k].is_punctuation(), scratch.expected[k],
              scratch.products[k], std::clamp(double{scratch.strength[k].second}, 0.0, 1.0)},
         sink);
  }
  assert(sink.next() == rows.data() + rows.size());
}

}  // namespace trellis::align
