#include "trellis/tasks/classify/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stop_token>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/classify/small_classifier.h"
#include "trellis/base/error.h"
#include "trellis/tasks/classify/classifier.h"
#include "trellis/tasks/classify/predict.h"

namespace trellis::classify {
namespace {

using testing::data_of;
using testing::input;
using testing::kTinyText;
using testing::kTinyVectors;
using testing::naive_bayes;
using testing::options_for;
using testing::train_on;
using trellis::testing::content_of;
using trellis::testing::TemporaryDirectory;

Index correct(const Trained& trained, std::string_view content) {
  return evaluate(*trained.model, input(content), {}).scores.num_correct();
}

std::string bytes_of(const Trained& trained) {
  const TemporaryDirectory directory;
  trained.model->write(directory.file("m"));
  return content_of(directory.file("m"));
}

struct Cell {
  const char* learner;
  const char* loss;
  std::function<void(LearnerOptions&)> set = {};
};

const std::vector<Cell>& cells() {
  static const std::vector<Cell> all = {
      {"lbfgs", "crf"},
      {"lbfgs", "softmax-margin"},
      {"dca", "svm"},
      {"dca", "crf"},
      {"dca", "svm", [](auto& o) { o.dual = "stored"; }},
      {"sgd", "crf"},
      {"sgd", "svm"},
      // The last weights of a perceptron make no mistake, their mean may.
      {"perceptron", "perceptron", [](auto& o) { o.average = false, o.c.reset(); }},
      {"perceptron", "svm", [](auto& o) { o.average = false, o.c.reset(); }},
      {"mira", "svm"},
      {"bcfw", "svm"},
      {"bcfw", "crf"},
      {"bmrm", "svm"},
      {"bmrm", "crf"},
      {"extragradient", "svm", [](auto& o) { o.geometry = "entropic"; }},
      {"extragradient", "svm", [](auto& o) { o.geometry = "euclidean"; }},
      {"projected-gradient", "svm", [](auto& o) { o.epochs = 2000; }},
      {"smo", "svm"},
      {"structured-smo", "svm"},
      {"qp", "svm", [](auto& o) { o.epochs.reset(); }},
  };
  return all;
}

TrainOptions options_of(const Cell& cell) {
  TrainOptions options = options_for(cell.learner, cell.loss);
  LearnerOptions& dials = options.training.learner;
  dials.c = 100;
  dials.epochs = 200;
  if (cell.set) cell.set(dials);
  return options;
}

TEST(ClassifyTrain, EveryCellOfTheTableLearnsItsTrainingSet) {
  for (const Cell& cell : cells()) {
    for (const std::string_view content : {kTinyText, kTinyVectors}) {
      const Trained trained = train_on(content, options_of(cell));
      ASSERT_TRUE(trained.model) << cell.learner;
      EXPECT_EQ(correct(trained, content), trained.result.documents)
          << cell.learner << " " << cell.loss;
    }
  }
}

TEST(ClassifyTrain, EveryCellOfTheTableLearnsThroughAKernel) {
  for (const char* kernel : {"linear", "poly:2", "rbf:0.5"}) {
    for (const Cell& cell : cells()) {
      TrainOptions options = options_of(cell);
      options.kernel = parse_kernel(kernel);
      const Trained trained = train_on(kTinyVectors, options);
      EXPECT_EQ(correct(trained, kTinyVectors), 6u)
          << cell.learner << " " << cell.loss << " " << kernel;
    }
  }
}

// Exclusive or: no line separates the labels.
constexpr std::string_view kXor = "a 1:1 2:1\na 1:-1 2:-1\nb 1:1 2:-1\nb 1:-1 2:1\n";

TEST(ClassifyTrain, AKernelLearnsWhatALineCannot) {
  TrainOptions options = options_for();
  options.training.learner.c = 100;
  EXPECT_LT(correct(train_on(kXor, options), kXor), 4u);
  for (const char* kernel : {"poly:2", "rbf:1"}) {
    options.kernel = parse_kernel(kernel);
    EXPECT_EQ(correct(train_on(kXor, options), kXor), 4u) << kernel;
  }
}

TEST(ClassifyTrain, TheLinearKernelIsTheModelWithoutOne) {
  TrainOptions options = options_for("smo");
  options.training.learner.gap = 1e-8;
  options.training.learner.epochs = 20000;
  const double plain = train_on(kTinyVectors, options).result.summary().objective;
  options.kernel = parse_kernel("linear");
  EXPECT_NEAR(train_on(kTinyVectors, options).result.summary().objective, plain, 1e-6 * plain);
}

// Coefficients of all documents, and features of all pivots: two ways to one optimum.
TEST(ClassifyTrain, TheImplicitKernelComesToTheObjectiveOfTheExplicitOne) {
  for (const char* geometry : {"entropic", "euclidean"}) {
    TrainOptions options = options_for("extragradient");
    options.kernel = parse_kernel("rbf:0.7");
    options.training.learner.geometry = geometry;
    options.training.learner.gap = 1e-4;
    options.training.learner.epochs = 20000;
    const Trained by_features = train_on(kTinyVectors, options);
    options.implicit = true;
    const Trained by_kernel = train_on(kTinyVectors, options);
    const double objective = by_features.result.summary().objective;
    EXPECT_NEAR(by_kernel.result.summary().objective, objective, 2e-4 * objective);
    EXPECT_EQ(correct(by_kernel, kTinyVectors), correct(by_features, kTinyVectors));
    EXPECT_LE(by_kernel.result.pivots, 6u);
  }
}

TEST(ClassifyTrain, NaiveBayesLearnsItsTrainingSet) {
  for (const bool complement : {false, true}) {
    TrainOptions options = naive_bayes();
    options.complement = complement;
    const Trained trained = train_on(kTinyText, options);
    EXPECT_EQ(correct(trained, kTinyText), trained.result.documents);
    EXPECT_EQ(trained.result.summary().epochs, 1u);
  }
}

TEST(ClassifyTrain, LearnersOfOneObjectiveReachOneOptimum) {
  TrainOptions options = options_for();
  options.training.learner.gap = 1e-7;
  options.training.learner.epochs = 20000;
  const LearnSummary best = train_on(kTinyText, options).result.summary();
  EXPECT_LE(best.gap(), 1e-7);
  for (const char* learner :
       {"dca", "bcfw", "bmrm", "extragradient", "projected-gradient", "structured-smo", "qp"}) {
    TrainOptions other = options_for(learner);
    LearnerOptions& dials = other.training.learner;
    if (learner == std::string_view("dca")) dials.dual = "stored";
    if (learner == std::string_view("qp")) dials.certify = true;
    const bool slow = learner == std::string_view("projected-gradient");
    if (learner != std::string_view("qp")) dials.epochs = slow ? 500 : 20000;
    const LearnSummary summary = train_on(kTinyText, other).result.summary();
    EXPECT_LE(summary.gap(), slow ? 1 : 2e-3) << learner;
    EXPECT_GE(summary.objective, best.bound) << learner;
    EXPECT_GE(best.objective, summary.bound) << learner;
  }
}

TEST(ClassifyTrain, SameBitsForAnyNumberOfThreads) {
  std::vector<TrainOptions> calls = {options_for("smo"), options_for("lbfgs"), naive_bayes()};
  calls.push_back(options_for("extragradient"));
  calls.back().kernel = parse_kernel("rbf:1");
  calls.back().implicit = true;
  for (TrainOptions& options : calls) {
    std::string first;
    for (const int threads : {1, 2, 5}) {
      options.training.threads = threads;
      const std::string bytes = bytes_of(train_on(kTinyText, options));
      if (first.empty()) first = bytes;
      EXPECT_EQ(bytes, first);
    }
  }
}

class Resumed : public ::testing::Test {
 protected:
  TemporaryDirectory directory_;
  ClassifyData data_ = data_of(kTinyText);
  HeldOutSet dev_ = read_held_out(input(kTinyText), data_);

