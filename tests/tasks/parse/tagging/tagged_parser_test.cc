// A parser that was trained along with its tagger.
#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/parse/small_treebank.h"
#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/tasks/parse/model/parser.h"
#include "trellis/tasks/parse/output/evaluate.h"
#include "trellis/tasks/parse/train.h"

namespace trellis::parse {
namespace {

using testing::garden;
using testing::garden_treebank;

TrainOptions with_tagger() {
  TrainOptions options;
  options.training.learner.epochs = 3;
  options.training.threads = 1;
  options.tagger = true;
  options.jackknife = 3;
  return options;
}

const Trained& garden_parser() {
  static const Trained trained = [] {
    const Treebank treebank = garden_treebank("train"), dev = garden_treebank("dev");
    return train(treebank, &dev, with_tagger());
  }();
  return trained;
}

Sentence parsed(const ParseModel& model, Sentence sentence, Retag retag) {
  const Parser parser(model);
  Parser::Scratch scratch;
  ParsedTree tree;
  parser.tag(retag, "file", sentence, scratch);
  parser.parse(sentence, scratch, tree);
  parser.write(tree, sentence);
  return sentence;
}

// Nothing but the columns that a tagger and a parser fill.
Sentence bare(Sentence sentence) {
  for (Word& word : sentence.words) {
    word.lemma.clear();
    word.features.clear();
  }
  return sentence;
}

Sentence words_alone(Sentence sentence) {
  sentence = bare(std::move(sentence));
  for (Word& word : sentence.words) {
    word.coarse.clear();
    word.fine.clear();
    word.head = kNoHead;
    word.label.clear();
  }
  return sentence;
}

TEST(TaggedParser, GoesByWordsAlone) {
  const ParseModel& model = *garden_parser().model;
  ASSERT_NE(model.tagger(), nullptr);
  EXPECT_TRUE(model.tagger()->has_fine());
  for (const Sentence& gold : garden_treebank("test").sentences) {
    const Sentence from_words = parsed(model, words_alone(gold), Retag::kMissing);
    EXPECT_EQ(from_words, bare(parsed(model, gold, Retag::kAll)));
    for (const Word& word : from_words.words) {
      EXPECT_FALSE(word.coarse.empty() || word.fine.empty() || word.label.empty());
    }
  }
}

TEST(TaggedParser, KeepsTheTagsOfTheFile) {
  const ParseModel& model = *garden_parser().model;
  for (const Sentence& gold : garden_treebank("test").sentences) {
    const Sentence found = parsed(model, gold, Retag::kMissing);
    for (Index i = 0; i < gold.size(); ++i) {
      EXPECT_EQ(found.words[i].coarse, gold.words[i].coarse);
      EXPECT_EQ(found.words[i].fine, gold.words[i].fine);
      EXPECT_EQ(found.words[i].lemma, gold.words[i].lemma);  // passes through, unseen
    }
  }
}

// What training says of the dev set is what evaluation finds when it tags all words.
TEST(TaggedParser, TrainingTellsTheFiguresOfEvaluation) {
  const TrainResult& result = garden_parser().result;
  ASSERT_TRUE(result.tagging && result.tagging->dev && result.dev);
  EvaluateOptions options;
  options.retag = Retag::kAll;
  const Evaluation found = evaluate(*garden_parser().model, InputFile(garden("dev")), options);
  ASSERT_TRUE(found.tags);
  EXPECT_EQ(*found.tags, *result.tagging->dev);
  EXPECT_EQ(found.scores.counts(Punctuation::kScored), result.dev->counts(Punctuation::kScored));
  EXPECT_EQ(result.tagging->folds, 3U);
  EXPECT_EQ(result.tagging->jackknifed.coarse.words, result.words);
}

// A word without a fine tag is enough for a tagger of coarse ones alone. The gold fine tags of the
// evaluated file are then nobody's prediction.
TEST(TaggedParser, TagsThatItsTaggerDoesNotGiveAreNotScored) {
  Treebank treebank = garden_treebank("train", 20);
  treebank.sentences.front().words.front().fine.clear();
  const Treebank dev = garden_treebank("dev");
  const Trained trained = train(treebank, &dev, with_tagger());
  ASSERT_FALSE(trained.model->tagger()->has_fine());
  EvaluateOptions options;
  options.retag = Retag::kAll;
  const Evaluation found = evaluate(*trained.model, InputFile(garden("dev")), options);
  const Value tags = found.record().at("tags");
  EXPECT_TRUE(tags.contains("coarse"));
  EXPECT_FALSE(tags.contains("fine")) << to_json(tags);
  EXPECT_NE(found.to_text().find("coarse"), std::string::npos);
  EXPECT_EQ(found.to_text().find("fine"), std::string::npos) << found.to_text();
  EXPECT_EQ(trained.result.record().at("tagger").at("dev"), tags);
}

TEST(TaggedParser, IsReadAsItWasWritten) {
  trellis::testing::TemporaryDirectory folder;
  garden_parser().model->write(folder.file("m"));
  const ParseModel read = ParseModel::read(folder.file("m"));
  for (const Sentence& gold : garden_treebank("test").sentences) {
    EXPECT_EQ(parsed(read, words_alone(gold), Retag::kAll),
              parsed(*garden_parser().model, words_alone(gold), Retag::kAll));
  }
}

TEST(TaggedParser, WithoutATaggerTagsAreAskedFor) {
  TrainOptions options = with_tagger();
  options.tagger = false;
  options.jackknife.reset();
  const Trained trained = train(garden_treebank("train", 20), nullptr, options);
  EXPECT_EQ(trained.model->tagger(), nullptr);
  EXPECT_FALSE(trained.result.tagging.has_value());
  const Sentence gold = garden_treebank("test").sentences.front();
  EXPECT_THROW(parsed(*trained.model, words_alone(gold), Retag::kMissing), InputError);
  EvaluateOptions all;
  all.retag = Retag::kAll;
  EXPECT_THROW(evaluate(*trained.model, InputFile(garden("dev")), all), UsageError);
}

TEST(TaggedParser, RefusesWhatDoesNotGoTogether) {
  TrainOptions options = with_tagger();
  options.tagger = false;
  EXPECT_THROW(plan(options), UsageError);
  options = with_tagger();
  options.jackknife = 1000;
  EXPECT_THROW(train(garden_treebank("train", 20), nullptr, options), UsageError);
}

TEST(TaggedParser, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  TrainEvents events;
  events.stop = source.get_token();
  const Trained trained = train(garden_treebank("train", 20), nullptr, with_tagger(), events);
  EXPECT_FALSE(trained.model.has_value());
  EXPECT_TRUE(trained.result.learned.interrupted);
}

}  // namespace
}  // namespace trellis::parse
