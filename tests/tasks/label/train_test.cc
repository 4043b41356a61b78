#include "trellis/tasks/label/train.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/reverse_label_model.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/reading/label_reader.h"

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
  LabelTraining() {
    write("train.svm", sample(120, 1));
    write("test.svm", sample(200, 2));
  }

  void write(const std::string& name, const std::string& text) const {
    directory_.make(name, text);
  }
  std::string path(const std::string& name) const { return directory_.file(name); }

  TrainOptions options(const std::string& measure) const {
    TrainOptions options;
    options.data = path("train.svm");
    options.dev = path("test.svm");
    options.model = path("model");
    options.measure = parse_measure(measure);
    options.grid = {0.01, 1};
    options.folds = 3;
    options.threads = 1;
    return options;
  }

  std::string bytes(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  trellis::testing::TemporaryDirectory directory_;
};

TEST_F(LabelTraining, LearnsForEveryMeasureAndMethodWithACertificate) {
  for (const char* measure : {"macro-f1", "macro-fbeta:2", "hamming", "example-f1"}) {
    for (const Method method : {Method::kBundle, Method::kLogistic, Method::kSvm, Method::kChain}) {
      TrainOptions one = options(measure);
      one.method = method;
      if (method != Method::kBundle) one.grid = {1, 10};
      const TrainResult result = train_labeller(one);
      SCOPED_TRACE(std::string(measure) + " " + std::string(to_string(method)));
      EXPECT_FALSE(result.interrupted);
      EXPECT_LE(result.summary.gap, 1e-3 * result.summary.objective * (1 + 1e-9));
      EXPECT_GE(result.summary.gap, -1e-9);
      ASSERT_TRUE(result.dev.has_value());
      const double by_chance = std::string(measure) == "hamming" ? 0.8 : 0.55;
      EXPECT_GT(figure(*result.dev, one.measure), by_chance);
      EXPECT_EQ(result.cv.size(), 2U);
    }
  }
}

TEST_F(LabelTraining, ThresholdsOfHardLabelsBeatNoThresholds) {
  const TrainResult result = train_labeller(options("macro-f1"));
  EXPECT_GT(result.dev->macro.f1, result.dev_at_zero->macro.f1 + 0.03);
}

TEST_F(LabelTraining, JointAndSeparateTrainingReachOneOptimum) {
  TrainOptions one = options("macro-f1");
  one.grid.clear();
  one.c = 0.05;
  one.gap = 1e-4;
  one.thresholds = Thresholds::kNone;
  const TrainResult separate = train_labeller(one);
  one.joint = true;
  const TrainResult joint = train_labeller(one);
  EXPECT_NEAR(separate.summary.objective, joint.summary.objective, 2e-4);
  EXPECT_LE(separate.summary.bound, joint.summary.objective + 1e-9);
  EXPECT_LE(joint.summary.bound, separate.summary.objective + 1e-9);
  EXPECT_DOUBLE_EQ(separate.lambda, 1 / (0.05 * 4));
}

TEST_F(LabelTraining, TheCertificateIsOfTheJointObjective) {
  TrainOptions one = options("macro-f1");
  one.grid.clear();
  one.lambda = 0.5;
  one.thresholds = Thresholds::kNone;
  const TrainResult result = train_labeller(one);
  const LabelModel model = LabelModel::read(one.model);
  const LabelData data = read_label_data(one.data, {});
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
  EXPECT_NEAR(result.summary.objective, objective, 1e-9);
}

TEST_F(LabelTraining, ConstraintGeneratorsGiveTheSameOptimum) {
  std::set<int> rounded;
  for (const ArgmaxAlgorithm argmax :
       {ArgmaxAlgorithm::kMerged, ArgmaxAlgorithm::kBounded, ArgmaxAlgorithm::kNaive}) {
    TrainOptions one = options("macro-f1");
    one.grid.clear();
    one.c = 0.05;
    one.thresholds = Thresholds::kNone;
    one.argmax = argmax;
    const TrainResult result = train_labeller(one);
    rounded.insert(static_cast<int>(std::lround(result.summary.objective * 200)));
  }
  EXPECT_LE(rounded.size(), 2U);
}

TEST_F(LabelTraining, SameBitsForAnyNumberOfThreads) {
  for (const Method method : {Method::kBundle, Method::kChain}) {
    for (const char* measure : {"macro-f1", "example-f1"}) {
      TrainOptions one = options(measure);
      one.method = method;
      train_labeller(one);
      const std::string alone = bytes("model");
      one.threads = 3;
      train_labeller(one);
      EXPECT_EQ(alone, bytes("model")) << measure;
    }
  }
}