  void expect_resumed(TrainOptions options, Index stop_at) {
    options.training.checkpoint = directory_.file("state");
    const std::string whole = bytes_of(train(data_, &dev_, options));
    std::stop_source stop;
    TrainEvents events;
    events.stop = stop.get_token();
    events.on_epoch = [&](const EpochRecord& record) {
      if (record.epoch == stop_at) stop.request_stop();
    };
    const Trained interrupted = train(data_, &dev_, options, events);
    ASSERT_FALSE(interrupted.model);
    TrainOptions other = options;
    options.training.resume = other.training.resume = true;
    other.label_weights["birds"] = 3;
    EXPECT_THROW(train(data_, &dev_, other), InputError);
    const Trained resumed = train(data_, &dev_, options);
    ASSERT_TRUE(resumed.model);
    EXPECT_EQ(bytes_of(resumed), whole);
    resumed.result.learned.stages->discard();
    EXPECT_FALSE(std::filesystem::exists(options.training.checkpoint));
  }
};

TEST_F(Resumed, AnInterruptedRunGoesOnToTheSameModel) {
  for (const char* learner : {"smo", "dca", "lbfgs", "extragradient"}) {
    SCOPED_TRACE(learner);
    TrainOptions options = options_for(learner);
    options.training.learner.patience = 100;
    expect_resumed(options, 2);
  }
}

TEST_F(Resumed, SoDoesOneThroughAKernel) {
  for (const bool implicit : {false, true}) {
    TrainOptions options = options_for("extragradient");
    options.training.learner.patience = 100;
    options.kernel = parse_kernel("rbf:1");
    options.implicit = implicit;
    expect_resumed(options, 2);
  }
}

TEST(ClassifyTrain, TheDevSetChoosesTheEpoch) {
  const ClassifyData data = data_of(kTinyText);
  const HeldOutSet dev = read_held_out(input("fruit\tripe plums\nplanets\tmars\n"), data);
  for (const char* kernel : {"", "rbf:1"}) {
    TrainOptions options = options_for("perceptron");
    if (*kernel != 0) options.kernel = parse_kernel(kernel);
    const TrainResult result = train(data, &dev, options).result;
    ASSERT_TRUE(result.dev.has_value());
    EXPECT_EQ(result.dev->num_examples(), 2u);
    EXPECT_LE(result.dev->accuracy(), 50);  // a label that training has not seen is missed
    EXPECT_EQ(result.unseen_dev_labels, std::vector<std::string>{"planets"});
    EXPECT_GE(result.learned.best_epoch, 1u);
  }
}

TEST(ClassifyTrain, FoldsChooseAmongValuesOfADial) {
  for (const bool implicit : {false, true}) {
    TrainOptions options = options_for(implicit ? "extragradient" : "");
    if (implicit) options.kernel = parse_kernel("linear");
    options.implicit = implicit;
    options.training.candidates = {{"c", {0.01, 1, 100}}};
    options.training.folds = 2;
    const Trained trained = train_on(kTinyVectors, options);
    const Learned& learned = trained.result.learned;
    EXPECT_EQ(learned.chosen_by, "accuracy over 2 folds");
    ASSERT_EQ(learned.tried.size(), 3u);
    for (const Tried& tried : learned.tried) EXPECT_LE(tried.figure, 100);
    EXPECT_EQ(correct(trained, kTinyVectors), 6u);
  }
}

TEST(ClassifyTrain, ProbabilitiesAddUpToOneWhereThereAreSome) {
  for (const TrainOptions& options : {options_for("lbfgs"), naive_bayes()}) {
    const Trained trained = train_on(kTinyText, options);
    const Classifier classifier(*trained.model);
    std::vector<double> p;
    classifier.probabilities(std::vector<double>{1, -2, 0.5}, p);
    EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-14);
    EXPECT_NEAR(p[0] / p[2], std::exp(0.5), 1e-12);
  }
  const Trained svm = train_on(kTinyText, options_for());
  std::vector<double> p;
  EXPECT_THROW(Classifier(*svm.model).probabilities(std::vector<double>{1, 2, 3}, p), UsageError);
}

TEST(ClassifyTrain, RareFeaturesAreDropped) {
  DataOptions options;
  options.min_count = 2;
  // the bias, and, pears, a is not (one document), saw, the, wren, robin
  EXPECT_EQ(data_of(kTinyText, options).vocabulary.size(), 7u);
}

TEST(ClassifyTrain, WhatMathematicsForbidsIsRefusedAtOnce) {
  const auto bayes = [](const std::function<void(TrainOptions&)>& set) {
    TrainOptions options = naive_bayes();
    set(options);
    return options;
  };
  const auto with = [](TrainOptions options, const std::function<void(TrainOptions&)>& set) {
    set(options);
    return options;
  };
  const TrainOptions rbf = with(options_for(), [](auto& o) { o.kernel = parse_kernel("rbf:1"); });
  const std::vector<TrainOptions> wrong = {
      options_for("lbfgs", "svm"),
      options_for("mira", "crf"),
      options_for("perceptron", "crf"),
      options_for("smo", "perceptron"),
      bayes([](auto& o) { o.training.learner.loss = Loss::named("svm"); }),
      bayes([](auto& o) { o.training.learner.c = 1; }),
      bayes([](auto& o) { o.training.learner.gap = 0.1; }),
      bayes([](auto& o) { o.training.learner.epochs = 3; }),
      bayes([](auto& o) {
        o.training.candidates = {{"c", {1, 2}}};
      }),
      bayes([](auto& o) { o.training.folds = 3; }),
      bayes([](auto& o) { o.training.resume = true; }),
      bayes([](auto& o) { o.kernel = parse_kernel("linear"); }),
      bayes([](auto& o) { o.label_weights["birds"] = 2; }),
      bayes([](auto& o) { o.alpha = 0; }),
      bayes([](auto& o) { o.complement = o.bernoulli = true; }),
      with(options_for(), [](auto& o) { o.complement = true; }),
      with(options_for(), [](auto& o) { o.bernoulli = true; }),
      with(options_for(), [](auto& o) { o.alpha = 1; }),
      with(options_for(), [](auto& o) { o.training.learner.l1 = 1; }),
      with(options_for("lbfgs"), [](auto& o) { o.training.learner.l1 = -1; }),
      with(options_for(), [](auto& o) { o.training.learner.dual = "stored"; }),
      with(options_for("perceptron"), [](auto& o) { o.training.learner.voters = 3; }),
      with(options_for(), [](auto& o) { o.training.learner.c = 0; }),
      with(options_for(), [](auto& o) { o.training.learner.c = std::nan(""); }),
      with(options_for(), [](auto& o) { o.training.learner.gap = -1; }),
      with(options_for(), [](auto& o) { o.label_weights["fish"] = 2; }),
      with(options_for(), [](auto& o) { o.kernel_rank = 3; }),
      with(options_for(), [](auto& o) { o.implicit = true; }),
      with(rbf, [](auto& o) { o.implicit = true; }),  // smo has no implicit form
      with(rbf, [](auto& o) { o.training.learner.l1 = 1, o.training.learner.learner = {}; }),
  };
  const ClassifyData data = data_of(kTinyText);
  for (Index k = 0; k < wrong.size(); ++k) {
    EXPECT_THROW(train(data, nullptr, wrong[k]), UsageError) << k;
  }
  for (const Index ngrams : {0, 9}) {
    DataOptions options;
    options.ngrams = ngrams;
    EXPECT_THROW(data_of(kTinyText, options), UsageError);
  }
}

TEST(ClassifyTrain, ImplicitExtragradientRefusesWhatNeedsFeatures) {
  TrainOptions options = options_for("extragradient");
  options.kernel = parse_kernel("rbf:1");
  options.implicit = true;
  const ClassifyData data = data_of(kTinyText);
  TrainOptions warm = options;
  warm.training.learner.warm_up = 2;
  EXPECT_THROW(train(data, nullptr, warm), UsageError);
  TrainOptions ball = options;
  ball.training.learner.radius = 1;
  ball.training.learner.l1_ball = true;
  EXPECT_THROW(train(data, nullptr, ball), UsageError);
  options.kernel_rank = 3;
  EXPECT_THROW(train(data, nullptr, options), UsageError);
}

TEST(ClassifyTrain, OptionsAreRefusedBeforeAFileIsOpened) {
  EXPECT_THROW(train_files({{"/no/such/file"}, "", {}}, options_for("mira", "crf")), UsageError);
  EXPECT_THROW(train_files({{"/no/such/file"}, "", {}}, options_for()), InputError);
}

TEST(ClassifyTrain, WhatCannotBeLearnedFromIsRefused) {
  const auto refused = [](std::string_view content, const DataOptions& options = {},
                          const TrainOptions& call = options_for()) {
    try {
      train(data_of(content, options), nullptr, call);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("learned");
  };
  EXPECT_EQ(refused(""), "tiny: expected examples to learn from, found none");
  EXPECT_EQ(refused("# nothing\n"), "tiny: expected examples to learn from, found none");
  EXPECT_EQ(refused("a\tb\na\tc\n"), "tiny: expected at least two labels, found only \"a\"");
  EXPECT_EQ(
      refused("1 1:1\n2 1:-1\n", {}, naive_bayes()),
      "tiny:2: naive Bayes requires counts: expected values of at least 0, found a value below 0");
  DataOptions options;
  options.weighting = Weighting::kLog;
  EXPECT_EQ(refused("1 1:1\n2 1:0.5\n", options),
            "tiny:2: expected counts of at least 1, since the weighting log uses their logarithm, "
            "found a smaller value");
  DataOptions rare;
  rare.min_count = 2;
  rare.bias = false;
  EXPECT_EQ(refused("a\tb\nc\td\n", rare),
            "tiny: no feature occurs in at least --min-count documents");
}

}  // namespace
}  // namespace trellis::classify
