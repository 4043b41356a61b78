#include "trellis/tasks/tagging/word_tagger.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/data/model_file.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::tagging::word_tagger_test {
namespace {

TaggedText lesson() {
  TaggedText text;
  for (int k = 0; k < 5; ++k) {
    for (const auto& [word, tag] : std::vector<std::pair<const char*, const char*>>{
             {"the", "DT"}, {"#", "SYM"}, {"-DOCSTART-", "NN"}, {"runs", "VBZ"}}) {
      text.add(word, tag);
    }
    text.end_sentence();
  }
  return text;
}

WordTagger trained(const char* loss) {
  return *train_word_tagger(lesson(), {Loss::named(loss), std::nullopt, 5, 1}, std::stop_token());
}

TEST(WordTagger, TagsWordsThatLookLikeSomethingElse) {
  const WordTagger tagger = trained("perceptron");
  WordTagger::Scratch scratch;
  scratch.words = {"the", "#", "-DOCSTART-", "runs"};
  tagger.tag(scratch);
  std::vector<std::string> tags;
  for (const Label label : scratch.labels) tags.emplace_back(tagger.name(label));
  EXPECT_EQ(tags, (std::vector<std::string>{"DT", "SYM", "NN", "VBZ"}));
  scratch.words = {"runs"};
  tagger.tag(scratch);
  EXPECT_EQ(scratch.labels.size(), 1);
}

TEST(WordTagger, TellsHowLikelyTagsAre) {
  const WordTagger tagger = trained("crf");
  WordTagger::Scratch scratch;
  scratch.words = {"the", "#", "unseen"};
  tagger.marginals(scratch);
  ASSERT_EQ(scratch.probabilities.size(), 3 * tagger.num_tags());
  for (Index i = 0; i < 3; ++i) {
    double sum = 0;
    for (Index t = 0; t < tagger.num_tags(); ++t) {
      sum += scratch.probabilities[i * tagger.num_tags() + t];
    }
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(WordTagger, LiesInASectionOfAnotherModel) {
  constexpr ModelKind kKind{"other"};
  std::optional<WordTagger> tagger = trained("perceptron"), again, another;
  const std::string bytes = ModelArchive::to_bytes(
      kKind, [&](ModelArchive& a) { WordTagger::describe(a, "tagger", tagger); });
  ModelArchive::read(kKind, ModelReader::from_bytes(std::as_bytes(std::span(bytes)), "m"),
                     [&](ModelArchive& a) {
                       WordTagger::describe(a, "another", another);
                       WordTagger::describe(a, "tagger", again);
                     });
  EXPECT_FALSE(another.has_value());
  ASSERT_TRUE(again.has_value());
  WordTagger::Scratch scratch;
  scratch.words = {"the"};
  again->tag(scratch);
  EXPECT_EQ(again->name(scratch.labels[0]), "DT");
}

TEST(WordTagger, StopsWhenItIsTold) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(train_word_tagger(lesson(), {Loss::named("perceptron"), std::nullopt, 5, 1},
                                 stop.get_token()));
}

// A tagger that goes by a column that the words of a sentence do not have.
TEST(WordTagger, ModelsOfMoreThanWordsAreRefused) {
  std::vector<InputFile> files;
  files.push_back(InputFile::from_bytes("w\ta\tb\tc\tX\n\n", "f"));
  tag::TrainOptions options;
  options.training.learner.loss = Loss::named("perceptron");
  tag::Trained trained =
      tag::train(tag::read_tag_data(std::move(files), std::nullopt,
                                    tag::FeatureTemplate::parse("node column 2\nedge\n", "t"), {}),
                 options);
  EXPECT_THROW(WordTagger(*std::move(trained.model)), InputError);
}

}  // namespace
}  // namespace trellis::tagging::word_tagger_test
