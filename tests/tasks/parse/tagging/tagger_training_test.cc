#include "trellis/tasks/parse/tagging/tagger_training.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::parse {
namespace {

struct TaggedWord {
  std::string form, coarse, fine;
};

Sentence tagged(const std::vector<TaggedWord>& words) {
  Sentence sentence;
  for (const TaggedWord& one : words) {
    Word word;
    word.form = one.form;
    word.coarse = one.coarse;
    word.fine = one.fine;
    word.lemma = "lemma";
    word.features = "Case=Nom";
    word.head = 0;
    word.label = "root";
    sentence.words.push_back(word);
  }
  return sentence;
}

// "the cat sleeps", "the dog barks", …: the words are told apart by their endings.
std::vector<Sentence> regular(Index count) {
  std::vector<Sentence> sentences;
  for (Index i = 0; i < count; ++i) {
    sentences.push_back(tagged({{"the", "DET", "DT"},
                                {fmt::format("b{}ox", i), "NOUN", "NN"},
                                {fmt::format("r{}ings", i), "VERB", "VBZ"}}));
  }
  return sentences;
}

LearnedTags learned(const std::vector<Sentence>& sentences, Index folds, int threads = 1) {
  auto found = learn_tags(sentences, {folds, 1, threads}, {});
  EXPECT_TRUE(found.has_value());
  return *std::move(found);
}

std::vector<std::string> coarse_of(const Sentence& sentence) {
  std::vector<std::string> tags;
  for (const Word& word : sentence.words) tags.push_back(word.coarse);
  return tags;
}

Sentence retagged(const SentenceTagger& tagger, Sentence sentence, Retag which) {
  SentenceTagger::Scratch scratch;
  tagger.tag(which, sentence, scratch);
  return sentence;
}

TEST(TaggerTraining, TagsWordsByWhatTheyLookLike) {
  const LearnedTags tags = learned(regular(20), 4);
  const Sentence found = retagged(
      tags.tagger, tagged({{"the", "", ""}, {"b99ox", "", ""}, {"r77ings", "", ""}}), Retag::kAll);
  EXPECT_EQ(coarse_of(found), (std::vector<std::string>{"DET", "NOUN", "VERB"}));
  EXPECT_EQ(found.words[2].fine, "VBZ");
  EXPECT_EQ(tags.jackknifed.coarse.words, 60U);
  EXPECT_EQ(tags.jackknifed.coarse.accuracy(), 100);
  EXPECT_EQ(tags.jackknifed.fine.accuracy(), 100);
}

// Each sentence has a tag of its own: who has seen the sentence gives that tag, and who has not
// cannot.
TEST(TaggerTraining, NoSentenceIsTaggedByWhoHasSeenIt) {
  std::vector<Sentence> sentences;
  for (Index i = 0; i < 9; ++i) {
    sentences.push_back(tagged({{"the", "DET", ""},
                                {fmt::format("{}", std::string(4, static_cast<char>('a' + i))),
                                 fmt::format("T{}", i), ""}}));
  }
  for (const Index folds : {2, 3, 9}) {
    const LearnedTags tags = learned(sentences, folds);
    ASSERT_EQ(tags.sentences.size(), sentences.size());
    for (Index i = 0; i < sentences.size(); ++i) {
      EXPECT_NE(tags.sentences[i].words[1].coarse, fmt::format("T{}", i));
      EXPECT_EQ(coarse_of(retagged(tags.tagger, sentences[i], Retag::kAll)),
                coarse_of(sentences[i]));
    }
    EXPECT_EQ(tags.jackknifed.coarse.words, 18U);
    EXPECT_LE(tags.jackknifed.coarse.right, 9U);
  }
}

TEST(TaggerTraining, ParsersSeeWordsAndTagsAlone) {
  std::vector<Sentence> sentences = regular(6);
  const LearnedTags tags = learned(sentences, 2);
  for (Index i = 0; i < sentences.size(); ++i) {
    for (Word& word : sentences[i].words) {
      word.lemma.clear();
      word.features.clear();
    }
    EXPECT_EQ(tags.sentences[i], sentences[i]);  // heads, labels and all
  }
}

TEST(TaggerTraining, TheSameForAnyNumberOfThreads) {
  const std::vector<Sentence> sentences = regular(12);
  const auto bytes = [](const LearnedTags& tags) {
    std::vector<std::byte> all;
    for (const tagging::WordTagger* one : {&tags.tagger.coarse(), &*tags.tagger.fine()}) {
      all.insert(all.end(), one->model().bytes().begin(), one->model().bytes().end());
    }
    return all;
  };
  const LearnedTags one = learned(sentences, 3, 1), four = learned(sentences, 3, 4);
  EXPECT_EQ(bytes(one), bytes(four));
  EXPECT_EQ(one.sentences, four.sentences);
  EXPECT_EQ(one.jackknifed, four.jackknifed);
}

std::pair<bool, std::string> fine_and_phase(const std::vector<Sentence>& sentences) {
  std::string said;
  TrainEvents events;
  events.on_phase = [&](const std::string& phase) { said += phase; };
  const auto tags = learn_tags(sentences, {2, 1, 1}, events);
  for (const Sentence& sentence : tags->sentences) {
    for (const Word& word : sentence.words) EXPECT_EQ(word.fine.empty(), !tags->tagger.has_fine());
  }
  return {tags->tagger.has_fine(), said};
}

TEST(TaggerTraining, FineTagsAreLearnedWhereTheyAreFew) {
  std::vector<Sentence> sentences = regular(4);
  EXPECT_EQ(fine_and_phase(sentences), std::pair(true, std::string()));
  sentences[2].words[1].fine.clear();
  EXPECT_EQ(
      fine_and_phase(sentences),
      std::pair(false, std::string("no tagger for fine parts of speech: some words have no tag")));
  for (Sentence& sentence : sentences) {
    for (Word& word : sentence.words) word.fine.clear();
  }
  EXPECT_EQ(fine_and_phase(sentences), std::pair(false, std::string()));
  for (Index i = 0; i <= kMostFineTags / 3; ++i) {
    sentences.push_back(tagged({{"a", "DET", fmt::format("x{}", i)},
                                {"b", "NOUN", fmt::format("y{}", i)},
                                {"c", "VERB", fmt::format("z{}", i)}}));
  }
  sentences.erase(sentences.begin(), sentences.begin() + 4);
  EXPECT_EQ(
      fine_and_phase(sentences),
      std::pair(
          false,
          std::string("no tagger for fine parts of speech: 102 different tags are more than 100")));
}

TEST(TaggerTraining, RefusesFoldsThatCannotBe) {
  const std::vector<Sentence> sentences = regular(3);
  for (const Index folds : {0, 1, 4}) {
    EXPECT_THROW(learn_tags(sentences, {folds, 1, 1}, {}), UsageError) << folds;
  }
}

TEST(TaggerTraining, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  TrainEvents events;
  events.stop = source.get_token();
  EXPECT_FALSE(learn_tags(regular(4), {2, 1, 1}, events).has_value());
}

}  // namespace
}  // namespace trellis::parse
