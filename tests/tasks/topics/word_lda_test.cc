// Models of related words: training, and what the file keeps.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/tasks/topics/small_topics.h"
#include "trellis/base/error.h"
#include "trellis/tasks/topics/document_inference.h"
#include "trellis/tasks/topics/output/word_tables.h"
#include "trellis/tasks/topics/topic_model.h"
#include "trellis/tasks/topics/train.h"
#include "trellis/tasks/topics/word_relations.h"

namespace trellis::topics::word_lda_test {
namespace {

using testing::few_sweeps;

// The sea and the kitchen, in two languages, of which the second has a word for each of the first.
Corpus two_languages(bool apart) {
  constexpr const char* kWords[2][5] = {{"boat", "tide", "sail", "anchor", "harbour"},
                                        {"dough", "oven", "flour", "yeast", "crust"}};
  CorpusBuilder builder{VocabularyOptions()};
  for (Index d = 0; d < 60; ++d) {
    Random random(3, d);
    const std::string language = d % 3 == 0 ? "de" : "en";
    for (Index i = 0; i < 8; ++i) {
      std::string word = kWords[d % 2][random.below(5)];
      if (d % 3 == 0) word += "e";
      if (apart) word = language + ":" + word;
      builder.add(word);
    }
    builder.end_document({"d" + std::to_string(d), "", language});
  }
  TextOptions text;
  text.by_language = apart;
  return builder.finish(text);
}

TrainOptions related() {
  TrainOptions options = few_sweeps();
  options.kind = TopicKind::kWordLda;
  options.word_lda.schedule = {10, 10};
  options.stages.languages = {{"en"}};
  return options;
}

Trained train_related(const Corpus& corpus, const TrainOptions& options) {
  RelationSources sources;
  sources.spelling = SpellingLinks::kEdits;
  sources.edits.min_length = 4;
  const FoundRelations found = find_relations(corpus, sources, 1);
  return train(corpus, nullptr, options, nullptr, {}, &found.relations);
}

TEST(WordLdaTraining, LanguagesApartHaveTopicsInCommon) {
  const Corpus corpus = two_languages(true);
  const Trained trained = train_related(corpus, related());
  ASSERT_TRUE(trained.model);
  EXPECT_EQ(trained.result.stages, 2U);
  EXPECT_EQ(trained.result.related_words, 20U);
  const TopicModel& model = *trained.model;
  EXPECT_EQ(model.lda().prior().parts().count, 2U);
  const std::vector<LanguageTable> tables = language_tables(model, 5);
  // Whatever is foremost in a topic in one language is in the other.
  for (const LanguageTable& table : tables) {
    const auto of_sea = [&](Index l) {
      const std::string word(model.words()[table[l][0].word]);
      return word.find("boat") != std::string::npos || word.find("tide") != std::string::npos ||
             word.find("sail") != std::string::npos || word.find("anchor") != std::string::npos ||
             word.find("harbour") != std::string::npos;
    };
    EXPECT_EQ(of_sea(0), of_sea(1));
  }
}

TEST(WordLdaTraining, TheFileKeepsWhatIsKnownOfWords) {
  for (const bool apart : {false, true}) {
    const Trained trained = train_related(two_languages(apart), related());
    const TopicModel& model = *trained.model;
    EXPECT_EQ(model.kind(), TopicKind::kWordLda);
    const std::string bytes = model.to_bytes();
    const TopicModel again = TopicModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
    EXPECT_EQ(again.to_bytes(), bytes);
    EXPECT_EQ(*again.graph(), *model.graph());
    EXPECT_EQ(again.lda().prior().rows().beta, model.lda().prior().rows().beta);
    EXPECT_EQ(again.lda().prior().parts().of_words, model.lda().prior().parts().of_words);
    EXPECT_EQ(again.languages()->words.counts, model.languages()->words.counts);
    std::vector<double> phi(2), same(2);
    for (Index w = 0; w < model.words().size(); ++w) {
      model.lda().word_probabilities(w, phi);
      again.lda().word_probabilities(w, same);
      EXPECT_EQ(phi, same);
    }
  }
}

TEST(WordLdaTraining, RaisedWordsNameTheirKin) {
  const Trained trained = train_related(two_languages(false), related());
  const auto raised = raised_words(*trained.model, 3);
  ASSERT_EQ(raised.size(), 2U);
  for (const auto& words : raised) {
    ASSERT_FALSE(words.empty());
    for (const RaisedWord& one : words) {
      EXPECT_GT(one.prior, one.usual);
      // Each word has its namesake in the other language for kin, and no other.
      ASSERT_EQ(one.kin.size(), 1U);
      const auto links = trained.model->graph()->links(one.word);
      ASSERT_EQ(links.size(), 1U);
      EXPECT_EQ(one.kin[0].word, links[0].word);
      EXPECT_GT(one.kin[0].count, 0);
    }
  }
}

TEST(WordLdaTraining, RefusesWhatDoesNotGoTogether) {
  const Corpus corpus = two_languages(false);
  EXPECT_THROW(train(corpus, nullptr, related()), UsageError);
  const WordRelations others{WordGraph(3), WordFeatures(3)};
  EXPECT_THROW(train(corpus, nullptr, related(), nullptr, {}, &others), UsageError);
  TrainOptions options = related();
  options.stages.languages = {{"fr"}};
  EXPECT_THROW(train_related(corpus, options), UsageError);
  options.stages.languages = {{"en"}, {"en"}};
  EXPECT_THROW(train_related(corpus, options), UsageError);
  options = related();
  options.learner.method = TopicMethod::kCvb0;
  EXPECT_THROW(train_related(corpus, options), UsageError);
  options = related();
  options.learner.lda.sampler = LdaSampler::kAlias;
  EXPECT_THROW(train_related(two_languages(true), options), UsageError);
}

}  // namespace
}  // namespace trellis::topics::word_lda_test
