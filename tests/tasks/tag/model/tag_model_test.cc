#include "trellis/tasks/tag/model/tag_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/tasks/tag/small_tagger.h"
#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

using testing::RandomTagger;
using testing::RandomTaggerOptions;

class TagModelTest : public ::testing::Test {
 protected:
  TagModelTest() : file_(directory_.make("train.txt", testing::city_sentences(40, 1))) {}

  testing::TemporaryDirectory directory_;
  std::string file_;
};

std::vector<RandomTaggerOptions> all_kinds() {
  std::vector<RandomTaggerOptions> all;
  for (int order = 1; order <= 3; ++order) {
    for (const int hash_bits : {0, 5, 12}) {
      for (const bool edges : {false, true}) {
        RandomTaggerOptions options;
        options.order = order;
        options.hash_bits = hash_bits;
        options.edges = edges;
        all.push_back(options);
        options.set = FeatureSet::kAll;
        all.push_back(options);
      }
    }
  }
  return all;
}

std::string describe(const RandomTaggerOptions& options) {
  return fmt::format("order {}, {} bits, {} edge attributes, {} voters", options.order,
                     options.hash_bits, options.edges ? "with" : "without", options.num_voters);
}

// Everything that a loaded model says of a sequence equals what the weights in memory say, to the
// last bit.
void expect_same_bits(const RandomTagger& drawn, const TagModel& model,
                      const std::vector<TagSequence>& sequences) {
  const Tagger tagger(model);
  Tagger::Scratch scratch;
  Chain::Scratch chain_scratch;
  for (Index i = 0; i < sequences.size(); ++i) {
    const Chain chain = drawn.chain->chain(sequences[i].num_tokens());
    const std::vector<double> s = drawn.scores(i);
    std::vector<Label> labels, expected;
    EXPECT_EQ(tagger.tag(sequences[i], {}, scratch, labels),
              chain.maximize(s, chain_scratch, expected));
    EXPECT_EQ(labels, expected);
    std::vector<ScoredOutput<Chain::Output>> best, expected_best;
    const double log_sum = tagger.n_best(sequences[i], {}, 4, scratch, best);
    chain.k_best(s, 4, chain_scratch, expected_best);
    ASSERT_EQ(best.size(), expected_best.size());
    for (Index k = 0; k < best.size(); ++k) {
      EXPECT_EQ(best[k].score, expected_best[k].score);
      EXPECT_EQ(best[k].output, expected_best[k].output);
    }
    std::vector<double> probabilities, marginals(chain.num_parts());
    tagger.marginals(sequences[i], {}, scratch, probabilities);
    EXPECT_EQ(log_sum, chain.log_partition(s, chain_scratch, marginals));
    marginals.resize(probabilities.size());
    EXPECT_EQ(probabilities, marginals);
  }
}

TEST_F(TagModelTest, WhatIsLoadedScoresBitForBitAsWhatWasSaved) {
  const auto sequences = testing::read_sequences(file_);
  std::uint64_t seed = 0;
  for (const RandomTaggerOptions& options : all_kinds()) {
    SCOPED_TRACE(describe(options));
    const RandomTagger drawn(file_, options, ++seed);
    expect_same_bits(drawn, drawn.model(), sequences);
  }
}

// More dense rows at a position than the kernels take at once, some of which the file leaves out,
// with sparse ones in between.
TEST_F(TagModelTest, ManyAttributesAtOnePositionAreAddedUpInTheSameOrder) {
  Random random(3);
  std::string text;
  for (Index token = 0; token < 120; ++token) {
    text += fmt::format("label{}", random.below(9));
    for (Index k = 0; k < 200; ++k) {
      // Every third attribute is rare, hence sparse.
      if (k % 3 == 0) {
        text += fmt::format("\trare{}:{}", random.below(6000), random.normal());
      } else {
        text += fmt::format("\tfrequent{}:{}", k, random.normal());
      }
    }
    text += token % 6 == 5 ? "\n\n" : "\n";
  }
  const std::string file = directory_.make("many.items", text);
  const auto sequences = testing::read_sequences(file, InputFormat::kItems);
  for (const int hash_bits : {0, 9}) {
    RandomTaggerOptions options;
    options.format = InputFormat::kItems;
    options.hash_bits = hash_bits;
    options.zeros = 0.6;
    const RandomTagger drawn(file, options, 5);
    expect_same_bits(drawn, drawn.model(), sequences);
  }
}

