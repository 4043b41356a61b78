#include "trellis/tasks/parse/tagging/sentence_tagger.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/tasks/parse/tagging/tagger_training.h"

namespace trellis::parse {
namespace {

// Words that a column file would not take for words.
const std::vector<std::pair<std::string, std::string>> kOddWords = {
    {"#", "SYM"}, {"-DOCSTART-", "X"}, {"New York", "PROPN"}, {"_", "PUNCT"}, {"1-2", "NUM"}};

Sentence odd_sentence() {
  Sentence sentence;
  for (const auto& [form, tag] : kOddWords) {
    Word word;
    word.form = form;
    word.lemma = "l";
    word.features = "F=f";
    word.coarse = tag;
    word.fine = tag + "+";
    sentence.words.push_back(word);
  }
  return sentence;
}

const SentenceTagger& odd_tagger() {
  static const SentenceTagger tagger =
      learn_tags(std::vector<Sentence>(3, odd_sentence()), {2, 1, 1}, {})->tagger;
  return tagger;
}

Sentence with_tags(Retag which, Sentence sentence) {
  SentenceTagger::Scratch scratch;
  odd_tagger().tag(which, sentence, scratch);
  return sentence;
}

Sentence untagged(Sentence sentence) {
  for (Word& word : sentence.words) {
    word.coarse.clear();
    word.fine.clear();
  }
  return sentence;
}

TEST(SentenceTagger, EveryFormIsAWord) {
  EXPECT_EQ(with_tags(Retag::kMissing, untagged(odd_sentence())), odd_sentence());
  Sentence none;
  EXPECT_EQ(with_tags(Retag::kAll, none), none);
}

TEST(SentenceTagger, WhatTheFileSaysCountsUnlessAskedOtherwise) {
  Sentence sentence = odd_sentence();
  sentence.words[0].coarse = "NOUN";
  sentence.words[1].coarse.clear();
  sentence.words[2].fine.clear();
  Sentence filled = odd_sentence();
  filled.words[0].coarse = "NOUN";
  EXPECT_EQ(with_tags(Retag::kMissing, sentence), filled);
  EXPECT_EQ(with_tags(Retag::kAll, sentence), odd_sentence());
}

TEST(SentenceTagger, HidesWhatParsersHaveNotLearnedFrom) {
  Sentence sentence = odd_sentence();
  odd_tagger().hide_unlearned(sentence);
  for (const Word& word : sentence.words) {
    EXPECT_TRUE(word.lemma.empty() && word.features.empty());
    EXPECT_FALSE(word.form.empty() || word.coarse.empty() || word.fine.empty());
  }
}

TEST(TaggingCounts, AreOfTheTagsThatTheTaggerGivesAndGoldHas) {
  Sentence gold = odd_sentence(), system = odd_sentence();
  system.words[0].coarse = "NOUN";
  system.words[1].fine = "?";
  system.words[2].fine = "?";
  gold.words[3].fine.clear();
  TaggingCounts counts, coarse_alone;
  counts.add(gold, system, true);
  EXPECT_EQ(counts.coarse.accuracy(), 80);
  EXPECT_EQ(counts.fine.words, 4U);
  EXPECT_EQ(counts.fine.accuracy(), 50);
  EXPECT_EQ(counts.to_text(), "80.00 % of coarse tags (UPOS), 50.00 % of fine tags (XPOS)");
  coarse_alone.add(gold, system, false);
  EXPECT_EQ(coarse_alone.to_text(), "80.00 % of coarse tags (UPOS)");
  EXPECT_EQ(coarse_alone.record().size(), 1U);
  EXPECT_TRUE(TaggingCounts().record().empty());
}

std::string model_with(const std::vector<std::pair<std::string, std::string>>& sections) {
  ModelWriter writer("test", 1);
  writer.add_json("meta", Value());
  for (const auto& [name, bytes] : sections) writer.add_text(name, bytes);
  return writer.to_bytes();
}

std::optional<SentenceTagger> read(const std::string& model) {
  std::optional<tagging::WordTagger> coarse, fine;
  ModelArchive::read(ModelKind{"test"},
                     ModelReader::from_bytes(std::as_bytes(std::span(model)), "m"),
                     [&](ModelArchive& a) {
                       tagging::WordTagger::describe(a, "tagger.coarse", coarse);
                       tagging::WordTagger::describe(a, "tagger.fine", fine);
                     });
  if (!coarse) return std::nullopt;
  return SentenceTagger(*std::move(coarse), std::move(fine));
}

std::string bytes_of(const tagging::WordTagger& tagger) {
  const std::span<const std::byte> bytes = tagger.model().bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(SentenceTagger, IsReadAsItWasWritten) {
  EXPECT_FALSE(read(model_with({})).has_value());
  const SentenceTagger odd = odd_tagger();
  const std::string good = bytes_of(odd.coarse());
  const auto tagger =
      read(model_with({{"tagger.coarse", good}, {"tagger.fine", bytes_of(*odd.fine())}}));
  ASSERT_TRUE(tagger && tagger->has_fine());
  Sentence sentence = untagged(odd_sentence());
  SentenceTagger::Scratch scratch;
  tagger->tag(Retag::kMissing, sentence, scratch);
  EXPECT_EQ(sentence, odd_sentence());
  const auto coarse = read(model_with({{"tagger.coarse", good}}));
  ASSERT_TRUE(coarse);
  EXPECT_FALSE(coarse->has_fine());
}

TEST(SentenceTagger, BrokenOnesAreRefused) {
  const std::string good = bytes_of(odd_tagger().coarse());
  EXPECT_THROW(read(model_with({{"tagger.coarse", ""}})), InputError);
  EXPECT_THROW(read(model_with({{"tagger.coarse", good.substr(0, good.size() / 2)}})), InputError);
  EXPECT_THROW(read(model_with({{"tagger.coarse", good}, {"tagger.fine", "no"}})), InputError);
  std::string turned = good;
  turned[good.size() - 1] = static_cast<char>(turned[good.size() - 1] ^ 1);
  EXPECT_THROW(read(model_with({{"tagger.coarse", turned}})), InputError);
  EXPECT_THROW(read(model_with({{"tagger.coarse", model_with({})}})), InputError);
}

}  // namespace
}  // namespace trellis::parse
