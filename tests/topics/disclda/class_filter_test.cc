// The collapsed filter on documents as long as real ones, held to bridge sampling.
#include "trellis/topics/disclda/class_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/topics/disclda/drawn_documents.h"
#include "trellis/topics/disclda/class_inference.h"

namespace trellis::topics {
namespace {

// Means over documents, half of each class.
struct FilterErrors {
  double evidence = 0;     // |log p(w | y) − that of the bridge|, of both classes
  double log_odds = 0;     // the same of log p(w | y) − log p(w | other)
  double probability = 0;  // the same of p(y | w), the largest
  double counts = 0;       // share of the tokens that are counted with another component
};

FilterErrors errors_at(const DiscLdaModel& model, Index length) {
  constexpr Index kDocuments = 10;
  FilterErrors errors;
  ClassInferenceOptions sampling;
  sampling.method = ClassMethod::kSampling;
  sampling.burn_in = 200;
  sampling.samples = 2000;
  const Index components = model.transformation.num_components();
  for (Index d = 0; d < kDocuments; ++d) {
    Random random(7, length, d);
    const Index y = d % 2;
    const auto words = draw_document(model, y, length, random);
    ClassInference filter, bridge;
    filter.read(model, words, {}, 0, 0);
    bridge.read(model, words, sampling, d, 0);
    double apart[2];
    for (Index c = 0; c < 2; ++c) {
      apart[c] = filter.log_evidence()[c] - bridge.log_evidence()[c];
      errors.evidence += std::abs(apart[c]) / (2 * kDocuments);
    }
    errors.log_odds += std::abs(apart[y] - apart[1 - y]) / kDocuments;
    errors.probability =
        std::max(errors.probability, std::abs(filter.posterior()[y] - bridge.posterior()[y]));
    std::vector<double> counts(components);
    for (Index w = 0; w < filter.document().words().size(); ++w) {
      for (Index l = 0; l < components; ++l) {
        counts[l] += filter.occupancy(y, w)[l] - bridge.occupancy(y, w)[l];
      }
    }
    for (const double count : counts) {
      errors.counts += std::abs(count) / (2 * static_cast<double>(length) * kDocuments);
    }
  }
  return errors;
}

TEST(ClassFilter, IsAsNearToTheBridgeAsItsHeaderSays) {
  const DiscLdaModel model = model_of_two_classes(1);
  struct {
    Index length;
    FilterErrors most;
  } constexpr kExpected[] = {
      {5, {0.1, 0.1, 0.06, 0.03}},
      {50, {1.2, 2, 0.03, 0.06}},
      {160, {4.5, 3.2, 0.03, 0.07}},
      {300, {10, 3.8, 0.01, 0.07}},
  };
  for (const auto& [length, most] : kExpected) {
    const FilterErrors errors = errors_at(model, length);
    EXPECT_LT(errors.evidence, most.evidence) << length;
    EXPECT_LT(errors.log_odds, most.log_odds) << length;
    EXPECT_LT(errors.probability, most.probability) << length;
    EXPECT_LT(errors.counts, most.counts) << length;
  }
}

// Documents are bags of words.
TEST(ClassFilter, DoesNotDependOnTheOrderOfTheTokens) {
  const DiscLdaModel model = model_of_two_classes(1);
  Random random(3);
  std::vector<std::uint32_t> words = draw_document(model, 1, 80, random);
  ClassInference one, other;
  one.read(model, words, {}, 0, 0);
  std::reverse(words.begin(), words.end());
  other.read(model, words, {}, 0, 0);
  EXPECT_EQ(one.log_evidence()[0], other.log_evidence()[0]);
  EXPECT_EQ(one.log_evidence()[1], other.log_evidence()[1]);
}

}  // namespace
}  // namespace trellis::topics
