#include "trellis/tasks/grammar/tagging/grammar_tagger.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/tasks/grammar/small_grammar.h"

namespace trellis::grammar::grammar_tagger_test {
namespace {

struct Learned {
  Treebank treebank = read_treebanks(std::vector{testing::kitchen("train")}, 40);
  NameList tags;

  Learned() {
    for (const ConstituencyTree& tree : treebank.trees) {
      for (const std::string& tag : tree.tags()) {
        if (tags.find(tag) == NameList::kNone) tags.add(tag);
      }
    }
  }
  LearnedTagger learn(int threads, double least) const {
    return *learn_tagger(treebank.trees, tags, {3, least, 1, threads}, {});
  }
};

TEST(GrammarTagger, ChoicesAreLikelyOnesTheLikeliestFirst) {
  const Learned lesson;
  const LearnedTagger learned = lesson.learn(1, 0.05);
  EXPECT_EQ(learned.words, lesson.treebank.words);
  EXPECT_GT(learned.accuracy(), 80);
  ASSERT_EQ(learned.jackknifed.size(), lesson.treebank.trees.size());
  for (Index i = 0; i < learned.jackknifed.size(); ++i) {
    const TagChoices& choices = learned.jackknifed[i];
    ASSERT_EQ(choices.words(), lesson.treebank.trees[i].num_words());
    for (Index word = 0; word < choices.words(); ++word) {
      const auto here = choices[word];
      ASSERT_FALSE(here.empty());
      EXPECT_EQ(choices.best(word), here[0].tag);
      std::set<std::uint32_t> different;
      for (const TagChoice& choice : here) {
        EXPECT_LE(choice.log_probability, here[0].log_probability);
        EXPECT_GE(choice.log_probability, -3.0F);  // log 0.05
        EXPECT_EQ(choices.log_probability(word, choice.tag), choice.log_probability);
        different.insert(choice.tag);
      }
      EXPECT_EQ(different.size(), here.size());
    }
  }
}

TEST(GrammarTagger, ThreadsChangeNothing) {
  const Learned lesson;
  const LearnedTagger one = lesson.learn(1, 0.01), three = lesson.learn(3, 0.01);
  for (Index i = 0; i < one.jackknifed.size(); ++i) {
    ASSERT_EQ(one.jackknifed[i].begin, three.jackknifed[i].begin);
    for (Index k = 0; k < one.jackknifed[i].choices.size(); ++k) {
      EXPECT_EQ(one.jackknifed[i].choices[k].tag, three.jackknifed[i].choices[k].tag);
      EXPECT_EQ(one.jackknifed[i].choices[k].log_probability,
                three.jackknifed[i].choices[k].log_probability);
    }
  }
}

TEST(TagChoices, AreRenumbered) {
  NameList from, to;
  for (const char* name : {"A", "B", "C"}) from.add(name);
  for (const char* name : {"C", "A"}) to.add(name);
  TagChoices choices;
  choices.choices = {{0, -0.1F}, {1, -2.0F}};
  choices.end_word();
  choices.choices.push_back({1, -0.5F});
  choices.end_word();
  choices.renumber(from, to);
  ASSERT_EQ(choices.words(), 2);
  ASSERT_EQ(choices[0].size(), 1);
  EXPECT_EQ(choices.best(0), 1);
  EXPECT_EQ(choices.log_probability(0, 1), -0.1F);
  ASSERT_EQ(choices[1].size(), 1);  // B is gone
  EXPECT_EQ(choices.log_probability(1, 0), TagChoices::kUnlikely);
}

}  // namespace
}  // namespace trellis::grammar::grammar_tagger_test
