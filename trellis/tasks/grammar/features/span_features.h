// The features of max-margin parsing (Taskar, Klein, Collins, Koller & Manning 2004; Hall, Durrett
// & Klein 2014): words at the borders of a span and next to it, its length and shape, and its split
// point, each combined with a symbol or a rule.
//
// Properties of a span or a split are hashed once per sentence; a feature is the fingerprint of a
// property and a key:
//
//   node    symbol × properties of the span
//   binary  rule; rule of coarse symbols × properties of span and split
//   chain   rule; rule × properties of the span
//   word    tag × the word, its classes, its neighbours
//
// Coarse symbols and their rules are keys for all properties, fine symbols only for those without
// words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/trees/chart_forest.h"

namespace trellis::grammar {

// The keys of symbols and rules.
struct FeatureKeys {
  std::vector<std::uint64_t> symbol, coarse;         // by symbol
  std::vector<std::uint64_t> binary, coarse_binary;  // by rule
  std::vector<std::uint64_t> chain;                  // by rule
  std::vector<std::uint64_t> tag;                    // by tag
};

// The words of a sentence as fingerprints for features.
class SpanAtoms {
 public:
  // `tags`: the tagger's tag of each word, as numbers.
  void assign(std::span<const std::string> words, std::span<const std::uint32_t> tags,
              const FeatureKeys& keys);

  Index words() const { return n_; }
  // Word i; i = −1 is before the first word and i = n after the last.
  std::uint64_t word(std::ptrdiff_t i) const { return word_[static_cast<Index>(i + 1)]; }
  std::uint64_t tag(std::ptrdiff_t i) const { return tag_[static_cast<Index>(i + 1)]; }
  std::span<const std::uint64_t> classes(Index i) const {
    return std::span(classes_).subspan(i * kClasses, kClasses);
  }
  static constexpr Index kClasses = 3;

 private:
  Index n_ = 0;
  std::vector<std::uint64_t> word_, tag_;
  std::vector<std::uint64_t> classes_;
};

// Fingerprints of the features of nodes and edges, sentence by sentence.
class SpanFeatures {
 public:
  // `keys` must outlive the object.
  explicit SpanFeatures(const FeatureKeys& keys) : keys_(&keys) {}

  // The fingerprints of the features that only name a rule.
  std::uint64_t of_binary_rule(Index rule) const;
  std::uint64_t of_chain(Index rule) const;

  // Starts a sentence. `atoms` must outlive the calls below.
  void begin(const SpanAtoms& atoms);
  // Calls visit(fingerprint) for each feature.
  template <class Visit>
  void each(const ChartNode& node, const Visit& visit) {
    fill(node);
    for (const std::uint64_t fp : found_) visit(fp);
  }
  template <class Visit>
  void each(const ChartNode& node, const ChartEdge& edge, const Visit& visit) {
    fill(node, edge);
    for (const std::uint64_t fp : found_) visit(fp);
  }

 private:
  static constexpr Index kOfTags = 11, kOfWords = 10;
  static constexpr Index kOfSpan = kOfTags + kOfWords;
  static constexpr Index kOfSplit = 10;

  void fill(const ChartNode& node);
  void fill(const ChartNode& node, const ChartEdge& edge);
  void add(std::uint64_t key, std::span<const std::uint64_t> properties);
  std::span<const std::uint64_t> properties(Index i, Index j);
  void split_properties(Index i, Index k, Index j);
  void word_properties(Index i);

  const FeatureKeys* keys_;
  const SpanAtoms* atoms_ = nullptr;
  std::vector<std::uint64_t> of_span_;  // by span, kOfSpan each; first those without words
  std::vector<std::uint8_t> is_there_;  // by span
  std::vector<std::uint64_t> others_;   // of the current split or word
  std::vector<std::uint64_t> found_;
};

}  // namespace trellis::grammar
