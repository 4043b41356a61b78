#include "trellis/tasks/tag/train.h"

#include <gtest/gtest.h>

#include "tests/tasks/tag/small_tagger.h"
#include "tests/tasks/tag/train_files.h"
#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

using testing::RandomTagger;
using testing::RandomTaggerOptions;

class WarmStartTest : public ::testing::Test {
 protected:
  WarmStartTest() : file_(directory_.make("train.txt", testing::city_sentences(40, 1))) {}

  testing::TemporaryDirectory directory_;
  std::string file_;
};

std::vector<double> warm(const TagModel& old, const RandomTagger& now) {
  return warm_weights(old, now.set, *now.chain, now.chosen.node_ids, now.chosen.edge_ids);
}

TEST_F(WarmStartTest, TheSameFeaturesGetTheSameWeights) {
  for (int order = 1; order <= 3; ++order) {
    for (const int hash_bits : {0, 7}) {
      for (const bool edges : {false, true}) {
        RandomTaggerOptions options;
        options.order = order;
        options.hash_bits = hash_bits;
        options.edges = edges;
        const RandomTagger drawn(file_, options, 6);
        EXPECT_EQ(warm(drawn.model(), drawn), drawn.weights[0]);
      }
    }
  }
}

// Labels and attributes of the old model keep their scores when there are new ones and a higher
// order.
TEST_F(WarmStartTest, NewLabelsAttributesAndOrdersLeaveOldScoresAsTheyWere) {
  RandomTaggerOptions options;
  options.edges = true;
  options.set = FeatureSet::kAll;
  const RandomTagger old(file_, options, 6);
  const TagModel model = old.model();
  const std::string longer =
      directory_.make("longer.txt", "zebra B-ANIMAL\nhere O\n\n" + testing::city_sentences(40, 1));
  options.order = 2;
  RandomTagger now(longer, options, 7);
  now.weights[0] = warm(model, now);
  Chain::Scratch scratch;
  for (Index i = 0; i < old.set.examples->num_examples(); ++i) {
    const std::vector<Label>& y = old.set.examples->labels(i);
    std::vector<Label> same;
    for (const Label label : y) {
      const std::string& text = old.set.labels[static_cast<Index>(label)];
      const auto found = std::find(now.set.labels.begin(), now.set.labels.end(), text);
      same.push_back(static_cast<Label>(found - now.set.labels.begin()));
    }
    const double before = old.chain->chain(y.size()).score(old.scores(i), y);
    const double after = now.chain->chain(y.size()).score(now.scores(i + 1), same);
    EXPECT_NEAR(after, before, 1e-9);
  }
}

TEST_F(WarmStartTest, TrainingGoesOnFromTheOldWeights) {
  testing::TrainFiles options;
  options.files = {file_};
  options.model = directory_.file("first.model");
  options.said().epsilon = 1e-8;
  options.said().delta = 0;
  options.options.training.threads = 1;
  const FeatureTemplate features = testing::city_template();
  const testing::FilesResult first = testing::train_files(options, features);
  options.warm_start = options.model;
  options.model = directory_.file("second.model");
  options.said().epochs = 1;
  const testing::FilesResult second = testing::train_files(options, features);
  EXPECT_NEAR(second.summary.objective, first.summary.objective, 1e-6 * first.summary.objective);
  EXPECT_LE(second.summary.objective, first.summary.objective + 1e-12);
}

TEST_F(WarmStartTest, ModelsThatAreNoStartAreRefused) {
  const FeatureTemplate features = testing::city_template();
  RandomTaggerOptions drawn;
  testing::TrainFiles options;
  options.files = {file_};
  drawn.num_voters = 2;
  options.warm_start = directory_.make("voted.model", RandomTagger(file_, drawn, 1).bytes());
  EXPECT_THROW(testing::train_files(options, features), UsageError);
  drawn.num_voters = 0;
  drawn.hash_bits = 5;
  options.warm_start = directory_.make("hashed.model", RandomTagger(file_, drawn, 1).bytes());
  EXPECT_THROW(testing::train_files(options, features), UsageError);
  options.warm_start = file_;
  EXPECT_THROW(testing::train_files(options, features), InputError);
}

// Data without a single span does not turn a span tagger into something that cannot be loaded.
TEST_F(WarmStartTest, DataWithoutSpansKeepsTheScheme) {
  testing::TrainFiles options;
  options.warm_start = directory_.make("old.model", RandomTagger(file_, {}, 1).bytes());
  options.files = {directory_.make("nothing.txt", "fly O\nto O\n\nplease O\n")};
  options.model = directory_.file("new.model");
  options.said().epochs = 2;
  testing::train_files(options, testing::city_template());
  const TagModel model = TagModel::read(options.model);
  EXPECT_EQ(model.format().model_scheme, TagScheme::kIob2);
  EXPECT_NE(model.find_label("I-CITY"), kNoLabel);
}

}  // namespace
}  // namespace trellis::tag
