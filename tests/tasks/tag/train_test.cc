#include "trellis/tasks/tag/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "tests/tasks/tag/small_tagger.h"
#include "tests/tasks/tag/train_files.h"
#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

struct Cell {
  std::string name;
  std::function<void(testing::TrainFiles&)> set;
};

// The learners, each with the losses that it can minimise, and their variants.
std::vector<Cell> allowed_cells() {
  std::vector<Cell> cells;
  const auto add = [&](const std::string& name, LearnerKind learner, Loss loss,
                       const std::function<void(testing::TrainFiles&)>& more = {}) {
    cells.push_back({name + ", " + loss.description(), [=](testing::TrainFiles& options) {
                       options.said().learner = learner;
                       options.said().loss = loss;
                       if (more) more(options);
                     }});
  };
  const std::vector<Loss> smooth = {Loss::named("crf"), Loss::named("softmax-margin"), {3, 0.5}};
  const std::vector<Loss> hinge = {Loss::named("svm"), Loss::named("perceptron")};
  for (const Loss& loss : smooth) {
    add("lbfgs", LearnerKind::kLbfgs, loss);
    add("owl-qn", LearnerKind::kLbfgs, loss, [](testing::TrainFiles& o) { o.said().l1 = 0.1; });
    add("dca", LearnerKind::kDca, loss);
    add("dca stored", LearnerKind::kDca, loss,
        [](testing::TrainFiles& o) { o.said().dual = "stored"; });
    add("sgd", LearnerKind::kSgd, loss);
  }
  for (const Loss& loss : hinge) {
    add("sgd", LearnerKind::kSgd, loss, [](testing::TrainFiles& o) { o.said().eta = 0.1; });
    add("perceptron", LearnerKind::kPerceptron, loss);
    add("perceptron voted", LearnerKind::kPerceptron, loss,
        [](testing::TrainFiles& o) { o.said().voters = 4; });
    add("perceptron last", LearnerKind::kPerceptron, loss,
        [](testing::TrainFiles& o) { o.said().average = false; });
  }
  for (const Loss& loss : {smooth[0], Loss::named("svm")}) {
    add("bcfw", LearnerKind::kBcfw, loss);
    add("bcfw without cache", LearnerKind::kBcfw, loss,
        [](testing::TrainFiles& o) { o.said().cache = 0; });
    add("bmrm", LearnerKind::kBmrm, loss);
  }
  const Loss svm = Loss::named("svm");
  add("extragradient", LearnerKind::kExtragradient, svm,
      [](testing::TrainFiles& o) { o.said().epochs = 60; });
  add("extragradient, euclidean", LearnerKind::kExtragradient, svm, [](testing::TrainFiles& o) {
    o.said().geometry = "euclidean";
    o.said().epochs = 30;
  });
  add("extragradient, ball", LearnerKind::kExtragradient, svm, [](testing::TrainFiles& o) {
    o.said().radius = 3;
    o.said().epochs = 60;
  });
  add("extragradient, 1-norm ball", LearnerKind::kExtragradient, svm, [](testing::TrainFiles& o) {
    o.said().radius = 10;
    o.said().l1_ball = true;
    o.said().epochs = 200;
  });
  add("projected-gradient", LearnerKind::kProjectedGradient, svm,
      [](testing::TrainFiles& o) { o.said().epochs = 30; });
  add("smo", LearnerKind::kStructuredSmo, svm);
  add("mira", LearnerKind::kMira, Loss::named("svm"));
  add("dca", LearnerKind::kDca, Loss::named("svm"));
  add("dca stored", LearnerKind::kDca, Loss::named("svm"),
      [](testing::TrainFiles& o) { o.said().dual = "stored"; });
  return cells;
}

class TrainTest : public ::testing::Test {
 protected:
  TrainTest()
      : train_(directory_.make("train.txt", testing::city_sentences(60, 11))),
        dev_(directory_.make("dev.txt", testing::city_sentences(20, 12))),
        features_(testing::city_template()) {}

  testing::TrainFiles options(const Cell& cell = {}) const {
    testing::TrainFiles options;
    options.files = {train_};
    options.model = directory_.file("model");
    options.options.training.threads = 1;
    options.said().epochs = 8;
    if (cell.set) cell.set(options);
    return options;
  }

