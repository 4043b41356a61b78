#include "trellis/tasks/parse/model/arc_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "tests/tasks/parse/model/small_lesson.h"
#include "tests/tasks/parse/small_treebank.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/tasks/parse/features/arc_templates.h"
#include "trellis/tasks/parse/model/parser.h"

namespace trellis::parse {
namespace {

using parse::testing::Lesson;
using parse::testing::tiny_text;
using parse::testing::treebank_of;

static_assert(PartModel<ArcModel<DependencyTree>> && PartModel<ArcModel<ProjectiveTree>>);

// Without the last sentence, whose arcs cross.
Treebank projective_treebank() {
  Treebank treebank = treebank_of(tiny_text());
  treebank.sentences.pop_back();
  return treebank;
}

std::vector<double> random_weights(Index n, std::uint64_t seed) {
  Random random(seed);
  return trellis::testing::random_weights(n, 0.3, random);
}

TEST(ArcModel, SlopesTouchAndLieBelowInTreesOfBothKinds) {
  const Lesson lesson(projective_treebank());
  const ArcModel<DependencyTree> any(lesson.weights(), lesson.examples, Roots::kOne);
  const ArcModel<ProjectiveTree> projective(lesson.weights(), lesson.examples, Roots::kAny);
  const HingeProblem<ArcModel<DependencyTree>> hinge(any, 1);
  const SmoothProblem<ArcModel<DependencyTree>> smooth(any, 1, 1);
  const SmoothProblem<ArcModel<ProjectiveTree>> smooth_projective(projective, 2, 0.5);
  for (const ConvexOracle* oracle :
       std::initializer_list<const ConvexOracle*>{&hinge, &smooth, &smooth_projective}) {
    trellis::testing::expect_touching(*oracle, 1);
    trellis::testing::expect_minorant(*oracle, 2);
  }
}

TEST(ArcModel, SlopesAreGradients) {
  Treebank treebank = projective_treebank();
  treebank.sentences.erase(treebank.sentences.begin(), treebank.sentences.begin() + 2);
  const Lesson lesson(treebank);
  const ArcModel<DependencyTree> model(lesson.weights(), lesson.examples, Roots::kAny);
  trellis::testing::expect_gradient(SmoothProblem<ArcModel<DependencyTree>>(model, 1, 1), 3);
}

// The features of each part, one by one.
TEST(ArcModel, AScoreIsTheSumOfTheWeightsOfItsFeatures) {
  const Lesson lesson(treebank_of(tiny_text()));
  const std::vector<double> w = random_weights(lesson.numbers.dimension(), 4);
  for (Index i = 0; i < lesson.examples.size(); ++i) {
    const LabelledArcs& arcs = lesson.examples[i].arcs;
    std::vector<double> s(arcs.parts.size());
    lesson.weights().scores(lesson.examples[i], w, s);
    SentenceAtoms atoms;
    atoms.assign(lesson.treebank.sentences[i], lesson.tags);
    ArcFeatures features(atoms);
    for (Index p = 0; p < s.size(); ++p) {
      features.set_modifier(arcs.parts.modifier(p));
      features.set_head(arcs.parts.head(p));
      double sum = 0;
      features.each_of_arc([&](std::uint64_t fp) {
        const std::uint32_t number = lesson.numbers.arc_feature(fp);
        if (number != FeatureNumbers::kNone) sum += w[number];
      });
      const auto add_label = [&](std::uint64_t fp) {
        const std::uint32_t row = lesson.numbers.label_row(fp);
        if (row == FeatureNumbers::kNone) return;
        const auto targets = lesson.numbers.targets(row);
        const auto found = std::find(targets.begin(), targets.end(), arcs.labels[p]);
        if (found == targets.end()) return;
        sum += w[lesson.numbers.row_begin(row) + static_cast<Index>(found - targets.begin())];
      };
      features.each<TemplateTable::kPair>(add_label);
      features.each<TemplateTable::kModifier>(add_label);
      features.each<TemplateTable::kHead>(add_label);
      EXPECT_NEAR(s[p], sum, 1e-12);
    }
  }
}

TEST(ArcModel, WrongHeadsCostOneAndWrongLabelsLess) {
  const Lesson lesson(treebank_of(tiny_text()));
  for (const ArcExample& example : lesson.examples) {
    const DependencyArcs& parts = example.arcs.parts;
    std::vector<double> costs(parts.size(), 0.0);
    ArcWeights::add_costs(example, 2, costs);
    for (Index p = 0; p < costs.size(); ++p) {
      const std::uint32_t gold = example.gold[parts.modifier(p) - 1];
      const bool head = parts.head(p) == parts.head(gold);
      const bool label = example.arcs.labels[p] == example.arcs.labels[gold];
      EXPECT_EQ(costs[p], !head ? 2 : !label ? 2 * kLabelCost : 0);
    }
  }
}

// What prediction finds in the model's tables is what training had under its numbers.
TEST(ArcModel, AModelFileScoresAsTrainingDoes) {
  const Lesson lesson(treebank_of(tiny_text()));
  std::vector<double> w = random_weights(lesson.numbers.dimension(), 5);
  for (double& weight : w) weight = static_cast<float>(weight);
  w[0] = w[7] = w.back() = 0;
  ParseModelParts parts;
  parts.labels = &lesson.labels;
  parts.tags = &lesson.tags;
  parts.sets = &lesson.builder;
  parts.filter.prune = false;
  parts.numbers = &lesson.numbers;
  parts.weights = w;
  const ParseModel model = ParseModel::from_parts(parts);
  EXPECT_EQ(model.num_arc_features(), lesson.numbers.num_arc_weights() - 2);
  const Parser parser(model);
  Parser::Scratch scratch;
  for (Index i = 0; i < lesson.examples.size(); ++i) {
    parser.score(lesson.treebank.sentences[i], scratch);
    std::vector<double> s(lesson.examples[i].arcs.parts.size());
    lesson.weights().scores(lesson.examples[i], w, s);
    ASSERT_EQ(scratch.arcs.labels, lesson.examples[i].arcs.labels);
    ASSERT_EQ(scratch.scores.size(), s.size());
    for (Index p = 0; p < s.size(); ++p) EXPECT_NEAR(scratch.scores[p], s[p], 1e-12);
  }
}

TEST(ArcModel, RareFeaturesHaveNoWeight) {
  FeatureNumbers numbers;
  for (const std::uint64_t fp : {11, 12, 11}) numbers.see_arc_feature(fp);
  for (const std::uint32_t label : {3, 1, 3}) numbers.see_label_feature(21, label);
  numbers.see_label_feature(22, 0);
  numbers.finish(2);
  EXPECT_EQ(numbers.num_arc_weights(), 1);
  EXPECT_EQ(numbers.arc_feature(11), 0);
  EXPECT_EQ(numbers.arc_feature(12), FeatureNumbers::kNone);
  EXPECT_EQ(numbers.label_row(22), FeatureNumbers::kNone);
  const auto targets = numbers.targets(numbers.label_row(21));
  EXPECT_EQ(std::vector<std::uint32_t>(targets.begin(), targets.end()),
            (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(numbers.dimension(), 3);
}

TEST(ArcTemplates, FeaturesOfDifferentTemplatesDirectionsAndArcsDiffer) {
  const Treebank treebank = treebank_of(tiny_text());
  const TagNumbers tags(coarse_tags(treebank.sentences));
  SentenceAtoms atoms;
  atoms.assign(treebank.sentences[1], tags);
  ArcFeatures features(atoms);
  std::set<std::uint64_t> seen;
  Index count = 0;
  const auto add = [&](std::uint64_t fp) {
    seen.insert(fp);
    ++count;
  };
  features.set_modifier(2);
  for (const Index head : {1, 3}) {
    features.set_head(head);
    features.each_of_arc(add);
    features.each<TemplateTable::kPair>(add);
    features.each<TemplateTable::kModifier>(add);
    features.each<TemplateTable::kHead>(add);
  }
  EXPECT_EQ(seen.size(), count);
}

TEST(LabelSets, UnseenPairsHaveTheLabelsOfTheModifierAndRootsTheirOwn) {
  const Lesson lesson(treebank_of(tiny_text()));
  const auto names = [&](std::string_view head, std::string_view modifier, ArcDirection direction) {
    const Index head_tag =
        direction == ArcDirection::kFromRoot ? SentenceAtoms::kRootTag : lesson.tags.number(head);
    std::set<std::string> found;
    for (const std::uint32_t label :
         lesson.sets.labels(head_tag, lesson.tags.number(modifier), direction)) {
      found.insert(std::string(lesson.labels[label]));
    }
    return found;
  };
  using Set = std::set<std::string>;
  EXPECT_EQ(names("VERB", "NOUN", ArcDirection::kFromLeft), (Set{"nsubj", "obj"}));
  EXPECT_EQ(names("NOUN", "ADJ", ArcDirection::kFromRight), Set{"amod"});
  EXPECT_EQ(names("NOUN", "NOUN", ArcDirection::kFromLeft), (Set{"nsubj", "obj"}));
  EXPECT_EQ(names("", "ADJ", ArcDirection::kFromRoot), Set{"root"});
  EXPECT_EQ(names("NOUN", "INTJ", ArcDirection::kFromLeft).size(), lesson.labels.size());
}

}  // namespace
}  // namespace trellis::parse
