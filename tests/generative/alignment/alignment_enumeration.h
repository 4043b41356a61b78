// Brute force for aligners: every alignment of a tiny pair, with its probability from the formulas
// of position_model.h.
#pragma once

#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/independent_positions.h"
#include "trellis/generative/alignment/jump_positions.h"

namespace trellis::testing {

inline Bitext random_bitext(Index pairs, Index longest, Index words, std::uint64_t seed) {
  Random random(seed);
  Bitext bitext;
  for (Index k = 0; k < pairs; ++k) {
    std::vector<WordId> source(1 + random.below(longest)), target(1 + random.below(longest));
    for (WordId& e : source) e = static_cast<WordId>(random.below(words));
    for (WordId& f : target) {  // which mostly translates a word of the source
      f = random.below(5) == 0 ? static_cast<WordId>(random.below(words))
                               : source[random.below(source.size())];
    }
    bitext.add(source, target);
  }
  return bitext;
}

using Alignment = std::vector<Label>;  // kNoLabel: nothing

inline std::vector<Alignment> all_alignments(Lengths lengths) {
  std::vector<Alignment> all = {{}};
  for (Index j = 0; j < lengths.target; ++j) {
    std::vector<Alignment> longer;
    for (const Alignment& a : all) {
      for (Label i = kNoLabel; i < static_cast<Label>(lengths.source); ++i) {
        longer.push_back(a);
        longer.back().push_back(i);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// p(a | I, J), term by term.
using Prior = std::function<double(Lengths, const Alignment&)>;

inline Prior product_prior(double null, const std::function<double(Lengths, Index j, Index i)>& p) {
  return [null, p](Lengths lengths, const Alignment& a) {
    double product = 1;
    for (Index j = 0; j < a.size(); ++j) {
      product *= a[j] == kNoLabel ? null : (1 - null) * p(lengths, j, static_cast<Index>(a[j]));
    }
    return product;
  };
}

inline Prior uniform_prior(double null) {
  return product_prior(
      null, [](Lengths lengths, Index, Index) { return 1 / static_cast<double>(lengths.source); });
}

inline Prior diagonal_prior(double null, double tension) {
  return product_prior(null, [tension](Lengths lengths, Index j, Index i) {
    const auto weight = [&](Index at) {
      return std::exp(-tension *
                      std::abs(static_cast<double>(at + 1) / static_cast<double>(lengths.source) -
                               static_cast<double>(j + 1) / static_cast<double>(lengths.target)));
    };
    double total = 0;
    for (Index at = 0; at < lengths.source; ++at) total += weight(at);
    return weight(i) / total;
  });
}

inline Prior jump_prior(const JumpPositions& jumps) {
  return [&jumps](Lengths lengths, const Alignment& a) {
    const auto reach = static_cast<Label>(jumps.options().reach);
    const auto weight = [&](Label distance) {
      return jumps
          .weights()[static_cast<Index>(std::max(-reach, std::min(reach, distance)) + reach)];
    };
    const auto positions = static_cast<Label>(lengths.source);
    const auto drawn = [&](Label from, Label to, Label end) {
      double total = 0;
      for (Label i = 0; i < end; ++i) total += weight(i - from);
      return weight(to - from) / total;
    };
    const double null = jumps.options().null;
    double product = 1;
    Label last = -1;
    for (const Label i : a) {
      if (i == kNoLabel) {
        product *= null;
      } else {
        product *= (1 - null) * drawn(last, i, positions);
        last = i;
      }
    }
    return product * drawn(last, positions, positions + 1);
  };
}

// Sums over all alignments: t is the grid of t(f_j | e_i), nothing last.
struct Enumerated {
  double likelihood = 0;
  double best = 0;
  std::vector<double> posteriors;  // the grid
};
inline Enumerated enumerate(Lengths lengths, const Prior& prior, const std::vector<double>& t) {
  Enumerated sums;
  sums.posteriors.assign(lengths.grid(), 0.0);
  const auto cell = [&](Index j, Label i) {
    return j * (lengths.source + 1) + (i == kNoLabel ? lengths.source : static_cast<Index>(i));
  };
  for (const Alignment& a : all_alignments(lengths)) {
    double p = prior(lengths, a);
    for (Index j = 0; j < a.size(); ++j) p *= t[cell(j, a[j])];
    sums.likelihood += p;
    sums.best = std::max(sums.best, p);
    for (Index j = 0; j < a.size(); ++j) sums.posteriors[cell(j, a[j])] += p;
  }
  for (double& p : sums.posteriors) p /= sums.likelihood;
  return sums;
}

}  // namespace trellis::testing