TEST_F(LabelTraining, CouplingsAreNonNegativeAndCertified) {
  TrainOptions one = options("example-f1");
  one.pairwise = true;
  one.grid = {0.1};
  one.coupling_scales = {1, 4};
  const TrainResult result = train_labeller(one);
  ASSERT_TRUE(result.pairwise.has_value());
  EXPECT_GT(result.pairwise->pairs, 0U);
  EXPECT_GT(result.pairwise->proven_share, 0.95);
  EXPECT_GE(result.summary.objective, result.pairwise->found_objective);
  EXPECT_GE(result.summary.gap, 0);
  EXPECT_EQ(result.cv.size(), 2U);
  const LabelModel model = LabelModel::read(one.model);
  EXPECT_EQ(model.form, ModelForm::kPairwise);
  for (const double coupling : model.couplings) EXPECT_GE(coupling, 0);
}

TEST_F(LabelTraining, ChoosesACForEachLabelWhereAsked) {
  TrainOptions one = options("macro-f1");
  one.per_label = true;
  const TrainResult result = train_labeller(one);
  EXPECT_EQ(result.label_c.size(), 4U);
  EXPECT_TRUE(result.per_label_figure.has_value());
  EXPECT_EQ(result.lambda, 0);
}

TEST_F(LabelTraining, WritesNothingWhenItIsInterrupted) {
  for (const bool joint : {false, true}) {
    TrainOptions one = options("macro-f1");
    one.joint = joint;
    std::stop_source source;
    source.request_stop();
    TrainEvents events;
    events.stop = source.get_token();
    EXPECT_TRUE(train_labeller(one, events).interrupted);
    EXPECT_FALSE(std::filesystem::exists(one.model));
  }
}

TEST_F(LabelTraining, GoesOnFromACheckpointToTheModelOfAnUninterruptedRun) {
  TrainOptions one = options("example-f1");
  one.grid.clear();
  one.c = 0.1;
  train_labeller(one);
  const std::string whole = bytes("model");
  std::filesystem::remove(one.model);
  one.checkpoint = path("checkpoint");
  std::stop_source source;
  TrainEvents events;
  events.stop = source.get_token();
  events.on_epoch = [&](const EpochRecord& record) {
    if (record.epoch == 3) source.request_stop();
  };
  const TrainResult cut = train_labeller(one, events);
  ASSERT_TRUE(cut.interrupted && cut.resumable);
  EXPECT_FALSE(std::filesystem::exists(one.model));
  one.resume = true;
  EXPECT_FALSE(train_labeller(one).interrupted);
  EXPECT_EQ(whole, bytes("model"));
  EXPECT_FALSE(std::filesystem::exists(one.checkpoint));
}

TEST_F(LabelTraining, NamesLabelsThatAreDeclaredAndAbsent) {
  write("labels.xml", "<labels><label name=\"a\"/><label name=\"b\"/></labels>");
  write("train.arff",
        "@relation r\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"
        "0.5,1,0\n-0.5,0,0\n0.7,1,0\n-0.1,0,0\n0.3,1,0\n-0.4,0,0\n");
  TrainOptions one = options("macro-f1");
  one.data = path("train.arff");
  one.label_file = path("labels.xml");
  one.dev = one.data;
  const TrainResult result = train_labeller(one);
  EXPECT_EQ(result.absent_labels, (std::vector<std::string>{"b"}));
  EXPECT_EQ(result.dev->macro.f1, 1) << "a label that nobody has is given to nobody";
}

TEST_F(LabelTraining, RefusesDataWithoutAnyLabel) {
  write("empty.svm", " 1:1\n 1:2\n");
  TrainOptions one = options("macro-f1");
  one.data = path("empty.svm");
  EXPECT_THROW(train_labeller(one), InputError);
}

TEST_F(LabelTraining, RefusesWhatDoesNotGoTogether) {
  const auto refused = [&](const std::string& measure, const auto& change) {
    TrainOptions one = options(measure);
    change(one);
    EXPECT_THROW(train_labeller(one), UsageError);
    EXPECT_FALSE(std::filesystem::exists(one.model));
  };
  refused("macro-f1", [](TrainOptions& one) { one.pairwise = true; });
  refused("example-f1", [](TrainOptions& one) {
    one.pairwise = true;
    one.method = Method::kLogistic;
  });
  refused("example-f1", [](TrainOptions& one) { one.joint = true; });
  refused("example-f1", [](TrainOptions& one) { one.per_label = true; });
  refused("macro-f1", [](TrainOptions& one) { one.c = 1; });  // beside a grid
  refused("macro-f1", [](TrainOptions& one) { one.grid = {0}; });
  refused("macro-f1", [](TrainOptions& one) { one.gap = 0; });
  refused("macro-f1", [](TrainOptions& one) { one.folds = 1; });
  refused("macro-f1", [](TrainOptions& one) { one.resume = true; });
  refused("macro-f1", [](TrainOptions& one) { one.bias = -1; });
  refused("macro-f1", [](TrainOptions& one) { one.learner = ForwardLearner::kBcfw; });
  refused("macro-f1", [](TrainOptions& one) { one.scaling = Scaling::kStandard; });
}

}  // namespace
}  // namespace trellis::label
