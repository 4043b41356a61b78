#include "trellis/tasks/classify/features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace trellis::classify {
namespace {

std::vector<std::string> names(std::string_view text, FeatureOptions options) {
  Example example;
  example.text = text;
  FeatureScanner scanner(options);
  scanner.scan(example);
  std::vector<std::string> all;
  for (Index k = 0; k < scanner.size(); ++k) all.push_back(scanner.name(k));
  return all;
}

using Strings = std::vector<std::string>;

TEST(FeatureScanner, MakesWordsAndThenPairs) {
  FeatureOptions options;
  options.ngrams = 3;
  EXPECT_EQ(names("To be or", options), (Strings{"to", "be", "or", "to be", "be or", "to be or"}));
  EXPECT_EQ(names("One", options), Strings{"one"});
  options.lowercase = false;
  options.ngrams = 1;
  EXPECT_EQ(names("To Be", options), (Strings{"To", "Be"}));
}

TEST(FeatureScanner, EqualFeaturesHaveEqualFingerprints) {
  Example example;
  example.text = "a b a b";
  FeatureOptions options;
  options.ngrams = 2;
  FeatureScanner scanner(options);
  scanner.scan(example);
  ASSERT_EQ(scanner.size(), 7u);
  EXPECT_EQ(scanner.fingerprint(0), scanner.fingerprint(2));
  EXPECT_EQ(scanner.fingerprint(4), scanner.fingerprint(6));  // a b
  EXPECT_NE(scanner.fingerprint(4), scanner.fingerprint(5));  // b a
}

FeatureVector weighted(Weighting weighting, bool normalize, const std::vector<double>& idf) {
  FeatureVector vector{{2, 1, 2, 2}, {1, 1, 1, 1}};
  merge_counts(vector);
  FeatureOptions options;
  options.weighting = weighting;
  options.normalize = normalize;
  EXPECT_TRUE(weigh(options, idf, {}, 0, vector));
  return vector;
}

TEST(Weighting, IsWhatItsNameSays) {
  const std::vector<double> idf = {1, 2, 3};
  const std::vector<AttributeId> ids = {0, 1, 2};
  EXPECT_EQ(weighted(Weighting::kBinary, false, {}).ids, ids);
  EXPECT_EQ(weighted(Weighting::kBinary, false, {}).values, (std::vector<float>{1, 1, 1}));
  EXPECT_EQ(weighted(Weighting::kCount, false, {}).values, (std::vector<float>{1, 1, 3}));
  EXPECT_EQ(weighted(Weighting::kTfidf, false, idf).values, (std::vector<float>{1, 2, 9}));
  EXPECT_FLOAT_EQ(weighted(Weighting::kLog, false, {}).values[2],
                  1 + static_cast<float>(std::log(3.0)));
  EXPECT_FLOAT_EQ(weighted(Weighting::kLogTfidf, false, idf).values[2],
                  3 + 3 * static_cast<float>(std::log(3.0)));
}

TEST(Weighting, LengthOneLeavesTheBiasAlone) {
  const FeatureVector vector = weighted(Weighting::kCount, true, {});
  EXPECT_EQ(vector.values[0], 1);
  EXPECT_FLOAT_EQ(vector.values[1], 1 / std::sqrt(10.0F));
  EXPECT_FLOAT_EQ(vector.values[2], 3 / std::sqrt(10.0F));
}

TEST(Weighting, AnEmptyDocumentIsTheBiasAlone) {
  FeatureVector vector;
  EXPECT_TRUE(weigh(FeatureOptions(), {}, {}, 0, vector));
  EXPECT_EQ(vector.ids, std::vector<AttributeId>{0});
  EXPECT_EQ(vector.values, std::vector<float>{1});
}

TEST(Weighting, HasNoLogarithmOfLessThanOne) {
  FeatureVector vector{{1}, {0.5F}};
  FeatureOptions options;
  options.weighting = Weighting::kLog;
  EXPECT_FALSE(weigh(options, {}, {}, kNoAttribute, vector));
}

TEST(Weighting, RareFeaturesHaveALargerIdf) {
  EXPECT_DOUBLE_EQ(inverse_document_frequency(9, 9), 1);
  EXPECT_NEAR(inverse_document_frequency(99, 1), 1 + std::log(50.0), 1e-14);
}

}  // namespace
}  // namespace trellis::classify
