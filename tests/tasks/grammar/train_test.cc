#include "trellis/tasks/grammar/train.h"

#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/grammar/small_grammar.h"
#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/tasks/grammar/output/evaluate.h"
#include "trellis/tasks/grammar/output/predict.h"

namespace trellis::grammar::train_test {
namespace {

using grammar::testing::bytes_of;
using grammar::testing::kitchen;
using grammar::testing::kTiny;
using grammar::testing::quick;
using grammar::testing::treebank_of;

Treebank part(const std::string& name) {
  return read_treebanks(std::vector{kitchen(name)}, 40);
}

TEST(GrammarTraining, LearnsTheKitchen) {
  const Treebank dev = part("dev");
  const Trained trained = train(part("train"), &dev, quick());
  ASSERT_TRUE(trained.model && trained.result.dev && trained.result.recall);
  EXPECT_TRUE(trained.result.recall_on_dev);
  EXPECT_EQ(trained.result.recall->trees, dev.trees.size());
  EXPECT_GT(trained.result.dev->scores.all().f1(), 70);
  EXPECT_GT(trained.result.weights, 1000);
  const Evaluation seen = evaluate(*trained.model, InputFile(kitchen("train")));
  EXPECT_GT(seen.scores.all().f1(), 95);
  EXPECT_EQ(seen.partial + seen.flat, 0);
  const Value record = trained.result.record();
  EXPECT_EQ(record.at("filter").at("on"), "dev");
  EXPECT_EQ(record.at("dev").at("f1"), trained.result.dev->scores.all().f1());
}

TEST(GrammarTraining, TheGenerativeGrammarIsTheBaseline) {
  TrainOptions options = grammar::testing::generative();
  const Treebank dev = part("dev");
  const Trained trained = train(part("train"), &dev, options);
  ASSERT_TRUE(trained.model && trained.result.dev);
  EXPECT_TRUE(trained.model->is_generative());
  EXPECT_GT(trained.result.dev->scores.all().f1(), 60);
  EXPECT_EQ(trained.result.record().at("learner"), "generative");
  options.training.learner.c = 1;
  EXPECT_THROW(plan(options), UsageError);
  options.training.learner = {};
  options.training.learner.loss = Loss::named("crf");
  EXPECT_THROW(plan(options), UsageError);
}

TEST(GrammarTraining, SmoothLossesLearnFromTheSameCharts) {
  TrainOptions options = quick();
  for (const char* loss : {"crf", "softmax-margin"}) {
    options.training.learner.loss = Loss::named(loss);
    const Trained trained = train(part("train"), nullptr, options);
    const Evaluation seen = evaluate(*trained.model, InputFile(kitchen("train")));
    EXPECT_GT(seen.scores.all().f1(), 93) << loss;
  }
}

TEST(GrammarTraining, WithoutADevSetTheFiltersAreJudgedByWhatIsHeldOut) {
  const Trained trained = train(part("train"), nullptr, quick());
  ASSERT_TRUE(trained.result.recall);
  EXPECT_FALSE(trained.result.recall_on_dev);
  EXPECT_EQ(trained.result.recall->trees, part("train").trees.size() / 10);
  TrainOptions options = quick();
  options.filter.prune = false;
  EXPECT_FALSE(train(treebank_of(kTiny), nullptr, options).result.recall);
}

TEST(GrammarTraining, TheSameModelWhateverTheThreads) {
  TrainOptions options = quick();
  const std::string one = bytes_of(*train(part("train"), nullptr, options).model);
  options.training.threads = 3;
  EXPECT_EQ(bytes_of(*train(part("train"), nullptr, options).model), one);
}

TEST(GrammarTraining, TheSameModelWhateverTheMemory) {
  TrainOptions options = quick();
  const Treebank dev = part("dev");
  const std::string kept = bytes_of(*train(part("train"), &dev, options).model);
  options.chart_megabytes = 0;
  const Trained trained = train(part("train"), &dev, options);
  EXPECT_EQ(trained.result.charts_kept, 0);
  EXPECT_EQ(bytes_of(*trained.model), kept);
}

TEST(GrammarTraining, TheTaggerIsPartOfTheModel) {
  const Trained with = train(part("train"), nullptr, quick());
  ASSERT_TRUE(with.result.tag_accuracy);
  EXPECT_GT(*with.result.tag_accuracy, 80);
  ASSERT_NE(with.model->tagger(), nullptr);
  EXPECT_NE(with.model->tagger_weight(), 0);
  const Trained without = train(part("train"), nullptr, grammar::testing::untagged());
  EXPECT_FALSE(without.result.tag_accuracy);
  EXPECT_EQ(without.model->tagger(), nullptr);
  EXPECT_EQ(without.model->tagger_weight(), 0);
  const auto f1 = [](const Trained& trained) {
    return evaluate(*trained.model, InputFile(kitchen("dev"))).scores.all().f1();
  };
  EXPECT_GT(f1(without), 60);
  EXPECT_GT(f1(with), 60);
}

TEST(GrammarTraining, OneTreeIsTooFewForATagger) {
  TrainOptions options = quick();
  options.jackknife.reset();
  const Treebank one = treebank_of("(S (NP (NNS dogs)) (VP (VBP run)))");
  std::string told;
  TrainEvents events;
  events.on_phase = [&](const std::string& text) { told += text; };
  const Trained trained = train(one, nullptr, options, events);
  EXPECT_EQ(trained.model->tagger(), nullptr);
  EXPECT_NE(told.find("not enough to train a tagger"), std::string::npos) << told;
}

TEST(GrammarTraining, PredictsWhatItEvaluates) {
  const GrammarModel model = *train(part("train"), nullptr, quick()).model;
  trellis::testing::TemporaryDirectory folder;
  PredictOptions options;
  PredictCounts counts;
  {
    OutputFile out(folder.file("found"));
    counts = predict(model, InputFile(kitchen("test")), options, out);
    out.commit();
  }
  const TreebankScores scores = compare(InputFile(kitchen("test")), InputFile(folder.file("found")),
                                        EvalbParameters::collins());
  const Evaluation evaluation = evaluate(model, InputFile(kitchen("test")));
  EXPECT_EQ(scores.all(), evaluation.scores.all());
  EXPECT_EQ(counts.sentences, evaluation.scores.all().sentences);
  EXPECT_EQ(counts.partial, evaluation.partial);
}

TEST(GrammarTraining, LongSentencesAreNotLearnedFrom) {
  const Treebank treebank = treebank_of(kTiny, 3);
  EXPECT_EQ(treebank.trees.size(), 3);
  EXPECT_EQ(treebank.left_out, 3);
  EXPECT_THROW(treebank_of("(S (NP (A a)) (B b))", 1), InputError);
  EXPECT_THROW(treebank_of(""), InputError);
}

TEST(GrammarTraining, OptionsThatDoNotFitAreRefused) {
  TrainOptions options = quick();
  options.orders.vertical = 0;
  EXPECT_THROW(plan(options), UsageError);
  options = quick();
  options.tagger = false;  // and jackknife is said
  EXPECT_THROW(plan(options), UsageError);
  for (const Index folds : {Index{1}, Index{7}}) {
    options = quick();
    options.jackknife = folds;
    EXPECT_THROW(train(treebank_of(kTiny), nullptr, options), UsageError);
  }
  options = quick();
  options.filter.prune_below = 1.5;
  EXPECT_THROW(plan(options), UsageError);
  options = quick();
  options.training.learner.learner = LearnerKind::kSmo;
  EXPECT_THROW(plan(options), UsageError);
}

TEST(GrammarTraining, StopsBeforeThereIsAnything) {
  std::stop_source stop;
  stop.request_stop();
  TrainEvents events;
  events.stop = stop.get_token();
  const Trained trained = train(treebank_of(kTiny), nullptr, quick(), events);
  EXPECT_FALSE(trained.model);
  EXPECT_TRUE(trained.result.learned.interrupted);
}

}  // namespace
}  // namespace trellis::grammar::train_test