  // The model file that a run writes.
  std::string trained(const testing::TrainFiles& options, const TrainEvents& events = {}) const {
    const testing::FilesResult result = testing::train_files(options, features_, events);
    EXPECT_FALSE(result.interrupted);
    return testing::content_of(options.model);
  }

  TagScores evaluate(const std::string& model_file, const std::string& file) const {
    const TagModel model = TagModel::read(model_file);
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

  // How many tokens of a file get that label.
  static Index found(const std::string& model_file, const std::string& file,
                     std::string_view label) {
    const TagModel model = TagModel::read(model_file);
    const Tagger tagger(model);
    Tagger::Scratch scratch;
    LabelTexts texts(model.labels(), model.format().model_scheme, model.format().file_scheme);
    Index count = 0;
    for (const TagSequence& sequence : testing::read_sequences(file)) {
      std::vector<Label> labels;
      tagger.tag(sequence, {}, scratch, labels);
      for (const std::string_view text : texts.write(labels)) count += text == label ? 1 : 0;
    }
    return count;
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

class TrainTestOfOrder : public TrainTest, public ::testing::WithParamInterface<int> {};

TEST_P(TrainTestOfOrder, EveryCellThatMathematicsAllowsLearnsMoreThanTheMajority) {
  const double baseline = majority(dev_);
  for (const Cell& cell : allowed_cells()) {
    SCOPED_TRACE(cell.name);
    testing::TrainFiles run = options(cell);
    run.options.order = GetParam();
    const testing::FilesResult result = testing::train_files(run, features_);
    EXPECT_EQ(result.sequences, 60U);
    EXPECT_GT(result.summary.epochs, 0U);
    const TagScores scores = evaluate(run.model, dev_);
    EXPECT_GT(scores.confusion().accuracy(), baseline + 5);
    EXPECT_GT(scores.figure(), 50);
  }
}
INSTANTIATE_TEST_SUITE_P(Chains, TrainTestOfOrder, ::testing::Values(1, 2));

TEST_F(TrainTest, WhatDoesNotFitIsRefusedBeforeAFileIsRead) {
  const std::vector<Cell> cells = {
      {"lbfgs, svm",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kLbfgs;
         o.said().loss = Loss::named("svm");
       }},
      {"lbfgs, perceptron loss",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kLbfgs;
         o.said().loss = Loss::named("perceptron");
       }},
      {"perceptron, crf",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kPerceptron;
         o.said().loss = Loss::named("crf");
       }},
      {"mira, softmax-margin",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kMira;
         o.said().loss = Loss::named("softmax-margin");
       }},
      {"dca, perceptron loss: 0 is its optimum",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kDca;
         o.said().loss = Loss::named("perceptron");
       }},
      {"mira, perceptron loss",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kMira;
         o.said().loss = Loss::named("perceptron");
       }},
      {"extragradient, crf",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kExtragradient;
         o.said().loss = Loss::named("crf");
       }},
      {"smo, perceptron loss",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kStructuredSmo;
         o.said().loss = Loss::named("perceptron");
       }},
      {"bcfw, radius",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kBcfw;
         o.said().radius = 1;
       }},
      {"1-norm ball without a radius",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kExtragradient;
         o.said().l1_ball = true;
       }},
      {"dca, L1",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kDca;
         o.said().l1 = 1;
       }},
      {"dca, voters",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kDca;
         o.said().voters = 3;
       }},
      {"sgd, stored dual",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kSgd;
         o.said().dual = "stored";
       }},
      {"dca, partial labels",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kDca;
         o.data.partial = true;
       }},
      {"sgd, svm, partial labels",
       [](testing::TrainFiles& o) {
         o.said().learner = LearnerKind::kSgd;
         o.said().loss = Loss::named("svm");
         o.data.partial = true;
       }},
      {"certificate of partial labels",
       [](testing::TrainFiles& o) {
         o.said().certify = true;
         o.data.partial = true;
       }},
      {"gap of partial labels",
       [](testing::TrainFiles& o) {
         o.said().gap = 0.01;
         o.data.partial = true;
       }},
      {"beta 0",
       [](testing::TrainFiles& o) {
         o.said().loss = Loss{0, 0};
       }},
      {"negative gamma",
       [](testing::TrainFiles& o) {
         o.said().loss = Loss{1, -1};
       }},
      {"C 0", [](testing::TrainFiles& o) { o.said().c = 0; }},
      {"C is no number", [](testing::TrainFiles& o) { o.said().c = std::nan(""); }},
      {"negative L1", [](testing::TrainFiles& o) { o.said().l1 = -1; }},
      {"order 0", [](testing::TrainFiles& o) { o.options.order = 0; }},
      {"order 5", [](testing::TrainFiles& o) { o.options.order = 5; }},
      {"31 bits", [](testing::TrainFiles& o) { o.data.hash_bits = 31; }},
      {"-1 bits", [](testing::TrainFiles& o) { o.data.hash_bits = -1; }},
  };
  for (const Cell& cell : cells) {
    testing::TrainFiles run = options(cell);
    run.files = {directory_.file("there is no such file")};
    EXPECT_THROW(testing::train_files(run, features_), UsageError) << cell.name;
  }
}

