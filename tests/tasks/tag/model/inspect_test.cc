#include "trellis/tasks/tag/model/inspect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/tasks/tag/small_tagger.h"

namespace trellis::tag {
namespace {

using testing::RandomTagger;
using testing::RandomTaggerOptions;

class InspectTest : public ::testing::Test {
 protected:
  InspectTest() : file_(directory_.make("train.txt", testing::city_sentences(30, 1))) {}

  testing::TemporaryDirectory directory_;
  std::string file_;
};

// The weights of a drawn tagger by attribute text and label.
std::map<std::pair<std::string, std::string>, double> node_weights(const RandomTagger& drawn) {
  std::map<std::pair<std::string, std::string>, double> weights;
  const AttributeRows& rows = drawn.chain->node_rows();
  for (Index id = 0; id < drawn.chosen.node_ids.size(); ++id) {
    const AttributeId row = drawn.chosen.node_ids[id];
    if (row == kNoAttribute) continue;
    const std::string name(drawn.set.nodes.name(static_cast<AttributeId>(id)));
    for (Index j = 0; j < rows.size(row); ++j)
      weights[{name, drawn.set.labels[rows.targets(row)[j]]}] =
          drawn.weights[0][rows.begin(row) + j];
  }
  return weights;
}

TEST_F(InspectTest, StrongestFeaturesAreThoseOfTheWeights) {
  RandomTaggerOptions options;
  options.edges = true;
  const RandomTagger drawn(file_, options, 3);
  const auto weights = node_weights(drawn);
  const auto strongest = strongest_features(drawn.model(), 5);
  ASSERT_EQ(strongest.size(), drawn.set.labels.size());
  for (Index label = 0; label < strongest.size(); ++label) {
    EXPECT_EQ(strongest[label].label, drawn.set.labels[label]);
    std::vector<double> sizes;
    for (const auto& [key, weight] : weights) {
      if (key.second == strongest[label].label) sizes.push_back(std::abs(weight));
    }
    std::sort(sizes.rbegin(), sizes.rend());
    ASSERT_EQ(strongest[label].features.size(), std::min<Index>(5, sizes.size()));
    for (Index k = 0; k < strongest[label].features.size(); ++k) {
      const WeightedFeature& feature = strongest[label].features[k];
      EXPECT_EQ(std::abs(feature.weight), sizes[k]);
      EXPECT_EQ(feature.weight, weights.at({feature.name, strongest[label].label}));
    }
  }
}

TEST_F(InspectTest, NothingIsAskedForNothingIsGiven) {
  const TagModel model = RandomTagger(file_, {}, 3).model();
  for (const LabelFeatures& label : strongest_features(model, 0))
    EXPECT_TRUE(label.features.empty());
  EXPECT_TRUE(strongest_edge_features(model, 10).empty());
}

TEST_F(InspectTest, EdgeFeaturesNameTheLabelsTheyJoin) {
  RandomTaggerOptions options;
  options.edges = true;
  options.zeros = 0;
  const TagModel model = RandomTagger(file_, options, 3).model();
  const auto features = strongest_edge_features(model, 1000);
  EXPECT_EQ(features.size(), std::min<Index>(1000, model.chain().edge_rows().num_weights()));
  for (Index k = 0; k < features.size(); ++k) {
    EXPECT_EQ(features[k].name.rfind("word[0]=", 0), 0U) << features[k].name;
    EXPECT_NE(features[k].name.find(" → "), std::string::npos);
    if (k > 0) {
      EXPECT_LE(std::abs(features[k].weight), std::abs(features[k - 1].weight));
    }
  }
}

TEST_F(InspectTest, HashedAttributesAreNamedByTheirBucket) {
  RandomTaggerOptions options;
  options.hash_bits = 4;
  options.zeros = 0;
  options.set = FeatureSet::kAll;
  const RandomTagger drawn(file_, options, 3);
  const TagModel model = drawn.model();
  const auto strongest = strongest_features(model, 100);
  for (const WeightedFeature& feature : strongest[0].features) {
    ASSERT_EQ(feature.name[0], '#');
    const auto bucket = static_cast<Index>(std::stoul(feature.name.substr(1)));
    ASSERT_LT(bucket, 16U);
    const AttributeId row = drawn.chosen.node_ids[bucket];
    ASSERT_NE(row, kNoAttribute);
    EXPECT_EQ(feature.weight, drawn.weights[0][drawn.chain->node_rows().begin(row)]);
  }
}

TEST_F(InspectTest, TransitionsAreTheWeightsOfLabelPairs) {
  for (int order = 1; order <= 2; ++order) {
    RandomTaggerOptions options;
    options.order = order;
    options.zeros = 0;
    const RandomTagger drawn(file_, options, 3);
    const TransitionTable table = transition_table(drawn.model());
    const Index n = drawn.set.labels.size();
    ASSERT_EQ(table.from.size(), n + 1);
    ASSERT_EQ(table.to.size(), n + 1);
    EXPECT_EQ(table.from[0], "^");
    EXPECT_EQ(table.to[n], "$");
    const double* w = drawn.weights[0].data() + drawn.chain->gram_begin();
    const auto expect_weight = [&](double shown, std::uint32_t rank) {
      if (rank == GramWeights::kNone) {
        EXPECT_TRUE(std::isnan(shown));
      } else {
        EXPECT_EQ(shown, w[rank]);
      }
    };
    const GramWeights& grams = drawn.chosen.grams;
    for (Index i = 0; i <= n; ++i) {
      for (Index j = 0; j < n; ++j)
        expect_weight(table.weights[i * (n + 1) + j], grams.levels[0][i * n + j]);
      if (i > 0) expect_weight(table.weights[i * (n + 1) + n], grams.stop[i - 1]);
    }
    EXPECT_TRUE(std::isnan(table.weights[n]));  // an empty sequence
  }
}

}  // namespace
}  // namespace trellis::tag
