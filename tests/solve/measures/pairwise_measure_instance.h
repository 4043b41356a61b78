// Random problems of solve/measures/pairwise_measure_argmax.h, and their answers by enumeration.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/measures/pairwise_measure_argmax.h"

namespace trellis::testing {

struct PairwiseMeasureInstance {
  std::vector<double> unary;
  std::vector<NodePair> pairs;
  std::vector<double> coupling;
  std::vector<Label> truth;
  SetMeasure measure;
  double gamma = 1;

  Index num_labels() const { return unary.size(); }
  PairwiseMeasureProblem problem() const { return {unary, pairs, coupling, truth, measure, gamma}; }

  double value(const std::vector<Label>& y) const {
    double score = 0;
    SetCounts counts;
    counts.items = num_labels();
    for (Index v = 0; v < num_labels(); ++v) {
      if (truth[v] != 0) ++counts.truth;
      if (y[v] == 0) continue;
      score += unary[v];
      ++counts.predicted;
      if (truth[v] != 0) ++counts.hits;
    }
    for (Index p = 0; p < pairs.size(); ++p) {
      if (y[pairs[p].j] != 0 && y[pairs[p].k] != 0) score += coupling[p];
    }
    return score + gamma * measure.loss(counts);
  }

  std::vector<Label> set(Index bits) const {
    std::vector<Label> y(num_labels());
    for (Index v = 0; v < num_labels(); ++v) y[v] = static_cast<Label>(bits >> v & 1);
    return y;
  }

  // By set.
  std::vector<double> all_values() const {
    std::vector<double> values(Index{1} << num_labels());
    for (Index bits = 0; bits < values.size(); ++bits) values[bits] = value(set(bits));
    return values;
  }

  double slack() const {
    double size = gamma;
    for (const double a : unary) size += std::abs(a);
    for (const double a : coupling) size += a;
    return 1e-10 * (1 + size);
  }
};

// Scores of all sizes against the measure's, with and without ties; any density of pairs; any share
// of true labels, none and all included. Half of them are hard: what labels cost alone is about
// what they get together, and true labels earn about what the measure takes.
inline PairwiseMeasureInstance draw_instance(Index num_labels, Random& random) {
  PairwiseMeasureInstance instance;
  const double density = random.uniform(), share = random.uniform();
  const bool hard = random.below(2) == 0;
  const double unary_size = std::ldexp(1.0, static_cast<int>(random.below(hard ? 4 : 8)) - 6);
  const double coupling_size = std::ldexp(1.0, static_cast<int>(random.below(hard ? 4 : 8)) - 6);
  const double together = coupling_size * density * static_cast<double>(num_labels) / 2;
  const double shift =
      hard ? -together * (0.6 + 0.4 * random.uniform()) : unary_size * (2 * random.uniform() - 1.5);
  const bool ties = random.below(4) == 0;
  const auto draw = [&](double size, double center) {
    return ties ? size / 2 * (static_cast<double>(random.below(5)) - 2)
                : size * random.normal() + center;
  };
  for (std::uint32_t v = 0; v < num_labels; ++v) {
    instance.unary.push_back(draw(unary_size, shift));
    instance.truth.push_back(random.uniform() < share ? 1 : 0);
    for (std::uint32_t w = 0; w < v; ++w) {
      if (random.uniform() >= density) continue;
      instance.pairs.push_back(random.below(2) == 0 ? NodePair{v, w} : NodePair{w, v});
      instance.coupling.push_back(std::abs(draw(coupling_size, 0)));
    }
  }
  const double betas[] = {0.01, 0.1, 0.5, 1, 1, 2, 10, 100};
  const SetMeasure::Kind kinds[] = {SetMeasure::Kind::kFBeta,     SetMeasure::Kind::kFBeta,
                                    SetMeasure::Kind::kFBeta,     SetMeasure::Kind::kFBeta,
                                    SetMeasure::Kind::kPrecision, SetMeasure::Kind::kRecall,
                                    SetMeasure::Kind::kHamming};
  instance.measure = {kinds[random.below(7)], betas[random.below(8)]};
  const double gammas[] = {1, 1, 1, 0.25, 4, 0};
  instance.gamma = gammas[random.below(6)];
  const auto num_true =
      static_cast<Index>(std::count(instance.truth.begin(), instance.truth.end(), Label{1}));
  if (hard && num_true > 0) {
    const double reward =
        instance.measure.reward(1 + random.below(num_labels), num_true, num_labels);
    for (Index v = 0; v < num_labels; ++v) {
      if (instance.truth[v] != 0) instance.unary[v] += instance.gamma * reward;
    }
  }
  return instance;
}

}  // namespace trellis::testing
