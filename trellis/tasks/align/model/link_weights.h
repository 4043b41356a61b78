// What an aligner has learned from links: which sets of links it chooses from, their features and
// weights. Plain data; the features are computed from a generative model.
//
//   M        each word has at most one link
//   M+F      up to D links; all but the first have a penalty from features of the word
//   M+Q      pairs of neighbouring links have scores
//   M+F+Q    both              (Lacoste-Julien, Taskar, Klein & Jordan 2006; thesis, table 3.1)
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/model_schema.h"
#include "trellis/oracle/oracle.h"
#include "trellis/tasks/align/model/feature_shape.h"

namespace trellis::align {

inline constexpr Index kMostLinks = 16;  // per word

struct LinkShape {
  Index most_links = 1;    // D
  bool quadratic = false;  // pairs of links have scores

  std::string name() const;  // "M+F+Q"
  friend bool operator==(const LinkShape&, const LinkShape&) = default;
};

// Positions of the weights: one kind of feature after another.
//
//   links        of a link (dense), and its identities (sparse)
//   source words, target words       D − 1 times those of a word: the additional penalty of the
//                second, third, … link over the one before; ≥ 0, so that penalties are convex
//   pairs        of two neighbouring links; ≥ 0
struct WeightLayout {
  Index links = 0, identities = 0, words = 0, pairs = 0;  // number of features
  Index most_links = 1;

  Index identity_begin() const { return links; }
  Index source_word_begin() const { return links + identities; }
  Index target_word_begin() const { return source_word_begin() + words * (most_links - 1); }
  Index pair_begin() const { return target_word_begin() + words * (most_links - 1); }
  Index dimension() const { return pair_begin() + pairs; }
  // The weights that stay ≥ 0; may be empty.
  std::vector<WeightRange> nonnegative() const;
};

struct LinkWeights {
  LinkShape shape;
  FeatureShape features;
  double offset = 0;  // added to the score of each link; larger: more links
  std::vector<double> weights;
};

void describe_links(ModelArchive& a, LinkWeights& learned);

}  // namespace trellis::align
