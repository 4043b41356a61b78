#include "trellis/tasks/tag/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "tests/tasks/tag/small_tagger.h"
#include "trellis/base/error.h"
#include "trellis/tasks/tag/run_learner.h"

namespace trellis::tag {
namespace {

struct Cell {
  std::string name;
  std::function<void(TrainOptions&)> set;
};

// The learners, each with the losses that it can minimise, and their variants.
std::vector<Cell> allowed_cells() {
  std::vector<Cell> cells;
  const auto add = [&](const std::string& name, Learner learner, Loss loss,
                       const std::function<void(TrainOptions&)>& more = {}) {
    cells.push_back({name + ", " + loss.description(), [=](TrainOptions& options) {
                       options.learner = learner;
                       options.loss = loss;
                       if (more) more(options);
                     }});
  };
  const std::vector<Loss> smooth = {Loss::named("crf"), Loss::named("softmax-margin"), {3, 0.5}};
  const std::vector<Loss> hinge = {Loss::named("svm"), Loss::named("perceptron")};
  for (const Loss& loss : smooth) {
    add("lbfgs", Learner::kLbfgs, loss);
    add("owl-qn", Learner::kLbfgs, loss, [](TrainOptions& o) { o.l1 = 0.1; });
    add("dca", Learner::kDca, loss);
    add("dca stored", Learner::kDca, loss, [](TrainOptions& o) { o.stored_dual = true; });
    add("sgd", Learner::kSgd, loss);
  }
  for (const Loss& loss : hinge) {
    add("sgd", Learner::kSgd, loss, [](TrainOptions& o) { o.eta = 0.1; });
    add("perceptron", Learner::kPerceptron, loss);
    add("perceptron voted", Learner::kPerceptron, loss, [](TrainOptions& o) { o.voters = 4; });
    add("perceptron last", Learner::kPerceptron, loss, [](TrainOptions& o) { o.average = false; });
  }
  for (const Loss& loss : {smooth[0], Loss::named("svm")}) {
    add("bcfw", Learner::kBcfw, loss);
    add("bcfw without cache", Learner::kBcfw, loss, [](TrainOptions& o) { o.cache = 0; });
    add("bmrm", Learner::kBmrm, loss);
  }
  const Loss svm = Loss::named("svm");
  add("extragradient", Learner::kExtragradient, svm, [](TrainOptions& o) { o.epochs = 60; });
  add("extragradient, euclidean", Learner::kExtragradient, svm, [](TrainOptions& o) {
    o.geometry = Geometry::kEuclidean;
    o.epochs = 30;
  });
  add("extragradient, ball", Learner::kExtragradient, svm, [](TrainOptions& o) {
    o.radius = 3;
    o.epochs = 60;
  });
  add("extragradient, 1-norm ball", Learner::kExtragradient, svm, [](TrainOptions& o) {
    o.radius = 10;
    o.l1_ball = true;
    o.epochs = 200;
  });
  add("projected-gradient", Learner::kProjectedGradient, svm,
      [](TrainOptions& o) { o.epochs = 30; });
  add("smo", Learner::kSmo, svm);
  add("mira", Learner::kMira, Loss::named("svm"));
  add("dca", Learner::kDca, Loss::named("svm"));
  add("dca stored", Learner::kDca, Loss::named("svm"),
      [](TrainOptions& o) { o.stored_dual = true; });
  return cells;
}

class TrainTest : public ::testing::Test {
 protected:
  TrainTest()
      : train_(directory_.make("train.txt", testing::city_sentences(60, 11))),
        dev_(directory_.make("dev.txt", testing::city_sentences(20, 12))),
        features_(testing::city_template()) {}

  TrainOptions options(const Cell& cell = {}) const {
    TrainOptions options;
    options.files = {train_};
    options.model = directory_.file("model");
    options.threads = 1;
    options.epochs = 8;
    if (cell.set) cell.set(options);
    return options;
  }

  // The model file that a run writes.
  std::string trained(const TrainOptions& options, const TrainEvents& events = {}) const {
    const TrainResult result = train_tagger(options, features_, events);
    EXPECT_FALSE(result.interrupted);
    return testing::content_of(options.model);
  }

