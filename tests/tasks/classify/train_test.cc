#include "trellis/tasks/classify/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stop_token>

#include "tests/tasks/classify/small_classifier.h"
#include "trellis/base/error.h"
#include "trellis/tasks/classify/classifier.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/run_learner.h"

namespace trellis::classify {
namespace {

using testing::kTinyText;
using testing::kTinyVectors;
using testing::options_for;
using trellis::testing::content_of;

class Train : public ::testing::Test {
 protected:
  trellis::testing::TemporaryDirectory directory_;
  std::string text_ = directory_.make("tiny.tsv", kTinyText);
  std::string vectors_ = directory_.make("tiny.svm", kTinyVectors);
  std::string model_ = directory_.file("m");

  // How many of the lines of a file the model gets right.
  Index correct(const std::string& file) const {
    const ClassifyModel model = ClassifyModel::load(model_);
    const Classifier classifier(model);
    Classifier::Scratch scratch(model);
    ExampleReader reader(InputFile(file), {model.features().format, model.columns(), true});
    Example example;
    std::vector<double> scores;
    Index right = 0;
    while (reader.read(example)) {
      classifier.scores(example, file, scratch, scores);
      right += model.labels()[static_cast<Index>(best_label(scores))] == example.label ? 1 : 0;
    }
    return right;
  }
};

struct Cell {
  Learner learner;
  const char* loss;
};
const std::vector<Cell> kCells = {
    {Learner::kSmo, "svm"},        {Learner::kDca, "svm"},   {Learner::kDca, "crf"},
    {Learner::kBcfw, "svm"},       {Learner::kBcfw, "crf"},  {Learner::kBmrm, "svm"},
    {Learner::kBmrm, "crf"},       {Learner::kLbfgs, "crf"}, {Learner::kLbfgs, "softmax-margin"},
    {Learner::kSgd, "crf"},        {Learner::kSgd, "svm"},   {Learner::kPerceptron, "perceptron"},
    {Learner::kPerceptron, "svm"},
};

TEST_F(Train, EveryCellOfTheTableLearnsItsTrainingSet) {
  for (const Cell& cell : kCells) {
    for (const std::string& file : {text_, vectors_}) {
      TrainOptions options = options_for(file, model_);
      options.learner = cell.learner;
      options.loss = Loss::named(cell.loss);
      options.c = 100;
      // The last weights of a perceptron make no mistake, their mean may.
      options.average = cell.learner != Learner::kPerceptron;
      options.epochs = 200;
      const TrainResult result = train_classifier(options);
      EXPECT_FALSE(result.interrupted);
      EXPECT_EQ(correct(file), result.documents) << to_string(cell.learner) << " " << cell.loss;
    }
  }
}

TEST_F(Train, NaiveBayesLearnsItsTrainingSet) {
  for (const bool complement : {false, true}) {
    TrainOptions options = options_for(text_, model_);
    options.learner = Learner::kNaiveBayes;
    options.complement = complement;
    const TrainResult result = train_classifier(options);
    EXPECT_EQ(correct(text_), result.documents);
    EXPECT_EQ(result.summary.epochs, 1u);
  }
}

TEST_F(Train, LearnersOfOneObjectiveReachOneOptimum) {
  TrainOptions options = options_for(text_);
  options.gap = 1e-7;
  options.certify = true;
  options.epochs = 20000;
  const TrainResult smo = train_classifier(options);
  options.learner = Learner::kDca;
  options.stored_dual = true;
  options.gap = 1e-3;
  const TrainResult dca = train_classifier(options);
  EXPECT_LE(smo.summary.gap, 1e-7 * smo.summary.objective);
  EXPECT_LE(dca.summary.gap, 1e-3 * dca.summary.objective);
  EXPECT_GE(dca.summary.objective, smo.summary.bound);
  EXPECT_GE(smo.summary.objective, dca.summary.bound);
}

TEST_F(Train, SameBitsForAnyNumberOfThreads) {
  for (const Learner learner : {Learner::kSmo, Learner::kLbfgs, Learner::kNaiveBayes}) {
    std::string first;
    for (const int threads : {1, 2, 5}) {
      TrainOptions options = options_for(text_, model_);
      options.learner = learner;
      options.threads = threads;
      train_classifier(options);
      if (first.empty()) first = content_of(model_);
      EXPECT_EQ(content_of(model_), first) << to_string(learner);
    }
  }
}

TEST_F(Train, AnInterruptedRunGoesOnToTheSameModel) {
  for (const Learner learner : {Learner::kSmo, Learner::kDca, Learner::kLbfgs}) {
    TrainOptions options = options_for(text_, model_);
    options.dev = text_;
    options.learner = learner;
    options.patience = 100;
    options.checkpoint = directory_.file("state");
    train_classifier(options);
    const std::string whole = content_of(model_);
    std::stop_source stop;
    TrainEvents events;
    events.stop = stop.get_token();
    events.on_epoch = [&](const EpochRecord& record) {
      if (record.epoch == 2) stop.request_stop();
    };
    ASSERT_TRUE(train_classifier(options, events).interrupted) << to_string(learner);
    TrainOptions other = options;
    other.resume = true;
    other.c = 3;
    EXPECT_THROW(train_classifier(other), InputError);
    options.resume = true;
    EXPECT_FALSE(train_classifier(options).interrupted);
    EXPECT_EQ(content_of(model_), whole) << to_string(learner);
    EXPECT_THROW(train_classifier(options), InputError);  // the checkpoint is gone
  }
}

TEST_F(Train, TheDevSetChoosesTheEpoch) {
  TrainOptions options = options_for(text_, model_);
  options.learner = Learner::kPerceptron;
  options.dev = directory_.make("dev.tsv", "fruit\tripe plums\nplanets\tmars\n");
  const TrainResult result = train_classifier(options);
  ASSERT_TRUE(result.dev.has_value());
  EXPECT_EQ(result.dev->num_examples(), 2u);
  EXPECT_LE(result.dev->accuracy(), 50);  // a label that training has not seen is missed
  EXPECT_EQ(result.unseen_dev_labels, std::vector<std::string>{"planets"});
  EXPECT_GE(result.best_epoch, 1u);
}

TEST_F(Train, ProbabilitiesAddUpToOneWhereThereAreSome) {
  for (const Learner learner : {Learner::kLbfgs, Learner::kNaiveBayes}) {
    TrainOptions options = options_for(text_, model_);
    options.learner = learner;
    train_classifier(options);
    const ClassifyModel model = ClassifyModel::load(model_);
    const Classifier classifier(model);
    std::vector<double> p;
    classifier.probabilities(std::vector<double>{1, -2, 0.5}, p);
    EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-14);
    EXPECT_NEAR(p[0] / p[2], std::exp(0.5), 1e-12);
  }
  train_classifier(options_for(text_, model_));
  const ClassifyModel svm = ClassifyModel::load(model_);
  std::vector<double> p;
  EXPECT_THROW(Classifier(svm).probabilities(std::vector<double>{1, 2, 3}, p), UsageError);
}

TEST_F(Train, RareFeaturesAreDropped) {
  TrainOptions options = options_for(text_, model_);
  options.data.min_count = 2;
  const TrainResult result = train_classifier(options);
  // the bias, and, pears, a is not (one document), saw, the, wren, robin
  EXPECT_EQ(result.features, 7u);
}

TEST_F(Train, WhatMathematicsForbidsIsRefusedAtOnce) {
  const std::vector<std::function<void(TrainOptions&)>> wrong = {
      [](auto& o) { o.learner = Learner::kLbfgs, o.loss = Loss::named("svm"); },
      [](auto& o) { o.learner = Learner::kSmo, o.loss = Loss::named("crf"); },
      [](auto& o) { o.learner = Learner::kPerceptron, o.loss = Loss::named("crf"); },
      [](auto& o) { o.learner = Learner::kSmo, o.loss = Loss::named("perceptron"); },
      [](auto& o) { o.learner = Learner::kNaiveBayes, o.loss = Loss::named("svm"); },
      [](auto& o) { o.learner = Learner::kNaiveBayes, o.c = 1; },
      [](auto& o) { o.learner = Learner::kNaiveBayes, o.gap = 0.1; },
      [](auto& o) { o.complement = true; },
      [](auto& o) { o.l1 = 1; },
      [](auto& o) { o.l1 = -1, o.learner = Learner::kLbfgs; },
      [](auto& o) { o.stored_dual = true; },
      [](auto& o) { o.c = 0; },
      [](auto& o) { o.c = std::nan(""); },
      [](auto& o) { o.gap = -1; },
      [](auto& o) { o.alpha = 0, o.learner = Learner::kNaiveBayes; },
      [](auto& o) { o.data.ngrams = 0; },
      [](auto& o) { o.data.ngrams = 9; },
      [](auto& o) { o.label_weights["fish"] = 2; },
  };
  for (Index k = 0; k < wrong.size(); ++k) {
    TrainOptions options = options_for(text_);
    wrong[k](options);
    EXPECT_THROW(train_classifier(options), UsageError) << k;
  }
}

TEST_F(Train, WhatCannotBeLearnedFromIsRefused) {
  const auto refused = [&](std::string_view content,
                           const std::function<void(TrainOptions&)>& set) {
    TrainOptions options = options_for(directory_.make("bad", content));
    if (set) set(options);
    try {
      train_classifier(options);
    } catch (const InputError& error) {
      return std::string(error.what()).substr(directory_.path().size());
    }
    return std::string("learned");
  };
  EXPECT_EQ(refused("", {}), "/bad: there is no example to learn from");
  EXPECT_EQ(refused("# nothing\n", {}), "/bad: there is no example to learn from");
  EXPECT_EQ(refused("a\tb\na\tc\n", {}), "/bad: expected two labels at least, found only \"a\"");
  EXPECT_EQ(refused("1 1:1\n2 1:-1\n", [](auto& o) { o.learner = Learner::kNaiveBayes; }),
            "/bad:2: expected counts, as naive Bayes needs, found a value below 0");
  EXPECT_EQ(refused("1 1:1\n2 1:0.5\n", [](auto& o) { o.weighting = Weighting::kLog; }),
            "/bad:2: expected counts from 1 on for the weighting log, which takes their logarithm, "
            "found a smaller value");
  EXPECT_EQ(refused("a\tb\nc\td\n", [](auto& o) { o.data.min_count = 2, o.data.bias = false; }),
            "/bad: no feature occurs in enough documents");
}

}  // namespace
}  // namespace trellis::classify