TEST_F(TrainTest, SameModelForAnyNumberOfThreadsAndEveryTime) {
  for (const Cell& cell : allowed_cells()) {
    SCOPED_TRACE(cell.name);
    testing::TrainFiles run = options(cell);
    run.said().epochs = 3;
    run.dev = dev_;
    const std::string one = trained(run);
    for (const int threads : {1, 2, 3}) {
      run.options.training.threads = threads;
      EXPECT_EQ(trained(run), one) << threads << " threads";
    }
  }
}

TEST_F(TrainTest, InterruptedAndResumedItIsTheSameModel) {
  for (const Cell& cell : allowed_cells()) {
    for (const bool with_dev : {false, true}) {
      SCOPED_TRACE(cell.name + (with_dev ? ", watched" : ""));
      testing::TrainFiles run = options(cell);
      run.said().epochs = 5;
      if (with_dev) run.dev = dev_;
      const std::string whole = trained(run);
      std::filesystem::remove(run.model);
      run.options.training.checkpoint = directory_.file("checkpoint");
      Index interruptions = 0;
      for (const Index last : {Index{1}, Index{3}}) {
        std::stop_source source;
        TrainEvents events;
        events.on_epoch = [&](const EpochRecord& record) {
          if (record.epoch >= last) source.request_stop();
        };
        events.stop = source.get_token();
        const testing::FilesResult result = testing::train_files(run, features_, events);
        if (!result.interrupted) break;
        ++interruptions;
        EXPECT_FALSE(std::filesystem::exists(run.model));
        run.options.training.resume = true;
      }
      EXPECT_GT(interruptions, 0U);
      if (!std::filesystem::exists(run.model)) trained(run);
      EXPECT_EQ(testing::content_of(run.model), whole);
    }
  }
}

TEST_F(TrainTest, TheCheckpointOfAnotherRunIsRefused) {
  testing::TrainFiles run = options();
  run.options.training.checkpoint = directory_.file("checkpoint");
  std::stop_source source;
  source.request_stop();
  TrainEvents events;
  events.stop = source.get_token();
  ASSERT_TRUE(testing::train_files(run, features_, events).interrupted);
  run.options.training.resume = true;
  run.said().c = 2;
  EXPECT_THROW(testing::train_files(run, features_), InputError);
  run.said().c.reset();
  run.options.training.options_given = "\n--allow-illegal true";  // as the command says it
  EXPECT_THROW(testing::train_files(run, features_), InputError);
}

TEST_F(TrainTest, EarlyStoppingKeepsTheBestEpoch) {
  for (const char* name : {"lbfgs", "dca", "sgd", "perceptron", "mira"}) {
    SCOPED_TRACE(name);
    testing::TrainFiles run = options();
    run.said().learner = parse_learner(name);
    run.said().epochs = 30;
    run.said().patience = 3;
    run.dev = dev_;
    const testing::FilesResult result = testing::train_files(run, features_);
    ASSERT_TRUE(result.dev.has_value());
    // Of online learners the best epoch, of L-BFGS the end of the best five in a row.
    const Index window = run.said().learner == LearnerKind::kLbfgs ? 5 : 1;
    const std::vector<EpochRecord>& history = result.summary.history;
    double best = -1;
    Index best_epoch = 0;
    for (Index end = 1; end <= history.size(); ++end) {
      const Index begin = end > window ? end - window : 0;
      double sum = 0;
      for (Index k = begin; k < end; ++k) sum += history[k].dev;
      const double mean = sum / static_cast<double>(end - begin);
      if (mean > best) {
        best = mean;
        best_epoch = end;
      }
    }
    EXPECT_EQ(result.best_epoch, best_epoch);
    EXPECT_EQ(result.dev->figure(), history[best_epoch - 1].dev);
    EXPECT_LE(result.summary.epochs, best_epoch + 3);
    EXPECT_EQ(evaluate(run.model, dev_).figure(), result.dev->figure());
  }
}

