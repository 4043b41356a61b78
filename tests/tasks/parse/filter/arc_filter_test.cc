#include "trellis/tasks/parse/filter/arc_filter.h"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "tests/tasks/parse/small_treebank.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/structure/trees/dependency_tree.h"
#include "trellis/tasks/parse/filter/filter_model.h"
#include "trellis/tasks/parse/filter/filter_training.h"

namespace trellis::parse {
namespace {

using parse::testing::garden_treebank;

std::vector<float> random_weights(FilterStage stage) {
  Random random(1);
  std::vector<float> weights(num_filter_weights(stage));
  for (float& weight : weights) weight = static_cast<float>(random.normal());
  return weights;
}

std::vector<std::uint32_t> heads_of(const Sentence& sentence) {
  std::vector<std::uint32_t> heads;
  for (const Word& word : sentence.words) heads.push_back(word.head);
  return heads;
}

void expect_a_tree(Index words, std::span<const DependencyArc> arcs, bool projective) {
  const DependencyArcs parts(words, arcs);
  const std::vector<double> s(arcs.size(), 0.0);
  std::vector<std::uint32_t> tree;
  if (projective) {
    ProjectiveTree::Scratch memory;
    ProjectiveTree(parts, Roots::kOne).maximize(s, memory, tree);
  } else {
    DependencyTree::Scratch memory;
    DependencyTree(parts, Roots::kOne).maximize(s, memory, tree);
  }
  EXPECT_EQ(tree.size(), words);
}

TEST(ArcFilter, KeepsATreeTheTrueHeadsAndNoMoreThanItMay) {
  const Treebank treebank = garden_treebank("train", 40);
  const TagNumbers tags(coarse_tags(treebank.sentences));
  const std::vector<float> by_tags = random_weights(FilterStage::kTags);
  const std::vector<float> by_words = random_weights(FilterStage::kWords);
  SentenceAtoms atoms;
  ArcFilter::Scratch scratch;
  std::vector<DependencyArc> arcs;
  for (const FilterWeights& weights : {FilterWeights{by_tags, {}}, {by_tags, by_words}}) {
    for (const bool projective : {false, true}) {
      const ArcFilter filter(weights, {true, {2, 0.5}}, {Roots::kOne, projective});
      for (const Sentence& sentence : treebank.sentences) {
        atoms.assign(sentence, tags);
        filter.keep(atoms, {}, scratch, arcs);
        EXPECT_LE(arcs.size(), 3 * sentence.size());
        expect_a_tree(sentence.size(), arcs, projective);
        const std::vector<std::uint32_t> heads = heads_of(sentence);
        filter.keep(atoms, heads, scratch, arcs);
        Index kept = 0;
        for (const DependencyArc& arc : arcs) kept += heads[arc.modifier - 1] == arc.head ? 1 : 0;
        EXPECT_EQ(kept, sentence.size());
      }
    }
  }
}

TEST(ArcFilter, WithoutPruningAllArcsStay) {
  const Treebank treebank = garden_treebank("train", 5);
  const TagNumbers tags(coarse_tags(treebank.sentences));
  const ArcFilter filter({}, {false, {}}, {});
  const FilterRecall recall = filter_recall(filter, treebank.sentences, tags);
  EXPECT_EQ(recall.kept, recall.words);
  Index squares = 0;
  for (const Sentence& sentence : treebank.sentences) squares += sentence.size() * sentence.size();
  EXPECT_EQ(recall.arcs, squares);
}

TEST(ArcFilter, TrainedItKeepsTheTrueHeadsOfOtherSentencesAmongFew) {
  const Treebank treebank = garden_treebank("train");
  const TagNumbers tags(coarse_tags(treebank.sentences));
  for (const bool second_look : {false, true}) {
    FilterTraining training;
    training.shape.roots = Roots::kOne;
    training.second_look = second_look;
    training.threads = 1;
    const auto trained = train_filter(treebank.sentences, tags, training);
    ASSERT_TRUE(trained);
    training.threads = 3;
    EXPECT_EQ(train_filter(treebank.sentences, tags, training), trained);
    const Treebank dev = garden_treebank("dev");
    const ArcFilter filter(trained->weights(), {true, {4, 1e-2}}, training.shape);
    EXPECT_EQ(filter.looks_twice(), second_look);
    const FilterRecall recall = filter_recall(filter, dev.sentences, tags);
    EXPECT_GT(recall.recall(), 95);
    EXPECT_LT(recall.heads_per_word(), 4);
  }
}

TEST(ArcFilter, ItsModelConforms) {
  const Treebank treebank = garden_treebank("train", 3);
  const TagNumbers tags(coarse_tags(treebank.sentences));
  SentenceAtoms atoms;
  ArcFilter::Scratch scratch;
  std::vector<DependencyArc> arcs;
  FilterNumbering numbering(FilterStage::kTags);
  std::vector<FilterExample> examples;
  for (const Sentence& sentence : treebank.sentences) {
    atoms.assign(sentence, tags);
    ArcFilter({}, {false, {}}, {}).keep(atoms, {}, scratch, arcs);
    examples.push_back(
        make_filter_example<FilterStage::kTags>(atoms, arcs, heads_of(sentence), numbering));
  }
  const FilterModel model(examples, FilterStage::kTags, Roots::kOne);
  trellis::testing::expect_touching(SmoothProblem<FilterModel>(model, 1, 1), 1);
}

TEST(ArcFilter, OptionsThatAreNoneAreRefused) {
  EXPECT_THROW(ArcFilter({}, {true, {0, 0.1}}, {}), UsageError);
  EXPECT_THROW(ArcFilter({}, {true, {1, -0.1}}, {}), UsageError);
  EXPECT_THROW(ArcFilter({}, {true, {1, 1.5}}, {}), UsageError);
}

}  // namespace
}  // namespace trellis::parse
