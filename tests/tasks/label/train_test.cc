#include "trellis/tasks/label/train.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/formats/sets/label_reader.h"
#include "trellis/frame/training/walk.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/reverse_label_model.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/model/model_rows.h"

namespace trellis::label {
namespace {

// Instances with five features in [−1, 1]. Label 1 is there where the first is > 0.2, label 2 where
// the second is > 0.5, label 3 nearly always with label 2, and label 4 at random.
std::string sample(Index n, std::uint64_t seed) {
  std::string text;
  for (Index i = 0; i < n; ++i) {
    Random random(seed, i);
    double x[5];
    for (double& value : x) value = 2 * random.uniform() - 1;
    std::string labels;
    const auto add = [&](const char* label) {
      labels += (labels.empty() ? "" : ",") + std::string(label);
    };
    if (x[0] + 0.1 * random.normal() > 0.2) add("1");
    const bool second = x[1] + 0.1 * random.normal() > 0.5;
    if (second) add("2");
    if (second ? random.below(8) != 0 : random.below(20) == 0) add("3");
    if (random.below(6) == 0) add("4");
    text += labels;
    for (Index k = 0; k < 5; ++k) text += " " + std::to_string(k + 1) + ":" + std::to_string(x[k]);
    text += "\n";
  }
  return text;
}

class LabelTraining : public ::testing::Test {
 protected:
  LabelTraining() : files_{directory_.file("train.svm"), "", directory_.file("test.svm")} {
    write("train.svm", sample(120, 1));
    write("test.svm", sample(200, 2));
  }

  void write(const std::string& name, const std::string& text) const {
    directory_.make(name, text);
  }
  std::string path(const std::string& name) const { return directory_.file(name); }

  TrainOptions options(const std::string& measure) const {
    TrainOptions options;
    options.measure = parse_measure(measure);
    options.training.candidates = {{"c", {0.01, 1}}};
    options.training.folds = 3;
    options.training.threads = 1;
    return options;
  }
  static TrainOptions at(double c, TrainOptions options) {
    options.training.candidates.clear();
    options.training.learner.c = c;
    return options;
  }

  Trained run(const TrainOptions& options, const TrainEvents& events = {}) const {
    return train_files(files_, options, events);
  }
  // What a run with these options comes to that is stopped after some epochs, labels or folds,
  // again and again, and resumed each time.
  std::string bytes_by_pieces(TrainOptions options) {
    options.training.checkpoint = path("checkpoint");
    for (int piece = 0; piece < 200; ++piece) {
      std::stop_source source;
      TrainEvents events;
      events.stop = source.get_token();
      int steps = 0;
      const auto stop = [&] {
        if (++steps == 3 + piece) source.request_stop();  // what is known is told again
      };
      events.on_epoch = [&](const EpochRecord&) { stop(); };
      events.on_progress = [&](const std::string&) { stop(); };
      options.training.resume = piece > 0;
      Trained trained = run(options, events);
      EXPECT_TRUE(std::filesystem::exists(path("checkpoint"))) << "until the model is written";
      EXPECT_EQ(trained.result.learned.interrupted, !trained.model);
      if (trained.model) {
        EXPECT_GT(piece, 0);
        trained.result.learned.stages->discard();
        EXPECT_FALSE(std::filesystem::exists(path("checkpoint")));
        return trained.model->to_bytes();
      }
    }
    return "";
  }