TEST_F(TrainTest, LbfgsGoesToItsToleranceWhateverTheDevSetSays) {
  testing::TrainFiles run = options();
  run.said().epochs = 1000;
  const testing::FilesResult alone = testing::train_files(run, features_);
  run.dev = dev_;
  const testing::FilesResult watched = testing::train_files(run, features_);
  EXPECT_EQ(watched.summary.termination, Termination::kConverged);
  EXPECT_EQ(watched.summary.epochs, alone.summary.epochs);
  EXPECT_EQ(watched.summary.objective, alone.summary.objective);
}

// For each smooth loss: the optimum by L-BFGS lies between what the others certify.
TEST_F(TrainTest, CertificatesEncloseTheOptimum) {
  for (const int order : {1, 2}) {
    for (const Loss& loss : {Loss::named("crf"), Loss::named("softmax-margin")}) {
      SCOPED_TRACE(loss.description());
      testing::TrainFiles run = options();
      run.options.order = order;
      run.said().loss = loss;
      run.said().epochs = 500;
      run.said().epsilon = 1e-9;
      run.said().delta = 0;
      const testing::FilesResult exact = testing::train_files(run, features_);
      const double optimum = exact.summary.objective;
      const auto encloses = [&](const testing::FilesResult& result) {
        EXPECT_LE(result.summary.bound, optimum + 1e-9);
        EXPECT_GE(result.summary.objective, optimum - 1e-9);
        EXPECT_NEAR(result.summary.gap() * result.summary.objective,
                    result.summary.objective - result.summary.bound, 1e-12);
      };
      run.said().certify = true;
      run.said().epsilon.reset();
      run.said().delta.reset();
      run.said().learner = LearnerKind::kDca;
      run.said().epochs = 300;
      run.said().gap = 1e-5;
      run.said().dual = "stored";
      const testing::FilesResult dca = testing::train_files(run, features_);
      encloses(dca);
      EXPECT_LE(dca.summary.gap(), 1e-5);
      run.said().dual = "online";
      run.said().epochs = 10;
      encloses(testing::train_files(run, features_));
      run.said().dual.reset();
      run.said().learner = LearnerKind::kSgd;
      run.said().epochs = 60;
      run.said().eta = 0.3;
      const testing::FilesResult sgd = testing::train_files(run, features_);
      encloses(sgd);
      EXPECT_LE(sgd.summary.objective, optimum * 1.02);
    }
  }
}

TEST_F(TrainTest, TheHingeIsMinimisedToTheCertifiedGap) {
  testing::TrainFiles run = options();
  run.said().loss = Loss::named("svm");
  run.said().learner = LearnerKind::kDca;
  run.said().dual = "stored";
  run.said().epochs = 1000;
  run.said().gap = 0.01;
  const testing::FilesResult dca = testing::train_files(run, features_);
  EXPECT_LE(dca.summary.gap(), 0.01);
  run.said().dual.reset();
  for (const LearnerKind learner : {LearnerKind::kSgd, LearnerKind::kMira, LearnerKind::kDca}) {
    run.said().learner = learner;
    run.said().epochs = 10;
    run.said().eta.reset();
    if (learner == LearnerKind::kSgd) run.said().eta = 0.1;
    const testing::FilesResult other = testing::train_files(run, features_);
    EXPECT_GE(other.summary.objective, dca.summary.bound - 1e-9);
    EXPECT_LE(other.summary.bound, dca.summary.objective + 1e-9);
  }
}

