#include "trellis/tasks/tag/training_set.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tasks/tag/small_tagger.h"
#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

class TrainingSetTest : public ::testing::Test {
 protected:
  TrainingSet read(const std::vector<std::string>& texts, const TrainingSetOptions& options = {},
                   const std::string& features = "word = column 0\nnode word[0]\nedge\n") const {
    std::vector<std::string> files;
    for (Index f = 0; f < texts.size(); ++f)
      files.push_back(directory_.make(fmt::format("file{}.txt", f), texts[f]));
    return read_training_set(open_files(files), FeatureTemplate::parse(features, "template"),
                             options);
  }
  // The labels of sequence i, as texts.
  static std::vector<std::string> labels(const TrainingSet& set, Index i) {
    std::vector<std::string> texts;
    for (const Label label : set.examples->labels(i))
      texts.push_back(label == kNoLabel ? "?" : set.labels[static_cast<Index>(label)]);
    return texts;
  }
  // Expects an InputError about this line of the file whose name ends so.
  void expect_error(const std::vector<std::string>& texts, const std::string& file, Index line,
                    const TrainingSetOptions& options = {}) const {
    try {
      read(texts, options);
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_TRUE(error.file().ends_with(file)) << error.what();
      EXPECT_EQ(error.line(), line) << error.what();
    }
  }

  testing::TemporaryDirectory directory_;
};

using Texts = std::vector<std::string>;

TEST_F(TrainingSetTest, FoldsKeepWholeDocumentsHoweverTheseAreMarked) {
  // Six documents of two sentences; a mark may stand behind a blank line or end a sentence itself.
  for (const char* mark : {"# newdoc id = 7 of many\n", "-DOCSTART- X\n\n", "-DOCSTART- X\n"}) {
    SCOPED_TRACE(mark);
    std::string text;
    for (int document = 0; document < 6; ++document) {
      text += std::string(mark) + "a X\nb Y\n\nc X\n";
      if (mark[0] == '#' || document % 2 == 0) text += "\n";
    }
    const TrainingSet set = read({text});
    ASSERT_EQ(set.examples->num_examples(), 12U);
    EXPECT_EQ(set.documents, (std::vector<Index>{0, 2, 4, 6, 8, 10}));
    std::vector<Index> all;
    for (Index k = 0; k < 3; ++k) {
      const std::vector<Index> fold = sequences_of_fold(set, k, 3, 7);
      ASSERT_EQ(fold.size(), 4U);
      for (Index j = 0; j < 4; j += 2) {
        EXPECT_EQ(fold[j] % 2, 0U);
        EXPECT_EQ(fold[j + 1], fold[j] + 1);
      }
      all.insert(all.end(), fold.begin(), fold.end());
    }
    std::sort(all.begin(), all.end());
    for (Index i = 0; i < 12; ++i) EXPECT_EQ(all[i], i);
  }
}

TEST_F(TrainingSetTest, LabelsAndAttributesAreNumberedAsTheyCome) {
  const TrainingSet set = read({"a X\nb Y\n\na Z\n"});
  EXPECT_EQ(set.labels, (Texts{"X", "Y", "Z"}));
  EXPECT_EQ(set.model_scheme, TagScheme::kPlain);
  EXPECT_EQ(set.num_columns, 2U);
  EXPECT_EQ(set.nodes.size(), 2U);
  EXPECT_EQ(set.nodes.name(0), "word[0]=a");
  EXPECT_EQ(set.nodes.name(1), "word[0]=b");
  EXPECT_EQ(set.examples->num_examples(), 2U);
  EXPECT_EQ(set.examples->num_positions(), 3U);
}

TEST_F(TrainingSetTest, KnownLabelsComeFirst) {
  const std::string file = directory_.make("a.txt", "a X\nb Y\n");
  const auto features = FeatureTemplate::parse("node column 0\n", "t");
  const TrainingSet set = read_training_set(open_files({file}), features, {}, {"Y", "Q"});
  EXPECT_EQ(set.labels, (Texts{"Y", "Q", "X"}));
}

TEST_F(TrainingSetTest, Iob1IsLearnedAsIob2) {
  const TrainingSet set = read({"a I-P\nb I-P\nc B-P\nd O\n\na O\nb I-P\n"});
  EXPECT_EQ(set.file_scheme, TagScheme::kIob1);
  EXPECT_EQ(set.model_scheme, TagScheme::kIob2);
  EXPECT_EQ(labels(set, 0), (Texts{"B-P", "I-P", "B-P", "O"}));
  EXPECT_EQ(labels(set, 1), (Texts{"O", "B-P"}));
}