TEST_F(TagModelTest, VotersAreSavedWithTheirVotes) {
  const auto sequences = testing::read_sequences(file_);
  for (RandomTaggerOptions options : all_kinds()) {
    options.num_voters = 3;
    SCOPED_TRACE(describe(options));
    const RandomTagger drawn(file_, options, 7);
    const TagModel model = drawn.model();
    ASSERT_TRUE(model.voted());
    ASSERT_EQ(model.num_voters(), 3U);
    const Tagger tagger(model);
    Tagger::Scratch scratch;
    Chain::Scratch chain_scratch;
    for (Index i = 0; i < sequences.size(); ++i) {
      const Chain chain = drawn.chain->chain(sequences[i].num_tokens());
      std::vector<double> votes(chain.num_parts(), 0.0);
      std::vector<Label> y, labels;
      for (Index v = 0; v < 3; ++v) {
        EXPECT_EQ(model.votes(v), drawn.votes[v]);
        chain.maximize(drawn.scores(i, v), chain_scratch, y);
        for (Index t = 0; t < y.size(); ++t) votes[chain.node_part(t, y[t])] += drawn.votes[v];
      }
      const double expected = chain.maximize(votes, chain_scratch, y);
      EXPECT_EQ(tagger.tag(sequences[i], {}, scratch, labels), expected);
      EXPECT_EQ(labels, y);
    }
  }
}

TEST_F(TagModelTest, SameContentsAreTheSameBytes) {
  const RandomTagger a(file_, {}, 1), b(file_, {}, 1);
  EXPECT_EQ(a.bytes(), b.bytes());
  const std::string path = directory_.make("a.model", a.bytes());
  EXPECT_EQ(TagModel::read(path).labels(), a.set.labels);
}

TEST_F(TagModelTest, ADescriptionIsKept) {
  const TagModel model = RandomTagger(file_, {}, 1).model();
  EXPECT_EQ(model.format().num_columns, 2U);
  EXPECT_EQ(model.format().label_column, 1U);
  EXPECT_EQ(model.format().model_scheme, TagScheme::kIob2);
  EXPECT_EQ(model.training().at("learner"), "drawn");
  EXPECT_EQ(model.find_label("B-CITY"), model.find_label(std::string("B-CITY")));
  EXPECT_EQ(model.find_label("B-NONE"), kNoLabel);
  for (Index j = 0; j < model.labels().size(); ++j)
    EXPECT_EQ(model.find_label(model.labels()[j]), static_cast<Label>(j));
}

// A model of few attributes, so that every byte can be tried.
std::string tiny_file(const testing::TemporaryDirectory& directory) {
  return directory.make("tiny.txt", "in O\nNice B-X\nLima I-X\n\nthe O\n\n");
}

// Either refused, or it predicts the same.
void expect_refused_or_same(const std::string& bytes, const TagSequence& sequence,
                            const std::vector<double>& expected, Index& refused) {
  try {
    const TagModel model = TagModel::from_bytes(testing::as_bytes(bytes), "damaged.model");
    const Tagger tagger(model);
    Tagger::Scratch scratch;
    std::vector<double> probabilities;
    tagger.marginals(sequence, {}, scratch, probabilities);
    EXPECT_EQ(probabilities, expected);
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), "damaged.model");
    ++refused;
  }
}

TEST_F(TagModelTest, TruncatedAtAnyByteItIsRefused) {
  const std::string whole = RandomTagger(tiny_file(directory_), {}, 1).bytes();
  for (Index size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(TagModel::from_bytes(testing::as_bytes(whole.substr(0, size)), "cut.model"),
                 InputError)
        << size;
  }
}

TEST_F(TagModelTest, WithAnyByteFlippedItIsRefusedOrTheSame) {
  const std::string file = tiny_file(directory_);
  const RandomTagger drawn(file, {}, 1);
  const std::string whole = drawn.bytes();
  const TagModel model = drawn.model();
  const auto sequences = testing::read_sequences(file);
  Tagger::Scratch scratch;
  std::vector<double> expected;
  Tagger(model).marginals(sequences[0], {}, scratch, expected);
  Index refused = 0;
  std::string damaged = whole;
  for (Index at = 0; at < whole.size(); ++at) {
    for (const int mask : {0x01, 0x80, 0xff}) {
      damaged[at] = static_cast<char>(whole[at] ^ mask);
      expect_refused_or_same(damaged, sequences[0], expected, refused);
    }
    damaged[at] = whole[at];
  }
  EXPECT_EQ(refused, 3 * whole.size());  // the checksums leave nothing out
}

}  // namespace
}  // namespace trellis::tag