  trellis::testing::TemporaryDirectory directory_;
  TrainFiles files_;
};

TEST_F(LabelTraining, LearnsForEveryMeasureAndMethodWithACertificate) {
  for (const char* measure : {"macro-f1", "macro-fbeta:2", "hamming", "example-f1"}) {
    for (const Method method : {Method::kBundle, Method::kLogistic, Method::kSvm, Method::kChain}) {
      TrainOptions one = options(measure);
      one.method = method;
      if (method != Method::kBundle) one.training.candidates = {{"c", {1, 10}}};
      const TrainResult result = run(one).result;
      SCOPED_TRACE(std::string(measure) + " " + std::string(to_string(method)));
      EXPECT_FALSE(result.learned.interrupted);
      if (result.learned.best_epoch == 0) {
        EXPECT_LE(result.summary().gap(), 1e-3 * (1 + 1e-9));
      }
      EXPECT_GE(result.summary().gap(), -1e-9);
      ASSERT_TRUE(result.dev.has_value());
      const double by_chance = std::string(measure) == "hamming" ? 0.8 : 0.55;
      EXPECT_GT(figure(*result.dev, one.measure), by_chance);
      EXPECT_EQ(result.cv.size(), 2U);
    }
  }
}

// Every learner that the part model of a method allows, and what it refuses.
TEST_F(LabelTraining, TakesEveryLearnerThatThePartModelAllows) {
  files_.dev.clear();
  struct Case {
    const char* measure;
    Method method;
    bool joint, pairwise;
    LearnerSet learners;
  };
  using enum LearnerKind;
  const LearnerSet cuts = {kBmrm, kBcfw, kDca, kSgd, kPerceptron};
  const Case cases[] = {
      {"macro-f1", Method::kBundle, false, false, cuts},
      {"macro-f1", Method::kBundle, true, false, cuts},
      {"example-f1", Method::kBundle, false, false, cuts},
      {"example-f1", Method::kBundle, false, true, cuts},
      {"macro-f1", Method::kLogistic, false, false, {kLbfgs, kDca, kSgd, kBcfw, kBmrm}},
      {"macro-f1",
       Method::kSvm,
       false,
       false,
       {kBmrm, kBcfw, kDca, kSgd, kPerceptron, kMira, kExtragradient, kProjectedGradient, kQp}},
  };
  for (const Case& one : cases) {
    for (const LearnerKind learner : LearnerSet::all().list()) {
      SCOPED_TRACE(std::string(one.measure) + " " + std::string(to_string(one.method)) + " " +
                   std::string(to_string(learner)) + (one.joint ? " joint" : "") +
                   (one.pairwise ? " pairwise" : ""));
      TrainOptions said = options(one.measure);
      said.training.candidates.clear();
      said.method = one.method;
      said.joint = one.joint;
      said.pairwise = one.pairwise;
      said.thresholds = Thresholds::kTraining;
      said.training.learner.learner = learner;
      if (learner != kPerceptron) said.training.learner.c = 0.1;
      if (learner != kQp) said.training.learner.epochs = 30;
      if (!one.learners.has(learner)) {
        EXPECT_THROW(choose_learner(said), UsageError);
        continue;
      }
      const TrainResult result = run(said).result;
      EXPECT_GT(figure(result.training, said.measure), 0.3);
      EXPECT_EQ(result.learned.choice.learner, learner);
    }
  }
}

TEST_F(LabelTraining, TheCertificateOfCouplingsDoesNotTrustTheLearner) {
  files_.dev.clear();
  TrainOptions one = at(0.1, options("example-f1"));
  one.pairwise = true;
  one.thresholds = Thresholds::kNone;
  const TrainResult bmrm = run(one).result;
  for (const LearnerKind learner : {LearnerKind::kBcfw, LearnerKind::kDca}) {
    one.training.learner.learner = learner;
    one.pairs.exact = false;  // which may miss the most violated set
    const TrainResult result = run(one).result;
    EXPECT_GE(result.summary().objective, bmrm.summary().bound - 1e-9);
    EXPECT_GE(result.summary().missed, 0);
    EXPECT_NEAR(result.summary().gap() * result.summary().objective,
                result.summary().objective - result.summary().bound, 1e-12);
  }
}

TEST_F(LabelTraining, ThresholdsOfHardLabelsBeatNoThresholds) {
  const TrainResult result = run(options("macro-f1")).result;
  EXPECT_GT(result.dev->macro.f1, result.dev_at_zero->macro.f1 + 0.03);
}

TEST_F(LabelTraining, JointAndSeparateTrainingReachOneOptimum) {
  files_.dev.clear();
  TrainOptions one = at(0.05, options("macro-f1"));
  one.training.learner.gap = 1e-4;
  one.thresholds = Thresholds::kNone;
  const TrainResult separate = run(one).result;
  one.joint = true;
  const TrainResult joint = run(one).result;
  EXPECT_NEAR(separate.summary().objective, joint.summary().objective, 2e-4);
  EXPECT_LE(separate.summary().bound, joint.summary().objective + 1e-9);
  EXPECT_LE(joint.summary().bound, separate.summary().objective + 1e-9);
  EXPECT_DOUBLE_EQ(separate.lambda, 1 / (0.05 * 4));
}

TEST_F(LabelTraining, TheCertificateIsOfTheJointObjective) {
  TrainOptions one = options("macro-f1");
  one.training.candidates.clear();
  one.training.learner.lambda = 0.5;
  one.thresholds = Thresholds::kNone;
  const Trained trained = run(one);
  const LabelModel& model = *trained.model;
  const LabelData data = read_label_data(files_.data, {});
  const FeatureRows rows = scaled(data.features, model.scaling);
  const LabelSets instances = reversed(data.labels, data.num_labels());
  double objective = 0;
  for (const double weight : model.weights) objective += 0.25 * weight * weight;
  const Index num_labels = data.num_labels();
  for (Index v = 0; v < num_labels; ++v) {
    const ReverseLabelModel label(rows, {instances[v]}, one.measure.set);
    const HingeProblem<ReverseLabelModel> problem(label);
    std::vector<double> theta(rows.width());
    std::vector<double> slope(rows.width(), 0.0);
    for (Index k = 0; k < theta.size(); ++k) theta[k] = model.weights[k * num_labels + v];
    const auto scratch = problem.make_scratch();
    objective += problem.accumulate(0, theta, *scratch, slope) / static_cast<double>(num_labels);
  }
  EXPECT_NEAR(trained.result.summary().objective, objective, 1e-9);
}

// All find the most violated set, so each proves what the others reach.
TEST_F(LabelTraining, ConstraintGeneratorsGiveTheSameOptimum) {
  files_.dev.clear();
  double lowest = std::numeric_limits<double>::infinity(), highest_bound = 0;
  for (const ArgmaxAlgorithm argmax :
       {ArgmaxAlgorithm::kMerged, ArgmaxAlgorithm::kBounded, ArgmaxAlgorithm::kNaive}) {
    TrainOptions one = at(0.05, options("macro-f1"));
    one.training.learner.gap = 1e-6;
    one.thresholds = Thresholds::kNone;
    one.argmax = argmax;
    const LearnSummary summary = run(one).result.summary();
    EXPECT_LE(summary.gap(), 1e-6);
    lowest = std::min(lowest, summary.objective);
    highest_bound = std::max(highest_bound, summary.bound);
  }
  EXPECT_LE(highest_bound, lowest * (1 + 1e-12));
  EXPECT_GE(highest_bound, lowest * (1 - 1e-6));
}

TEST_F(LabelTraining, SameBitsForAnyNumberOfThreads) {
  for (const Method method : {Method::kAuto, Method::kBundle, Method::kChain}) {
    for (const char* measure : {"macro-f1", "example-f1"}) {
      TrainOptions one = options(measure);
      one.method = method;
      if (method == Method::kAuto) one.training.candidates.clear();
      const std::string alone = run(one).model->to_bytes();
      one.training.threads = 3;
      EXPECT_EQ(alone, run(one).model->to_bytes()) << measure;
    }
  }
}

TEST_F(LabelTraining, CouplingsAreNonNegativeAndCertified) {
  TrainOptions one = options("example-f1");
  one.pairwise = true;
  one.training.candidates = {{"c", {0.1}}};
  one.coupling_scales = {1, 4};
  const Trained trained = run(one);
  const TrainResult& result = trained.result;
  ASSERT_TRUE(result.pairwise.has_value());
  EXPECT_GT(result.pairwise->pairs, 0U);
  EXPECT_GT(result.pairwise->proven_share, 0.95);
  EXPECT_LE(result.summary().gap(), 1e-3);
  EXPECT_EQ(result.cv.size(), 2U);
  EXPECT_EQ(trained.model->form, ModelForm::kPairwise);
  for (const double coupling : trained.model->couplings) EXPECT_GE(coupling, 0);
}

TEST_F(LabelTraining, ChoosesACForEachLabelWhereAsked) {
  for (const Index folds : {3, 0}) {  // 0: by the dev set
    TrainOptions one = options("macro-f1");
    one.training.folds = folds;
    one.per_label = true;
    const TrainResult result = run(one).result;
    EXPECT_EQ(result.label_c.size(), 4U);
    EXPECT_TRUE(result.per_label_figure.has_value());
    EXPECT_EQ(result.lambda, 0);
  }
}

TEST_F(LabelTraining, TheDevSetTakesThePlaceOfTheFolds) {
  TrainOptions one = options("macro-f1");
  one.training.folds = 0;
  one.training.candidates = {{"c", {0.001, 0.03, 1}}, {"epochs", {20, 200}}};
  const TrainResult result = run(one).result;
  EXPECT_EQ(result.folds, 0U);
  EXPECT_EQ(result.learned.chosen_by, "macro-f1 on the dev set");
  ASSERT_EQ(result.learned.tried.size(), 6U);
  bool found = false;
  for (const Tried& tried : result.learned.tried) {
    EXPECT_GT(tried.norm, 0);
    found = found || tried.figure == result.dev->macro.f1;
  }
  EXPECT_TRUE(found) << "the figure that was chosen by is the one that is reported";
}

TEST_F(LabelTraining, OneRunIsWatchedOnTheDevSet) {
  TrainOptions one = at(1, options("example-f1"));
  one.training.folds = 0;
  one.training.learner.patience = 3;
  std::vector<double> seen;
  TrainEvents events;
  events.on_epoch = [&](const EpochRecord& record) { seen.push_back(record.dev); };
  const TrainResult result = run(one, events).result;
  // By bmrm, whose iterations are compared by the mean of five in a row.
  const auto mean = [&](Index end) {
    const Index begin = end > 5 ? end - 5 : 0;
    double sum = 0;
    for (Index k = begin; k < end; ++k) sum += seen[k];
    return sum / static_cast<double>(end - begin);
  };
  ASSERT_GE(result.learned.best_epoch, 1U);
  for (Index end = 1; end <= seen.size(); ++end) {
    EXPECT_LE(mean(end), mean(result.learned.best_epoch));
  }
  EXPECT_LE(seen.size(), result.learned.best_epoch + 3);
}

TEST_F(LabelTraining, WithoutAWordOnCFiveFoldsChooseIt) {
  files_.dev.clear();
  TrainOptions one = options("macro-f1");
  one.method = Method::kBundle;
  one.training.candidates.clear();
  one.training.folds = 0;
  const TrainResult result = run(one).result;
  EXPECT_EQ(result.folds, 5U);
  EXPECT_GE(result.cv.size(), 3U);
}

// What was tried is what a walk over these figures comes to.
TEST_F(LabelTraining, TheWalkOverCEndsBehindItsPeakAndGoesOnBeyondTheGrid) {
  files_.dev.clear();
  for (const Method method : {Method::kBundle, Method::kLogistic}) {
    TrainOptions one = options("macro-f1");
    one.method = method;
    one.training.candidates = {{"c", {}}};
    const TrainResult result = run(one).result;
    std::map<double, double> figures;
    for (const CvFigure& row : result.cv) figures[*row.setting.values.c] = row.figure;
    const LearnerChoice choice = choose_learner(one);
    const auto candidates = resolve(one.training.candidates, choice, defaults(one));
    Walk walk(paths_of(choice, candidates).front(), "c");
    Index steps = 0;
    for (; const auto k = walk.next(); ++steps) {
      const auto found = figures.find(*walk.settings()[*k].values.c);
      ASSERT_NE(found, figures.end());
      walk.judge(found->second);
    }
    EXPECT_EQ(steps, result.cv.size());
    EXPECT_EQ(result.learned.searched.front().values, walk.values());
  }
}

TEST_F(LabelTraining, AutoTakesTheBestOfTheMethods) {
  for (const Index folds : {3, 0}) {  // 0: by the dev set
    TrainOptions one = options("macro-f1");
    one.training.candidates.clear();
    one.training.folds = folds;
    const Trained trained = run(one);
    const TrainResult& result = trained.result;
    std::set<Method> methods;
    double best = 0;
    for (const CvFigure& row : result.cv) {
      methods.insert(row.method);
      best = std::max(best, row.figure);
    }
    EXPECT_EQ(methods.size(), 4U);
    double taken = 0;  // the neighbours of a setting count, too
    for (const Tried& tried : result.learned.tried) taken = std::max(taken, tried.figure);
    EXPECT_GE(taken, best - 0.02);
    TrainOptions alone = at(*result.learned.choice.values.c, one);
    alone.method = result.method;
    EXPECT_EQ(run(alone).model->weights, trained.model->weights);
  }
}

TEST_F(LabelTraining, AutoIsTheBundleWhereMoreIsSaid) {
  TrainOptions one = options("macro-f1");
  EXPECT_EQ(methods_of(one), std::vector{Method::kBundle});  // values of C
  one.training.candidates = {{"c", {}}};
  EXPECT_EQ(methods_of(one).size(), 4U);
  one.joint = true;
  EXPECT_EQ(methods_of(one), std::vector{Method::kBundle});
  one.joint = false;
  one.training.learner.gap = 0.1;
  EXPECT_EQ(methods_of(one), std::vector{Method::kBundle});
  one.method = Method::kChain;
  EXPECT_EQ(methods_of(one), std::vector{Method::kChain});
}

TEST_F(LabelTraining, AnInterruptedChoiceLeavesTheBestSoFar) {
  for (const Index folds : {3, 0}) {
    TrainOptions one = options("macro-f1");
    one.method = Method::kLogistic;
    one.training.candidates = {{"c", {0.1, 1, 10}}};
    one.training.folds = folds;
    one.training.checkpoint = path("checkpoint");
    std::stop_source source;
    TrainEvents events;
    events.stop = source.get_token();
    double told = 0;  // figures, until the second
    events.on_phase = [&](const std::string& message) {
      if (message.starts_with("c = ") && ++told == 2) source.request_stop();
    };
    const Trained trained = run(one, events);
    ASSERT_FALSE(trained.model.has_value());
    ASSERT_TRUE(trained.best_so_far.has_value());
    EXPECT_EQ(trained.best_so_far->training.at("interrupted"), true);
    const std::string bytes = trained.best_so_far->to_bytes();
    const LabelModel read = LabelModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
    EXPECT_EQ(read.weights, trained.best_so_far->weights);
    EXPECT_TRUE(std::filesystem::exists(path("checkpoint")));
    // Once more, at once: what is known still leaves it.
    one.training.resume = true;
    EXPECT_TRUE(run(one, events).best_so_far.has_value());
    EXPECT_EQ(run(one).model->to_bytes(), [&] {
      one.training.resume = false;
      return run(one).model->to_bytes();
    }());
  }
}

TEST_F(LabelTraining, MakesNoModelWhenItIsInterrupted) {
  for (const bool joint : {false, true}) {
    TrainOptions one = options("macro-f1");
    one.joint = joint;
    std::stop_source source;
    source.request_stop();
    TrainEvents events;
    events.stop = source.get_token();
    const Trained trained = run(one, events);
    EXPECT_TRUE(trained.result.learned.interrupted);
    EXPECT_FALSE(trained.model.has_value());
  }
}

TEST_F(LabelTraining, GoesOnFromACheckpointToTheModelOfAnUninterruptedRun) {
  for (const char* measure : {"macro-f1", "example-f1"}) {
    for (const Method method : {Method::kBundle, Method::kSvm, Method::kChain}) {
      for (const Index folds : {3, 0}) {
        SCOPED_TRACE(std::string(measure) + " " + std::string(to_string(method)));
        TrainOptions one = options(measure);
        one.method = method;
        one.training.folds = folds;
        EXPECT_EQ(bytes_by_pieces(one), run(one).model->to_bytes());
      }
    }
  }
}

TEST_F(LabelTraining, GoesOnFromACheckpointOfARaceOfMethods) {
  for (const Index folds : {3, 0}) {
    TrainOptions one = options("macro-f1");
    one.training.candidates.clear();
    one.training.folds = folds;
    EXPECT_EQ(bytes_by_pieces(one), run(one).model->to_bytes());
  }
}

TEST_F(LabelTraining, RefusesTheCheckpointOfOtherDataOfTheSameShape) {
  TrainOptions one = at(0.1, options("example-f1"));
  one.training.checkpoint = path("checkpoint");
  std::stop_source source;
  TrainEvents events;
  events.stop = source.get_token();
  events.on_epoch = [&](const EpochRecord&) { source.request_stop(); };
  one.thresholds = Thresholds::kNone;
  ASSERT_TRUE(run(one, events).result.learned.interrupted);
  one.training.resume = true;
  write("train.svm", sample(120, 3));
  EXPECT_THROW(run(one), InputError);
  write("train.svm", sample(120, 1));
  TrainOptions other = one;
  other.bias = 2;
  EXPECT_THROW(run(other), InputError);
  EXPECT_TRUE(run(one).model.has_value());
}

TEST_F(LabelTraining, NamesLabelsThatAreDeclaredAndAbsent) {
  write("labels.xml", "<labels><label name=\"a\"/><label name=\"b\"/></labels>");
  write("train.arff",
        "@relation r\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"
        "0.5,1,0\n-0.5,0,0\n0.7,1,0\n-0.1,0,0\n0.3,1,0\n-0.4,0,0\n");
  files_.data = files_.dev = path("train.arff");
  files_.labels = path("labels.xml");
  const TrainResult result = run(options("macro-f1")).result;
  EXPECT_EQ(result.absent_labels, (std::vector<std::string>{"b"}));
  EXPECT_EQ(result.dev->macro.f1, 1) << "a label that nobody has is given to nobody";
}

TEST_F(LabelTraining, RefusesDataWithoutAnyLabel) {
  write("empty.svm", " 1:1\n 1:2\n");
  files_.data = path("empty.svm");
  EXPECT_THROW(run(options("macro-f1")), InputError);
}

TEST_F(LabelTraining, RefusesWhatDoesNotGoTogether) {
  const auto refused = [&](const std::string& measure, const auto& change) {
    TrainOptions one = options(measure);
    change(one, one.training.learner);
    EXPECT_THROW(run(one), UsageError);
  };
  using Learner = LearnerOptions;
  refused("macro-f1", [](TrainOptions& one, Learner&) { one.pairwise = true; });
  refused("example-f1", [](TrainOptions& one, Learner&) {
    one.pairwise = true;
    one.method = Method::kLogistic;
  });
  refused("example-f1", [](TrainOptions& one, Learner& said) {
    one.pairwise = true;
    said.learner = LearnerKind::kDca;
    said.dual = "online";
  });
  refused("example-f1", [](TrainOptions& one, Learner&) { one.joint = true; });
  refused("example-f1", [](TrainOptions& one, Learner&) { one.per_label = true; });
  refused("macro-f1", [](TrainOptions& one, Learner& said) {
    one.per_label = true;
    said.learner = LearnerKind::kPerceptron;
  });
  refused("macro-f1", [](TrainOptions& one, Learner& said) {
    one.training.candidates.clear();
    said.learner = LearnerKind::kPerceptron;
    said.voters = 10;
  });
  refused("macro-f1", [](TrainOptions& one, Learner& said) {
    one.method = Method::kLogistic;
    said.loss = Loss::named("svm");
  });
  refused("macro-f1", [](TrainOptions& one, Learner& said) {
    one.method = Method::kSvm;
    said.loss = Loss::named("crf");
  });
  refused("macro-f1", [](TrainOptions&, Learner& said) { said.cache = 3; });
  refused("macro-f1", [](TrainOptions& one, Learner&) { one.training.folds = 1; });
  refused("macro-f1", [](TrainOptions& one, Learner&) { one.bias = -1; });
  refused("macro-f1", [](TrainOptions& one, Learner&) { one.scaling = Scaling::kStandard; });
}

}  // namespace
}  // namespace trellis::label
