// The features of max-margin parsing (Taskar, Klein, Collins, Koller & Manning 2004; Hall, Durrett
// & Klein 2014): what stands at the borders of a span, before and behind it, how long it is and
// what it looks like, where it is split, each together with the symbol or the rule at hand.
//
// A property of a span or of a split is hashed once for each sentence; a feature is the fingerprint
// of a property and a key:
//
//   node    symbol × properties of the span
//   binary  rule; rule of coarse symbols × properties of span and split
//   chain   rule; rule × properties of the span
//   word    tag × the word, its classes, its neighbours
//
// Coarse symbols and their rules are keys of all properties, fine symbols of those that have no
// words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/trees/chart_forest.h"

namespace trellis::grammar {

// What symbols and rules are called, as far as features care.
struct FeatureKeys {
  std::vector<std::uint64_t> symbol, coarse;         // by symbol
  std::vector<std::uint64_t> binary, coarse_binary;  // by rule
  std::vector<std::uint64_t> chain;                  // by rule
  std::vector<std::uint64_t> tag;                    // by tag
};

// The words of a sentence as features see them.
class SpanAtoms {
 public:
  // `tags`: what a tagger says of each word, by number.
  void assign(std::span<const std::string> words, std::span<const std::uint32_t> tags,
              const FeatureKeys& keys);

  Index words() const { return n_; }
  // Of word i; i = −1 and i = n are before the first and behind the last.
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

// Fingerprints of the features of nodes and edges of one sentence after another.
class SpanFeatures {
 public:
  // `keys` must outlive it.
  explicit SpanFeatures(const FeatureKeys& keys) : keys_(&keys) {}

  // The fingerprints of the features that rules are by themselves.
  std::uint64_t of_binary_rule(Index rule) const;
  std::uint64_t of_chain(Index rule) const;

  // `atoms` must outlive what follows.
  void begin(const SpanAtoms& atoms);
  // visit(fingerprint) for each feature.
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
  std::vector<std::uint64_t> of_span_;  // by span, kOfSpan each; those without words first
  std::vector<std::uint8_t> is_there_;  // by span
  std::vector<std::uint64_t> others_;   // of the split or the word at hand
  std::vector<std::uint64_t> found_;
};

}  // namespace trellis::grammar
