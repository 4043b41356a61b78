// What an aligner has learned from links: which sets of links it chooses from, which features they
// have, and their weights. Plain data, beside the generative model that the features come from.
//
//   M        each word has one link at most
//   M+F      up to D links, of which all but the first are paid for by what is known of the word
//   M+Q      pairs of neighbouring links have scores as well
//   M+F+Q    both              (Lacoste-Julien, Taskar, Klein & Jordan 2006; thesis, table 3.1)
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/model_schema.h"
#include "trellis/oracle/oracle.h"
#include "trellis/tasks/align/model/feature_shape.h"

namespace trellis::align {

inline constexpr Index kMostLinks = 16;  // of a word

struct LinkShape {
  Index most_links = 1;    // D
  bool quadratic = false;  // pairs of links have scores

  std::string name() const;  // "M+F+Q"
  friend bool operator==(const LinkShape&, const LinkShape&) = default;
};

// Where the weights of each kind of feature lie, one kind behind the other:
//
//   links        those of a link (dense), and its identities (sparse)
//   source words, target words       D − 1 times those of a word: what the second, the third, …
//                link of it costs more than the one before; ≥ 0, so that costs are convex
//   pairs        of two neighbouring links; ≥ 0
struct WeightLayout {
  Index links = 0, identities = 0, words = 0, pairs = 0;  // features of each
  Index most_links = 1;

  Index identity_begin() const { return links; }
  Index source_word_begin() const { return links + identities; }
  Index target_word_begin() const { return source_word_begin() + words * (most_links - 1); }
  Index pair_begin() const { return target_word_begin() + words * (most_links - 1); }
  Index dimension() const { return pair_begin() + pairs; }
  // The weights that stay ≥ 0; none where there are no such.
  std::vector<WeightRange> nonnegative() const;
};

struct LinkWeights {
  LinkShape shape;
  FeatureShape features;
  double offset = 0;  // added to the score of every link: more links, or fewer
  std::vector<double> weights;
};

void describe_links(ModelArchive& a, LinkWeights& learned);

}  // namespace trellis::align
