#include "trellis/generative/grammar/word_model.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace trellis {
namespace {

enum Tag : std::uint32_t { kNoun, kVerb, kName };

// Words in -ing are verbs, capitals names, "run" mostly a verb and "the dog" often seen.
WordModel small_model() {
  std::vector<WordModel::Token> tokens;
  for (const char* word : {"boiling", "frying", "baking", "mixing"})
    tokens.push_back({word, kVerb});
  for (const char* word : {"Anna", "Bruno", "Clara"}) tokens.push_back({word, kName});
  for (const char* word : {"spoon", "knife", "plate"}) tokens.push_back({word, kNoun});
  for (int k = 0; k < 30; ++k) tokens.push_back({"dog", kNoun});
  for (int k = 0; k < 4; ++k) tokens.push_back({"run", kVerb});
  tokens.push_back({"run", kNoun});
  return WordModel(tokens, 3);
}

// p(t | w), with p(t) taken out.
std::vector<double> shares(const WordModel& model, const std::string& word, bool first = false) {
  std::vector<double> weights(3);
  model.weights(word, first, weights);
  double all = 0;
  const auto counts = model.tag_counts();
  const double total =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  for (Index t = 0; t < 3; ++t) {
    weights[t] *= static_cast<double>(counts[t]) / total;
    all += weights[t];
  }
  EXPECT_NEAR(all, 1, 1e-12) << word;
  return weights;
}

TEST(WordModel, WordsSeenOftenHaveTheirTagsAlone) {
  const std::vector<double> p = shares(small_model(), "dog");
  EXPECT_NEAR(p[kNoun], 1, 1e-12);
  EXPECT_EQ(p[kVerb], 0);
}

TEST(WordModel, RareWordsLeanOnTheirClass) {
  const std::vector<double> p = shares(small_model(), "run");
  EXPECT_GT(p[kVerb], 0.6);
  EXPECT_GT(p[kName], 0);
  EXPECT_LT(p[kName], 0.05);
}

TEST(WordModel, NewWordsAreWhatWordsLikeThemAre) {
  const WordModel model = small_model();
  EXPECT_FALSE(model.knows("grilling"));
  EXPECT_GT(shares(model, "grilling")[kVerb], 0.8);
  EXPECT_GT(shares(model, "Dora")[kName], 0.7);
}

TEST(WordModel, ACapitalAtTheBeginningSaysNothingOfAKnownWord) {
  const WordModel model = small_model();
  EXPECT_NEAR(shares(model, "Dog", true)[kNoun], 1, 1e-12);
  EXPECT_LT(shares(model, "Dog", false)[kNoun], 0.9);
}

TEST(WordModel, IsTheSameFromItsCounts) {
  const WordModel model = small_model();
  const WordModel again({model.levels().begin(), model.levels().end()},
                        {model.tag_counts().begin(), model.tag_counts().end()});
  for (const char* word : {"dog", "run", "grilling", "Dora", "?"}) {
    std::vector<double> a(3), b(3);
    model.weights(word, false, a);
    again.weights(word, false, b);
    EXPECT_EQ(a, b);
  }
}

}  // namespace
}  // namespace trellis