  TagScores evaluate(const std::string& model_file, const std::string& file) const {
    const TagModel model = TagModel::load(model_file);
    const Tagger tagger(model);
    Tagger::Scratch scratch;
    TagScores scores(model.format().file_scheme);
    LabelTexts texts(model.labels(), model.format().model_scheme, model.format().file_scheme);
    for (const TagSequence& sequence : testing::read_sequences(file, model.format().format)) {
      std::vector<Label> labels;
      tagger.tag(sequence, {}, scratch, labels);
      std::vector<std::string_view> gold;
      sequence.labels(kLastColumn, gold);
      scores.add(gold, texts.write(labels));
    }
    return scores;
  }

  testing::TemporaryDirectory directory_;
  std::string train_;
  std::string dev_;
  FeatureTemplate features_;
};

// The share of the most frequent label.
double majority(const std::string& file) {
  std::map<std::string, double> counts;
  double tokens = 0;
  double most = 0;
  for (const TagSequence& sequence : testing::read_sequences(file)) {
    std::vector<std::string_view> labels;
    sequence.labels(kLastColumn, labels);
    for (const std::string_view label : labels) most = std::max(most, ++counts[std::string(label)]);
    tokens += static_cast<double>(labels.size());
  }
  return 100 * most / tokens;
}

TEST_F(TrainTest, EveryCellThatMathematicsAllowsLearnsMoreThanTheMajority) {
  const double baseline = majority(dev_);
  for (const Cell& cell : allowed_cells()) {
    SCOPED_TRACE(cell.name);
    for (int order = 1; order <= 2; ++order) {
      TrainOptions run = options(cell);
      run.order = order;
      const TrainResult result = train_tagger(run, features_);
      EXPECT_EQ(result.sequences, 60U);
      EXPECT_GT(result.summary.epochs, 0U);
      const TagScores scores = evaluate(run.model, dev_);
      EXPECT_GT(scores.confusion().accuracy(), baseline + 5);
      EXPECT_GT(scores.figure(), 50);
    }
  }
}

TEST_F(TrainTest, WhatDoesNotFitIsRefusedBeforeAFileIsRead) {
  const std::vector<Cell> cells = {
      {"lbfgs, svm", [](TrainOptions& o) { o.loss = Loss::named("svm"); }},
      {"lbfgs, perceptron loss", [](TrainOptions& o) { o.loss = Loss::named("perceptron"); }},
      {"perceptron, crf",
       [](TrainOptions& o) {
         o.learner = Learner::kPerceptron;
         o.loss = Loss::named("crf");
       }},
      {"mira, softmax-margin",
       [](TrainOptions& o) {
         o.learner = Learner::kMira;
         o.loss = Loss::named("softmax-margin");
       }},
      {"dca, perceptron loss: 0 is its optimum",
       [](TrainOptions& o) {
         o.learner = Learner::kDca;
         o.loss = Loss::named("perceptron");
       }},
      {"mira, perceptron loss",
       [](TrainOptions& o) {
         o.learner = Learner::kMira;
         o.loss = Loss::named("perceptron");
       }},
      {"extragradient, crf",
       [](TrainOptions& o) {
         o.learner = Learner::kExtragradient;
         o.loss = Loss::named("crf");
       }},
      {"smo, perceptron loss",
       [](TrainOptions& o) {
         o.learner = Learner::kSmo;
         o.loss = Loss::named("perceptron");
       }},
      {"bcfw, radius",
       [](TrainOptions& o) {
         o.learner = Learner::kBcfw;
         o.radius = 1;
       }},
      {"1-norm ball without a radius",
       [](TrainOptions& o) {
         o.learner = Learner::kExtragradient;
         o.l1_ball = true;
       }},
      {"dca, L1",
       [](TrainOptions& o) {
         o.learner = Learner::kDca;
         o.l1 = 1;
       }},
      {"dca, voters",
       [](TrainOptions& o) {
         o.learner = Learner::kDca;
         o.voters = 3;
       }},
      {"sgd, stored dual",
       [](TrainOptions& o) {
         o.learner = Learner::kSgd;
         o.stored_dual = true;
       }},
      {"dca, partial labels",
       [](TrainOptions& o) {
         o.learner = Learner::kDca;
         o.data.partial = true;
       }},
      {"sgd, svm, partial labels",
       [](TrainOptions& o) {
         o.learner = Learner::kSgd;
         o.loss = Loss::named("svm");
         o.data.partial = true;
       }},
      {"certificate of partial labels",
       [](TrainOptions& o) {
         o.certify = true;
         o.data.partial = true;
       }},
      {"gap of partial labels",
       [](TrainOptions& o) {
         o.gap = 0.01;
         o.data.partial = true;
       }},
      {"beta 0",
       [](TrainOptions& o) {
         o.loss = Loss{0, 0};
       }},
      {"negative gamma",
       [](TrainOptions& o) {
         o.loss = Loss{1, -1};
       }},
      {"C 0", [](TrainOptions& o) { o.c = 0; }},
      {"C is no number", [](TrainOptions& o) { o.c = std::nan(""); }},
      {"negative L1", [](TrainOptions& o) { o.l1 = -1; }},
      {"order 0", [](TrainOptions& o) { o.order = 0; }},
      {"order 5", [](TrainOptions& o) { o.order = 5; }},
      {"31 bits", [](TrainOptions& o) { o.data.hash_bits = 31; }},
      {"-1 bits", [](TrainOptions& o) { o.data.hash_bits = -1; }},
  };
  for (const Cell& cell : cells) {
    TrainOptions run = options(cell);
    run.files = {directory_.file("there is no such file")};
    EXPECT_THROW(train_tagger(run, features_), UsageError) << cell.name;
  }
}

TEST_F(TrainTest, SameModelForAnyNumberOfThreadsAndEveryTime) {
  for (const Cell& cell : allowed_cells()) {
    SCOPED_TRACE(cell.name);
    TrainOptions run = options(cell);
    run.epochs = 3;
    run.dev = dev_;
    const std::string one = trained(run);
    for (const int threads : {1, 2, 3}) {
      run.threads = threads;
      EXPECT_EQ(trained(run), one) << threads << " threads";
    }
  }
}

TEST_F(TrainTest, InterruptedAndResumedItIsTheSameModel) {
  for (const Cell& cell : allowed_cells()) {
    for (const bool with_dev : {false, true}) {
      SCOPED_TRACE(cell.name + (with_dev ? ", watched" : ""));
      TrainOptions run = options(cell);
      run.epochs = 5;
      if (with_dev) run.dev = dev_;
      const std::string whole = trained(run);
      std::filesystem::remove(run.model);
      run.checkpoint = directory_.file("checkpoint");
      Index interruptions = 0;
      for (const Index last : {Index{1}, Index{3}}) {
        std::stop_source source;
        TrainEvents events;
        events.on_epoch = [&](const EpochRecord& record) {
          if (record.epoch >= last) source.request_stop();
        };
        events.stop = source.get_token();
        const TrainResult result = train_tagger(run, features_, events);
        if (!result.interrupted) break;
        ++interruptions;
        EXPECT_FALSE(std::filesystem::exists(run.model));
        run.resume = true;
      }
      EXPECT_GT(interruptions, 0U);
      if (!std::filesystem::exists(run.model)) trained(run);
      EXPECT_EQ(testing::content_of(run.model), whole);
    }
  }
}

TEST_F(TrainTest, TheCheckpointOfAnotherRunIsRefused) {
  TrainOptions run = options();
  run.checkpoint = directory_.file("checkpoint");
  std::stop_source source;
  source.request_stop();
  TrainEvents events;
  events.stop = source.get_token();
  ASSERT_TRUE(train_tagger(run, features_, events).interrupted);
  run.resume = true;
  run.c = 2;
  EXPECT_THROW(train_tagger(run, features_), InputError);
  run.c = 1;
  run.checkpoint = directory_.file("no checkpoint");
  EXPECT_THROW(train_tagger(run, features_), InputError);
}

TEST_F(TrainTest, EarlyStoppingKeepsTheBestEpoch) {
  for (const char* name : {"lbfgs", "dca", "sgd", "perceptron", "mira"}) {
    SCOPED_TRACE(name);
    TrainOptions run = options();
    run.learner = parse_learner(name);
    run.epochs = 30;
    run.patience = 3;
    run.dev = dev_;
    const TrainResult result = train_tagger(run, features_);
    ASSERT_TRUE(result.dev.has_value());
    double best = -1;
    Index best_epoch = 0;
    for (const EpochRecord& record : result.summary.history) {
      if (record.dev > best) {
        best = record.dev;
        best_epoch = record.epoch;
      }
    }
    EXPECT_EQ(result.best_epoch, best_epoch);
    EXPECT_EQ(result.dev->figure(), best);
    EXPECT_LE(result.summary.epochs, best_epoch + 3);
    EXPECT_EQ(evaluate(run.model, dev_).figure(), best);
  }
}

// For each smooth loss: the optimum by L-BFGS lies between what the others certify.
TEST_F(TrainTest, CertificatesEncloseTheOptimum) {
  for (const int order : {1, 2}) {
    for (const Loss& loss : {Loss::named("crf"), Loss::named("softmax-margin")}) {
      SCOPED_TRACE(loss.description());
      TrainOptions run = options();
      run.order = order;
      run.loss = loss;
      run.epochs = 500;
      run.epsilon = 1e-9;
      run.delta = 0;
      const TrainResult exact = train_tagger(run, features_);
      const double optimum = exact.summary.objective;
      const auto encloses = [&](const TrainResult& result) {
        EXPECT_LE(result.summary.bound, optimum + 1e-9);
        EXPECT_GE(result.summary.objective, optimum - 1e-9);
        EXPECT_NEAR(result.summary.gap, result.summary.objective - result.summary.bound, 1e-12);
      };
      run.certify = true;
      run.learner = Learner::kDca;
      run.epochs = 300;
      run.gap = 1e-5;
      run.stored_dual = true;
      const TrainResult dca = train_tagger(run, features_);
      encloses(dca);
      EXPECT_LE(dca.summary.gap, 1e-5 * dca.summary.objective);
      run.stored_dual = false;
      run.epochs = 10;
      encloses(train_tagger(run, features_));
      run.learner = Learner::kSgd;
      run.epochs = 60;
      run.eta = 0.3;
      const TrainResult sgd = train_tagger(run, features_);
      encloses(sgd);
      EXPECT_LE(sgd.summary.objective, optimum * 1.02);
    }
  }
}

TEST_F(TrainTest, TheHingeIsMinimisedToTheCertifiedGap) {
  TrainOptions run = options();
  run.loss = Loss::named("svm");
  run.learner = Learner::kDca;
  run.stored_dual = true;
  run.epochs = 1000;
  run.gap = 0.01;
  const TrainResult dca = train_tagger(run, features_);
  EXPECT_LE(dca.summary.gap, 0.01 * dca.summary.objective);
  run.stored_dual = false;
  for (const Learner learner : {Learner::kSgd, Learner::kMira, Learner::kDca}) {
    run.learner = learner;
    run.epochs = 10;
    run.eta = 0.1;
    const TrainResult other = train_tagger(run, features_);
    EXPECT_GE(other.summary.objective, dca.summary.bound - 1e-9);
    EXPECT_LE(other.summary.bound, dca.summary.objective + 1e-9);
  }
}

TEST_F(TrainTest, PartialTrainingOnWholeLabelsIsOrdinaryTraining) {
  TrainOptions run = options();
  const std::string ordinary = trained(run);
  run.data.partial = true;
  EXPECT_EQ(trained(run), ordinary);
}

// Labels become "?" or a set with the truth in it.
std::string hide_labels(const std::string& text, std::uint64_t seed) {
  Random random(seed);
  std::string hidden;
  Index begin = 0;
  while (begin < text.size()) {
    const Index end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const Index blank = line.find(' ');
    hidden += line;
    if (blank != std::string::npos) {
      const std::uint64_t choice = random.below(6);
      if (choice == 0)
        hidden.replace(hidden.size() - (line.size() - blank - 1), std::string::npos, "?");
      if (choice == 1) hidden += line.ends_with(" O") ? "|B-CITY" : "|O";
    }
    hidden += '\n';
  }
  return hidden;
}

TEST_F(TrainTest, PartialLabelsNeverExcludeTheTruth) {
  const std::string text = testing::city_sentences(60, 11);
  const std::string hidden = directory_.make("hidden.txt", hide_labels(text, 4));
  TrainingSetOptions data;
  data.partial = true;
  data.detect_scheme = false;
  data.file_scheme = TagScheme::kIob2;
  const TrainingSet truth = read_training_set({train_}, features_, {});
  const TrainingSet set = read_training_set({hidden}, features_, data, truth.labels);
  ASSERT_TRUE(set.examples->partially_labelled());
  const Index n = set.labels.size();
  for (Index i = 0; i < set.examples->num_examples(); ++i) {
    const std::vector<Label>& labels = truth.examples->labels(i);
    for (Index t = 0; t < labels.size(); ++t)
      EXPECT_NE(set.examples->truth(i)[t * n + static_cast<Index>(labels[t])], 0);
  }
  for (const Learner learner : {Learner::kLbfgs, Learner::kSgd}) {
    TrainOptions run = options();
    run.files = {hidden};
    run.learner = learner;
    run.data = data;
    run.epochs = 20;
    const TrainResult result = train_tagger(run, features_);
    EXPECT_EQ(result.labels, n);
    EXPECT_GT(evaluate(run.model, dev_).confusion().accuracy(), majority(dev_) + 5);
  }
}

TEST_F(TrainTest, LabelsThatLeaveNoLegalSequenceAreRefused) {
  for (int order = 1; order <= 3; ++order) {
    TrainOptions run = options();
    run.order = order;
    run.data.partial = true;
    run.files = {directory_.make("impossible.txt",
                                 "to O\nLima B-CITY\nBay I-CITY\n\n"
                                 "in O|B-CITY\nNice ?\nto O\nYork I-CITY\n\n")};
    EXPECT_THROW(train_tagger(run, features_), InputError);
  }
}

TEST_F(TrainTest, IllegalSequencesAreRefusedByTheirLineOrRepaired) {
  TrainOptions run = options();
  run.files = {directory_.make("illegal.txt",
                               "Lima B-CITY\nBay I-CITY\n\nto O\nYork I-CITY\n\n"
                               "San B-CITY\nJose I-CITY\n\nOslo B-CITY\n")};
  try {
    train_tagger(run, features_);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 5U) << error.what();
  }
  run.data.repair = true;
  EXPECT_EQ(train_tagger(run, features_).repaired_labels, 1U);
}

TEST_F(TrainTest, LabelWeightsMoveTheDecision) {
  TrainOptions run = options();
  run.loss = Loss::named("softmax-margin");
  run.label_weights = {{"B-NOWHERE", 2.0}};
  EXPECT_THROW(train_tagger(run, features_), UsageError);
  run.label_weights = {{"B-CITY", -1.0}};
  EXPECT_THROW(train_tagger(run, features_), UsageError);
  run.label_weights.clear();
  const std::string plain = trained(run);
  run.label_weights = {{"B-CITY", 5.0}};
  EXPECT_NE(trained(run), plain);
}

TEST_F(TrainTest, L1LeavesFewerWeights) {
  TrainOptions run = options();
  run.epochs = 100;
  const Index all = trained(run).size();
  run.l1 = 1;
  const Index few = trained(run).size();
  EXPECT_LT(few, all * 3 / 4);
  EXPECT_GT(evaluate(run.model, dev_).figure(), 50);
}

TEST_F(TrainTest, ItemsAndHashingTrain) {
  std::string items;
  for (const TagSequence& sequence : testing::read_sequences(train_)) {
    for (Index t = 0; t < sequence.num_tokens(); ++t) {
      items += std::string(sequence.columns.field(t, 1)) +
               "\tw=" + std::string(sequence.columns.field(t, 0)) +
               (t > 0 ? "\tinner:0.5\n" : "\tfirst\n");
    }
    items += "\n";
  }
  TrainOptions run = options();
  run.data.format = InputFormat::kItems;
  run.files = {directory_.make("train.items", items)};
  for (const int hash_bits : {0, 8}) {
    run.data.hash_bits = hash_bits;
    train_tagger(run, features_);
    EXPECT_EQ(TagModel::load(run.model).format().format, InputFormat::kItems);
    EXPECT_GT(evaluate(run.model, run.files[0]).confusion().accuracy(), 80);
  }
}

}  // namespace
}  // namespace trellis::tag