TEST_F(TrainingSetTest, SchemesAreConvertedOnRequest) {
  TrainingSetOptions options;
  options.model_scheme = TagScheme::kBioes;
  const TrainingSet set = read({"a B-P\nb I-P\nc B-P\nd O\n"}, options);
  EXPECT_EQ(set.file_scheme, TagScheme::kIob2);
  EXPECT_EQ(labels(set, 0), (Texts{"B-P", "E-P", "S-P", "O"}));
}

// A file without a single span cannot say its scheme: it is that of what is to be learned.
TEST_F(TrainingSetTest, AFileWithoutSpansIsReadInTheSchemeToLearn) {
  TrainingSetOptions options;
  options.model_scheme = TagScheme::kIob2;
  const TrainingSet set = read({"a O\nb O\n"}, options);
  EXPECT_EQ(set.file_scheme, TagScheme::kIob2);
  EXPECT_EQ(set.model_scheme, TagScheme::kIob2);
  expect_error({"a O\nb NN\n"}, "file0.txt", 2, options);
  options.model_scheme = TagScheme::kPlain;
  const TrainingSet plain = read({"a B-P\nb I-P\n"}, options);
  EXPECT_EQ(plain.file_scheme, TagScheme::kPlain);
  EXPECT_EQ(labels(plain, 0), (Texts{"B-P", "I-P"}));
  options.file_scheme = TagScheme::kIob2;
  EXPECT_THROW(read({"a B-P\n"}, options), UsageError);
}

TEST_F(TrainingSetTest, FaultsAreNamedByTheirLine) {
  TrainingSetOptions iob2;
  iob2.file_scheme = TagScheme::kIob2;
  expect_error({"a B-P\n\n\nb O\nc I-P\n"}, "file0.txt", 5, iob2);
  expect_error({"a B-P\n", "x O\n\ny O\nz I-Q\n"}, "file1.txt", 4, iob2);
  expect_error({"a B-P\nb NONE\n"}, "file0.txt", 2, iob2);
  expect_error({"a X Y\nb X Y\n", "c X\n"}, "file1.txt", 1);
  expect_error({"a\nb\n"}, "file0.txt", 1);
  expect_error({""}, "file0.txt", 0);
}

// Comments, multiword tokens and empty nodes stand between the tokens.
TEST_F(TrainingSetTest, LinesOfConlluFilesAreThoseOfTheFile) {
  TrainingSetOptions options;
  options.label_column = 3;
  options.file_scheme = TagScheme::kIob2;
  const auto line = [](const std::string& id, const std::string& label) {
    return id + "\tword\t_\t" + label + "\t_\t_\t_\t_\t_\t_\n";
  };
  const std::string text = "# sent_id = 1\n" + line("1", "B-P") + line("2-3", "_") +
                           line("2", "I-P") + line("3", "O") + line("3.1", "_") + line("4", "I-P") +
                           "\n";
  expect_error({text}, "file0.txt", 7, options);
}

TEST_F(TrainingSetTest, TheLabelMayStandBeforeTheColumnsOfTheTemplate) {
  TrainingSetOptions options;
  options.label_column = 0;
  const TrainingSet set = read({"X a\nY b\n"}, options, "node column 1\n");
  EXPECT_EQ(set.labels, (Texts{"X", "Y"}));
  EXPECT_EQ(set.num_columns, 2U);
}

TEST_F(TrainingSetTest, IllegalSequencesAreRepairedOnRequest) {
  TrainingSetOptions options;
  options.file_scheme = TagScheme::kIob2;
  options.repair = true;
  const TrainingSet set = read({"a O\nb I-P\nc I-P\nd I-Q\n"}, options);
  EXPECT_EQ(labels(set, 0), (Texts{"O", "B-P", "I-P", "B-Q"}));
  EXPECT_EQ(set.repaired_labels, 2U);
  EXPECT_THROW(read({"a O\nb NN\n"}, options), InputError);
}

