#include "trellis/tasks/parse/filter/arc_filter.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "tests/tasks/parse/small_treebank.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/structure/dependency_tree.h"
#include "trellis/tasks/parse/filter/filter_model.h"
#include "trellis/tasks/parse/filter/filter_training.h"

namespace trellis::parse {
namespace {

using parse::testing::garden_treebank;

std::vector<float> random_filter(std::uint64_t seed) {
  Random random(seed);
  std::vector<float> weights(kFilterWeights);
  for (float& weight : weights) weight = static_cast<float>(random.normal());
  return weights;
}

TEST(ArcFilter, KeepsATreeTheTrueHeadsAndNoMoreThanItMay) {
  const Treebank treebank = garden_treebank("train", 40);
  const TagNumbers tags(coarse_tags(treebank.sentences));
  const std::vector<float> weights = random_filter(1);
  SentenceAtoms atoms;
  ArcFilter::Scratch scratch;
  std::vector<DependencyArc> arcs;
  for (const bool projective : {false, true}) {
    const ArcFilter filter(weights, {true, 2, 0.5}, {Roots::kOne, projective});
    for (const Sentence& sentence : treebank.sentences) {
      atoms.assign(sentence, tags);
      filter.keep(atoms, {}, scratch, arcs);
      EXPECT_LE(arcs.size(), 3 * sentence.size());
      const DependencyArcs parts(sentence.size(), arcs);
      const std::vector<double> s(arcs.size(), 0.0);
      std::vector<std::uint32_t> tree;
      if (projective) {
        ProjectiveTree::Scratch memory;
        ProjectiveTree(parts, Roots::kOne).maximize(s, memory, tree);
      } else {
        DependencyTree::Scratch memory;
        DependencyTree(parts, Roots::kOne).maximize(s, memory, tree);
      }
      EXPECT_EQ(tree.size(), sentence.size());
      std::vector<std::uint32_t> heads;
      for (const Word& word : sentence.words) heads.push_back(word.head);
      filter.keep(atoms, heads, scratch, arcs);
      Index kept = 0;
      for (const DependencyArc& arc : arcs) kept += heads[arc.modifier - 1] == arc.head ? 1 : 0;
      EXPECT_EQ(kept, sentence.size());
    }
  }
}

TEST(ArcFilter, WithoutPruningAllArcsStay) {
  const Treebank treebank = garden_treebank("train", 5);
  const TagNumbers tags(coarse_tags(treebank.sentences));
  const ArcFilter filter({}, {false}, {});
  const FilterRecall recall = filter_recall(filter, treebank.sentences, tags);
  EXPECT_EQ(recall.kept, recall.words);
  Index squares = 0;
  for (const Sentence& sentence : treebank.sentences) squares += sentence.size() * sentence.size();
  EXPECT_EQ(recall.arcs, squares);
}

TEST(ArcFilter, TrainedItKeepsTheTrueHeadsOfOtherSentencesAmongFew) {
  const Treebank treebank = garden_treebank("train");
  const TagNumbers tags(coarse_tags(treebank.sentences));
  FilterTraining training;
  training.roots = Roots::kOne;
  training.threads = 1;
  const auto weights = train_filter(treebank.sentences, tags, training);
  ASSERT_TRUE(weights);
  training.threads = 3;
  EXPECT_EQ(train_filter(treebank.sentences, tags, training), weights);
  const Treebank dev = garden_treebank("dev");
  const ArcFilter filter(*weights, {true, 4, 1e-2}, {Roots::kOne, false});
  const FilterRecall recall = filter_recall(filter, dev.sentences, tags);
  EXPECT_GT(recall.recall(), 95);
  EXPECT_LT(recall.heads_per_word(), 4);
}

TEST(ArcFilter, ItsModelConforms) {
  const Treebank treebank = garden_treebank("train", 3);
  const TagNumbers tags(coarse_tags(treebank.sentences));
  SentenceAtoms atoms;
  FilterNumbering numbering;
  std::vector<FilterExample> examples;
  for (const Sentence& sentence : treebank.sentences) {
    atoms.assign(sentence, tags);
    std::vector<std::uint32_t> heads;
    for (const Word& word : sentence.words) heads.push_back(word.head);
    examples.push_back(make_filter_example(atoms, heads, numbering));
  }
  const FilterModel model(examples, Roots::kOne);
  trellis::testing::expect_touching(SmoothProblem<FilterModel>(model, 1, 1), 1);
}

TEST(ArcFilter, OptionsThatAreNoneAreRefused) {
  EXPECT_THROW(ArcFilter({}, {true, 0, 0.1}, {}), UsageError);
  EXPECT_THROW(ArcFilter({}, {true, 1, -0.1}, {}), UsageError);
  EXPECT_THROW(ArcFilter({}, {true, 1, 1.5}, {}), UsageError);
}

}  // namespace
}  // namespace trellis::parse