TEST_F(TrainTest, PartialTrainingOnWholeLabelsIsOrdinaryTraining) {
  testing::TrainFiles run = options();
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
  data.file_scheme = TagScheme::kIob2;
  const TrainingSet truth = read_training_set(open_files({train_}), features_, {});
  const TrainingSet set = read_training_set(open_files({hidden}), features_, data, truth.labels);
  ASSERT_TRUE(set.examples->partially_labelled());
  const Index n = set.labels.size();
  for (Index i = 0; i < set.examples->num_examples(); ++i) {
    const std::vector<Label>& labels = truth.examples->labels(i);
    for (Index t = 0; t < labels.size(); ++t)
      EXPECT_NE(set.examples->truth(i)[t * n + static_cast<Index>(labels[t])], 0);
  }
  for (const LearnerKind learner : {LearnerKind::kLbfgs, LearnerKind::kSgd}) {
    testing::TrainFiles run = options();
    run.files = {hidden};
    run.said().learner = learner;
    run.data = data;
    run.said().epochs = 20;
    const testing::FilesResult result = testing::train_files(run, features_);
    EXPECT_EQ(result.labels, n);
    EXPECT_GT(evaluate(run.model, dev_).confusion().accuracy(), majority(dev_) + 5);
  }
}

TEST_F(TrainTest, LabelsThatLeaveNoLegalSequenceAreRefused) {
  for (int order = 1; order <= 3; ++order) {
    testing::TrainFiles run = options();
    run.options.order = order;
    run.data.partial = true;
    run.files = {directory_.make("impossible.txt",
                                 "to O\nLima B-CITY\nBay I-CITY\n\n"
                                 "in O|B-CITY\nNice ?\nto O\nYork I-CITY\n\n")};
    EXPECT_THROW(testing::train_files(run, features_), InputError);
  }
}

TEST_F(TrainTest, IllegalSequencesAreRefusedByTheirLineOrRepaired) {
  testing::TrainFiles run = options();
  run.files = {directory_.make("illegal.txt",
                               "Lima B-CITY\nBay I-CITY\n\nto O\nYork I-CITY\n\n"
                               "San B-CITY\nJose I-CITY\n\nOslo B-CITY\n")};
  try {
    testing::train_files(run, features_);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 5U) << error.what();
  }
  run.data.repair = true;
  EXPECT_EQ(testing::train_files(run, features_).repaired_labels, 1U);
}

// "Nice" is a city in 9 of 20 sentences: by itself less often than not, but a city that is missed
// may cost more.
TEST_F(TrainTest, LabelWeightsMoveTheDecision) {
  std::string sentences;
  for (Index i = 0; i < 20; ++i) {
    sentences +=
        std::string("Nice ") + (i < 9 ? "B-CITY" : "O") + "\n\nLima B-CITY\n\nplease O\n\n";
  }
  testing::TrainFiles run = options();
  run.files = {directory_.make("nice.txt", sentences)};
  run.said().learner = LearnerKind::kLbfgs;
  run.said().epochs = 100;
  run.said().c = 10;
  run.said().loss = Loss::named("softmax-margin");
  run.options.label_weights = {{"B-NOWHERE", 2.0}};
  EXPECT_THROW(testing::train_files(run, features_), UsageError);
  run.options.label_weights = {{"B-CITY", -1.0}};
  EXPECT_THROW(testing::train_files(run, features_), UsageError);
  const auto cities = [&](double weight) {
    run.options.label_weights = {{"B-CITY", weight}};
    trained(run);
    return found(run.model, run.files[0], "B-CITY");
  };
  EXPECT_EQ(cities(1), 20U);
  EXPECT_EQ(cities(5), 40U);
  run.options.label_weights.clear();
  trained(run);
  EXPECT_EQ(found(run.model, run.files[0], "B-CITY"), 20U);
}

TEST_F(TrainTest, L1LeavesFewerWeights) {
  testing::TrainFiles run = options();
  run.said().epochs = 100;
  const Index all = trained(run).size();
  run.said().l1 = 1;
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
  testing::TrainFiles run = options();
  run.data.format = InputFormat::kItems;
  run.files = {directory_.make("train.items", items)};
  for (const int hash_bits : {0, 8}) {
    run.data.hash_bits = hash_bits;
    testing::train_files(run, features_);
    EXPECT_EQ(TagModel::read(run.model).format().format, InputFormat::kItems);
    EXPECT_GT(evaluate(run.model, run.files[0]).confusion().accuracy(), 80);
  }
}

}  // namespace
}  // namespace trellis::tag