// Features are extracted in batches, side by side: every sequence keeps its own.
TEST_F(TrainingSetTest, ManySequencesOfSeveralFilesKeepTheirOrder) {
  std::vector<std::string> texts(3);
  std::vector<std::string> words;
  for (Index i = 0; i < 1700; ++i) {
    words.push_back(fmt::format("w{}", i));
    texts[i < 1100 ? 0 : i < 1101 ? 1 : 2] += words.back() + fmt::format(" L{}\n\n", i % 7);
  }
  for (const int threads : {1, 2, 3}) {
    TrainingSetOptions options;
    options.threads = threads;
    const TrainingSet set = read(texts, options);
    ASSERT_EQ(set.examples->num_examples(), words.size());
    ASSERT_EQ(set.nodes.size(), words.size());
    Index wrong = 0;
    set.examples->nodes().for_each([&](Index i, Index, AttributeId a) {
      wrong += set.nodes.name(a) == "word[0]=" + words[i] ? 0U : 1U;
    });
    EXPECT_EQ(wrong, 0U);
    for (Index i = 0; i < words.size(); ++i)
      EXPECT_EQ(labels(set, i), Texts{fmt::format("L{}", i % 7)});
  }
}

TEST_F(TrainingSetTest, RareAttributesAreDropped) {
  TrainingSet set = read({"a X\na Y\nb X\nc Y\nc X\nc X\n"});
  const ChainStates states(TransitionRules(2), 1);
  ChainFeatureOptions options;
  options.min_count = 2;
  const ChosenChainFeatures chosen =
      choose_chain_features(states, options, set.nodes.size(), 0, *set.examples);
  EXPECT_NE(chosen.node_ids[0], kNoAttribute);
  EXPECT_EQ(chosen.node_ids[1], kNoAttribute);
  EXPECT_NE(chosen.node_ids[2], kNoAttribute);
}

TEST_F(TrainingSetTest, ItemsBringTheirValuesAndWeights) {
  TrainingSetOptions options;
  options.format = InputFormat::kItems;
  const TrainingSet set = read({"X\ta:2.5\tb\nY\tb:-1\n\n@weight:3\tX\ta\n"}, options);
  EXPECT_EQ(set.num_columns, 0U);
  EXPECT_EQ(set.labels, (Texts{"X", "Y"}));
  EXPECT_EQ(set.nodes.name(0), "a");
  EXPECT_EQ(set.examples->weight(0), 1);
  EXPECT_EQ(set.examples->weight(1), 3);
  const ChainStates states(TransitionRules(2), 1);
  choose_chain_features(states, {}, set.nodes.size(), 0, *set.examples);
  const PositionAttributes x = set.examples->attributes(0).node;
  ASSERT_EQ(x.ids.size(), 3U);
  EXPECT_EQ(x.value(0), 2.5);
  EXPECT_EQ(x.value(1), 1);
  EXPECT_EQ(x.value(2), -1);
  EXPECT_EQ(set.examples->attributes(1).node.value(0), 1);
}

TEST_F(TrainingSetTest, ItemsWithoutALabelAreRefused) {
  TrainingSetOptions options;
  options.format = InputFormat::kItems;
  expect_error({"X\ta\n\tb\n"}, "file0.txt", 2, options);
}

TEST_F(TrainingSetTest, PartialLabelsBecomeSets) {
  TrainingSetOptions options;
  options.partial = true;
  const TrainingSet set = read({"a X\nb ?\nc Y|X\n\nd Z\n"}, options);
  EXPECT_EQ(set.labels, (Texts{"X", "Y", "Z"}));
  EXPECT_EQ(labels(set, 0), (Texts{"X", "?", "?"}));
  const auto truth = set.examples->truth(0);
  EXPECT_EQ(std::vector<std::uint8_t>(truth.begin(), truth.end()),
            (std::vector<std::uint8_t>{1, 0, 0, 1, 1, 1, 1, 1, 0}));
  expect_error({"a X\nb Y|\n"}, "file0.txt", 2, options);
  expect_error({"a X\nb ?|Y\n"}, "file0.txt", 2, options);
}

TEST_F(TrainingSetTest, HashingGivesIdsOfItsBits) {
  TrainingSetOptions options;
  options.hash_bits = 3;
  const TrainingSet set = read({testing::city_sentences(20, 1)}, options);
  EXPECT_EQ(set.nodes.size(), 8U);
  set.examples->nodes().for_each([&](Index, Index, AttributeId a) { EXPECT_LT(a, 8U); });
}

}  // namespace
}  // namespace trellis::tag
