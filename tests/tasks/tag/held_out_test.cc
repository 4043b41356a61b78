#include "trellis/tasks/tag/training_set.h"

#include <gtest/gtest.h>

#include "tests/tasks/tag/small_tagger.h"
#include "trellis/base/error.h"
#include "trellis/tasks/tag/model/transition_rules.h"

namespace trellis::tag {
namespace {

using testing::RandomTagger;
using testing::RandomTaggerOptions;

class HeldOutTest : public ::testing::Test {
 protected:
  HeldOutTest()
      : train_(directory_.make("train.txt", testing::city_sentences(30, 1))),
        dev_(directory_.make("dev.txt", testing::city_sentences(700, 2))) {}

  HeldOut held_out(const std::string& file, const RandomTagger& drawn) {
    sentences_ = read_held_out(InputFile(file), drawn.features, drawn.set);
    return HeldOut(sentences_, drawn.set, drawn.chosen.node_ids, drawn.chosen.edge_ids);
  }

  testing::TemporaryDirectory directory_;
  std::string train_;
  std::string dev_;
  HeldOutSentences sentences_;
};

// What training sees of a model is what the model file will do.
TEST_F(HeldOutTest, EvaluatesAsTheSavedModelDoes) {
  const auto sequences = testing::read_sequences(dev_);
  for (int order = 1; order <= 3; ++order) {
    for (const int hash_bits : {0, 6}) {
      RandomTaggerOptions options;
      options.order = order;
      options.hash_bits = hash_bits;
      options.edges = order != 2;
      const RandomTagger drawn(train_, options, 5);
      const HeldOut dev = held_out(dev_, drawn);
      EXPECT_EQ(dev.num_sequences(), sequences.size());
      const TagModel model = drawn.model();
      const Tagger tagger(model);
      Tagger::Scratch scratch;
      TagScores expected(TagScheme::kIob2);
      LabelTexts texts(model.labels(), TagScheme::kIob2, TagScheme::kIob2);
      std::vector<Label> labels;
      std::vector<std::string_view> gold;
      for (const TagSequence& sequence : sequences) {
        tagger.tag(sequence, {}, scratch, labels);
        sequence.labels(kLastColumn, gold);
        expected.add(gold, texts.write(labels));
      }
      for (const int threads : {1, 2}) {
        const TagScores scores = dev.evaluate(*drawn.chain, drawn.weights[0], threads);
        EXPECT_EQ(scores.record(), expected.record());
      }
    }
  }
}

TEST_F(HeldOutTest, NamesLabelsThatTrainingDoesNotHave) {
  const RandomTagger drawn(train_, {}, 1);
  const std::string file =
      directory_.make("unseen.txt", "Lima B-CITY\nnow B-TIME\nlater I-TIME\nthe B-DAY\n\nx O\n");
  EXPECT_EQ(held_out(file, drawn).unseen_labels(), (std::vector<std::string>{"B-TIME", "I-TIME"}));
  EXPECT_TRUE(held_out(dev_, drawn).unseen_labels().empty());
}

TEST_F(HeldOutTest, RefusesOtherColumnsAndEmptyFiles) {
  const RandomTagger drawn(train_, {}, 1);
  try {
    held_out(directory_.make("three.txt", "\n\na b O\n"), drawn);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 3U);
    EXPECT_NE(std::string(error.what()).find("2 columns"), std::string::npos) << error.what();
  }
  EXPECT_THROW(held_out(directory_.make("empty.txt", "\n\n"), drawn), InputError);
  EXPECT_THROW(held_out(directory_.file("missing.txt"), drawn), InputError);
}

// A model in BIOES is judged in the scheme of the files.
TEST_F(HeldOutTest, ComparesInTheSchemeOfTheFiles) {
  TrainingSetOptions options;
  options.model_scheme = TagScheme::kBioes;
  const FeatureTemplate features = testing::city_template();
  TrainingSet set = read_training_set(open_files({train_}), features, options);
  const auto states =
      std::make_shared<const ChainStates>(transition_rules(set.labels, set.model_scheme), 1);
  const ChosenChainFeatures chosen =
      choose_chain_features(*states, {}, set.nodes.size(), 0, *set.examples);
  const Index n = set.labels.size();
  const ChainFeatures chain(states, chosen.node_rows.view(n), chosen.edge_rows.view(n * (n + 1)),
                            chosen.grams);
  const HeldOutSentences sentences = read_held_out(InputFile(train_), features, set);
  const HeldOut dev(sentences, set, chosen.node_ids, chosen.edge_ids);
  EXPECT_TRUE(dev.unseen_labels().empty());
  const TagScores scores = dev.evaluate(chain, std::vector<double>(chain.dimension(), 0.0), 1);
  for (const auto& label : scores.confusion().by_label())
    EXPECT_TRUE(label.label == "O" || label.label[0] == 'B' || label.label[0] == 'I');
}

}  // namespace
}  // namespace trellis::tag
