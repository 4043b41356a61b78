// Pairs of point sets to be matched: an edge's features are the squared differences of its ends',
// and the right matching is drawn from the family itself, so that no weights explain all.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/problem/block_model.h"
#include "trellis/structure/matchings/permutation.h"

namespace trellis::testing {

inline constexpr Index kMatchingFeatures = 3;

// n points a side; the true weights are −`contrast`.
inline BlockModel<Permutation> random_matchings(Index n, Index num_examples, double contrast,
                                                std::uint64_t seed) {
  std::vector<BlockExample<Permutation>> examples;
  Permutation::Scratch scratch;
  for (Index i = 0; i < num_examples; ++i) {
    Random random(seed, i);
    std::vector<double> left(n * kMatchingFeatures), right(left.size());
    for (double& x : left) x = random.normal();
    for (double& x : right) x = random.normal();
    std::vector<float> features;
    std::vector<double> s;
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < n; ++k) {
        double score = 0;
        for (Index f = 0; f < kMatchingFeatures; ++f) {
          const double difference =
              left[j * kMatchingFeatures + f] - right[k * kMatchingFeatures + f];
          features.push_back(static_cast<float>(difference * difference));
          score -= contrast * difference * difference;
        }
        s.push_back(score);
      }
    }
    BlockExample<Permutation> example{Permutation(n), {}, {}, {}, 0.5 + random.uniform()};
    example.structure.sample(s, random, scratch, example.gold);
    example.blocks.push_back(
        {FeatureRows::dense(kMatchingFeatures, std::move(features)), 0, 1, 0, 1});
    std::vector<double> truth(n * n);
    example.structure.indicator(example.gold, truth);
    example.costs.resize(n * n);
    hamming_costs(truth, 0.5, 0.5, example.costs);
    examples.push_back(std::move(example));
  }
  return {kMatchingFeatures, std::move(examples)};
}

}  // namespace trellis::testing
