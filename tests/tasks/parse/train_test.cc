#include "trellis/tasks/parse/train.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/parse/small_treebank.h"
#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/tasks/parse/model/parser.h"
#include "trellis/tasks/parse/output/evaluate.h"
#include "trellis/tasks/parse/output/predict.h"

namespace trellis::parse {
namespace {

using parse::testing::garden;
using parse::testing::garden_treebank;
using parse::testing::line;
using parse::testing::tiny_text;
using parse::testing::treebank_of;

TrainOptions quick() {
  TrainOptions options;
  options.training.threads = 1;
  options.training.learner.epochs = 4;
  return options;
}

ParseModel garden_model(TrainOptions options = quick()) {
  return *train(garden_treebank("train"), nullptr, options).model;
}

std::string bytes_of(const ParseModel& model) {
  trellis::testing::TemporaryDirectory folder;
  model.write(folder.file("m"));
  return read_file(folder.file("m"));
}

TEST(ParseTraining, LearnsTheGarden) {
  const Treebank dev = garden_treebank("dev");
  const Trained trained = train(garden_treebank("train"), &dev, quick());
  ASSERT_TRUE(trained.model && trained.result.dev && trained.result.recall);
  EXPECT_GT(trained.result.dev->counts(Punctuation::kLeftOut).las(), 75);
  EXPECT_TRUE(trained.result.one_root);
  EXPECT_GT(trained.result.recall->recall(), 99);
  const Evaluation seen = evaluate(*trained.model, InputFile(garden("train")));
  EXPECT_GT(seen.scores.counts(Punctuation::kScored).las(), 97);
}

TEST(ParseTraining, LearnsTheGardenByPairsOfArcs) {
  TrainOptions options = quick();
  options.order = 2;
  const Treebank dev = garden_treebank("dev");
  for (const char* loss : {"svm", "crf"}) {
    options.training.learner.loss = Loss::named(loss);
    const Trained trained = train(garden_treebank("train"), &dev, options);
    EXPECT_GT(trained.result.dev->counts(Punctuation::kLeftOut).las(), 75) << loss;
    const std::string bytes = bytes_of(*trained.model);
    const ParseModel again = ParseModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
    EXPECT_EQ(again.shape().order, 2);
    EXPECT_EQ(evaluate(again, InputFile(garden("dev"))).scores, *trained.result.dev);
  }
  options.training.threads = 3;
  EXPECT_EQ(bytes_of(garden_model(options)), bytes_of(garden_model(options)));
}

TEST(ParseTraining, ALearnerOfPairsAsksForAnInferenceThatFits) {
  TrainOptions options = quick();
  options.inference = PairInference::kBeliefs;
  EXPECT_THROW(plan(options), UsageError);  // a first-order parser is exact
  options.order = 2;
  EXPECT_THROW(plan(options), UsageError);  // the hinge asks for best trees
  options.training.learner.loss = Loss::named("crf");
  EXPECT_NO_THROW(plan(options));
  options.training.learner.certify = true;
  EXPECT_THROW(plan(options), UsageError);  // estimates certify nothing
  options.order = 3;
  EXPECT_THROW(plan(options), UsageError);
}

TEST(ParseTraining, TheSameBitsForAnyNumberOfThreadsAndAfterReading) {
  TrainOptions options = quick();
  const ParseModel model = garden_model(options);
  options.training.threads = 3;
  const std::string bytes = bytes_of(model);
  EXPECT_EQ(bytes_of(garden_model(options)), bytes);
  const ParseModel again = ParseModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
  EXPECT_EQ(evaluate(model, InputFile(garden("test"))).scores,
            evaluate(again, InputFile(garden("test"))).scores);
}

TEST(ParseTraining, WithoutPruningWithoutCrossingsAndWithAnyRoots) {
  TrainOptions options = quick();
  options.filter.prune = false;
  EXPECT_GT(evaluate(garden_model(options), InputFile(garden("dev")))
                .scores.counts(Punctuation::kScored)
                .las(),
            70);
  options = quick();
  options.projective = true;
  options.roots = RootRule::kAny;
  const Trained trained = train(treebank_of(tiny_text()), nullptr, options);
  EXPECT_EQ(trained.result.crossing, 1);
  EXPECT_TRUE(trained.model->shape().trees.projective);
  EXPECT_EQ(trained.model->shape().trees.roots, Roots::kAny);
}

TEST(ParseTraining, SeveralRootsAreLearnedUnlessOneIsAskedFor) {
  const std::string two =
      line(1, "yes", "INTJ", 0, "root") + line(2, "no", "INTJ", 0, "root") + "\n";
  TrainOptions options = quick();
  EXPECT_FALSE(train(treebank_of(two + tiny_text()), nullptr, options).result.one_root);
  options.roots = RootRule::kOne;
  EXPECT_THROW(train(treebank_of(two + tiny_text()), nullptr, options), InputError);
  ReadOptions reading;
  reading.one_root = true;
  EXPECT_THROW(treebank_of(two, reading), InputError);
}

TEST(ParseTraining, WhatCannotBeLearnedFromIsRefused) {
  const std::string good = line(1, "go", "VERB", 0, "root");
  for (const std::string& bad : std::vector<std::string>{
           "",                                                               // nothing
           "1\tgo\tgo\t_\t_\t_\t0\troot\t_\t_\n",                            // no tag
           "1\tgo\tgo\tVERB\t_\t_\t0\t_\t_\t_\n",                            // no label
           "1\tgo\tgo\tVERB\t_\t_\t_\t_\t_\t_\n",                            // no head
           good + line(2, "on", "ADV", 3, "x"),                              // out of range
           line(1, "go", "VERB", 2, "x") + line(2, "on", "ADV", 1, "x")}) {  // a cycle
    EXPECT_THROW(treebank_of(bad), InputError) << bad;
  }
  ReadOptions reading;
  reading.max_words = 1;
  EXPECT_THROW(treebank_of(good + line(2, "on", "ADV", 1, "x"), reading), InputError);
}

TEST(ParseTraining, WhatDoesNotGoTogetherIsRefused) {
  TrainOptions options;
  options.order = 3;
  EXPECT_THROW(plan(options), UsageError);
  options.order = 1;
  options.training.learner.learner = parse_learner("smo");
  EXPECT_THROW(plan(options), UsageError);
}

// The k best trees of a short sentence are all of them.
TEST(Parser, ProbabilitiesAreThoseOfAllTrees) {
  const ParseModel model = garden_model();
  const Parser parser(model);
  Parser::Scratch scratch;
  for (Sentence sentence : garden_treebank("test", 10).sentences) {
    sentence.words.resize(3);  // their heads are not looked at
    std::vector<ParsedTree> trees;
    const double log_sum = parser.n_best(sentence, 100000, scratch, trees);
    ASSERT_LT(trees.size(), 100000U);
    ParsedTree best;
    parser.parse(sentence, scratch, best);
    EXPECT_EQ(best.score, trees.front().score);
    std::vector<double> marginals, expected(sentence.size(), 0.0);
    parser.marginals(best, scratch, marginals);
    double sum = 0;
    for (const ParsedTree& tree : trees) {
      const double probability = std::exp(tree.score - log_sum);
      sum += probability;
      for (Index m = 0; m < expected.size(); ++m) {
        const bool same =
            tree.arcs[m].head == best.arcs[m].head && tree.arcs[m].label == best.arcs[m].label;
        expected[m] += same ? probability : 0;
      }
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    for (Index m = 0; m < expected.size(); ++m) EXPECT_NEAR(marginals[m], expected[m], 1e-9);
  }
}

TEST(Parser, ASentenceWithTooManyPairsOfArcsIsToldByItsLine) {
  TrainOptions options = quick();
  options.order = 2;
  options.filter.prune = false;
  options.training.learner.epochs = 1;
  const ParseModel model = *train(treebank_of(tiny_text()), nullptr, options).model;
  std::string text = tiny_text();
  const auto lines = static_cast<Index>(std::count(text.begin(), text.end(), '\n'));
  for (int m = 1; m <= 200; ++m) text += line(m, "dogs", "NOUN", m - 1, "obj");
  trellis::testing::TemporaryDirectory folder;
  OutputFile out(folder.file("out"));
  const auto refused = [&](const auto& call) {
    try {
      call(InputFile::from_bytes(text, "long.conllu"));
      ADD_FAILURE() << "it was parsed";
    } catch (const InputError& error) {
      EXPECT_EQ(error.file(), "long.conllu");
      EXPECT_EQ(error.line(), lines + 1);
      EXPECT_NE(std::string(error.what()).find("too many pairs"), std::string::npos);
    }
  };
  refused([&](InputFile file) { predict(model, std::move(file), {}, out); });
  refused([&](InputFile file) { evaluate(model, std::move(file)); });
}

TEST(Evaluate, LabelsThatTheModelDoesNotHaveAreWrong) {
  const ParseModel model = garden_model();
  const std::string text = line(1, "Dig", "VERB", 0, "imperative") + "\n";
  const Evaluation evaluation = evaluate(model, InputFile::from_bytes(text, "x.conllu"));
  EXPECT_EQ(evaluation.unseen_labels, std::vector<std::string>{"imperative"});
  EXPECT_EQ(evaluation.scores.counts(Punctuation::kScored).heads, 1);
  EXPECT_EQ(evaluation.scores.counts(Punctuation::kScored).both, 0);
  EXPECT_THROW(evaluate(model, InputFile::from_bytes("", "x.conllu")), InputError);
}

}  // namespace
}  // namespace trellis::parse
