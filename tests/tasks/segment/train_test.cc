// From files to a model, for every learner.
#include "trellis/tasks/segment/train.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/segment/segment_pictures.h"
#include "trellis/base/error.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/part_problem.h"
#include "trellis/tasks/image/image_file.h"
#include "trellis/tasks/segment/network_model.h"
#include "trellis/tasks/segment/segment_data.h"
#include "trellis/tasks/segment/segment_model.h"
#include "trellis/tasks/segment/segmenter.h"

namespace trellis::segment {
namespace {

using trellis::testing::content_of;
using trellis::testing::TemporaryDirectory;

constexpr Learner kAllLearners[] = {Learner::kExtragradient, Learner::kBcfw, Learner::kBmrm,
                                    Learner::kPerceptron, Learner::kSgd};

void write_discs(const std::string& folder, Index count, std::uint64_t seed) {
  for (Index n = 0; n < count; ++n) {
    Random random(seed, n);
    const testing::Disc disc = testing::disc(20, 16, random);
    const std::string stem = folder + "/disc" + std::to_string(seed) + "_" + std::to_string(n);
    image::write_png(stem + ".png", encode_png(disc.raster));
    image::write_png(stem + ".mask.png", encode_png(disc.mask));
  }
}

class SegmentTraining : public ::testing::Test {
 protected:
  SegmentTraining() {
    write_discs(train_.path(), 6, 1);
    write_discs(dev_.path(), 4, 2);
  }
  TrainOptions options(Learner learner) const {
    TrainOptions options;
    options.files = {train_.path()};
    options.learner = learner;
    options.epochs = 15;
    options.warm_up = 5;
    options.threads = 1;
    return options;
  }
  SegmentScores dev_scores(const std::string& path) const {
    const SegmentModel model = SegmentModel::load(path);
    const auto examples = read_examples({{dev_.path()}}, model.features(), 1);
    return evaluate(Segmenter(model.features(), model.weights()), examples, networks_of(examples),
                    1);
  }

  TemporaryDirectory train_;
  TemporaryDirectory dev_;
  TemporaryDirectory out_;
};

TEST_F(SegmentTraining, EveryLearnerFindsTheDiscs) {
  for (const Learner learner : kAllLearners) {
    TrainOptions call = options(learner);
    call.model = out_.file("m");
    train_segmenter(call);
    EXPECT_LT(dev_scores(call.model).overall().pixel_error(), 10) << to_string(learner);
  }
}

TEST_F(SegmentTraining, EdgeWeightsAreNeverNegative) {
  for (const Learner learner : kAllLearners) {
    TrainOptions call = options(learner);
    call.model = out_.file("m");
    train_segmenter(call);
    const SegmentModel model = SegmentModel::load(call.model);
    for (Index k = model.features().num_node_weights(); k < model.weights().size(); ++k) {
      EXPECT_GE(model.weights()[k], 0.0) << to_string(learner);
    }
  }
}

TEST_F(SegmentTraining, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const Learner learner : {Learner::kBcfw, Learner::kExtragradient}) {
    TrainOptions call = options(learner);
    call.epochs = 4;
    call.dev = {dev_.path()};
    call.model = out_.file("one");
    train_segmenter(call);
    call.threads = 3;
    call.model = out_.file("three");
    train_segmenter(call);
    EXPECT_EQ(content_of(out_.file("one")), content_of(out_.file("three"))) << to_string(learner);
  }
}

TEST_F(SegmentTraining, LearnersThatMinimiseAgreeOnTheOptimum) {
  double lowest = 1e9;
  double highest_bound = 0;
  for (const Learner learner : {Learner::kBmrm, Learner::kBcfw, Learner::kExtragradient}) {
    TrainOptions call = options(learner);
    call.epochs = 300;
    call.c = 1;
    call.gap = 0.02;
    const TrainResult result = train_segmenter(call);
    EXPECT_EQ(result.summary.termination, Termination::kConverged) << to_string(learner);
    lowest = std::min(lowest, result.summary.objective);
    highest_bound = std::max(highest_bound, result.summary.bound);
    EXPECT_LE(result.summary.gap, 0.02 * result.summary.objective);
  }
  EXPECT_LE(highest_bound, lowest * (1 + 1e-9));
}

TEST_F(SegmentTraining, KeepsTheBestEpochOnDev) {
  TrainOptions call = options(Learner::kPerceptron);
  call.dev = {dev_.path()};
  call.model = out_.file("m");
  double best = 0;
  TrainEvents events;
  events.on_epoch = [&](const EpochRecord& record) { best = std::max(best, record.dev); };
  const TrainResult result = train_segmenter(call, events);
  ASSERT_TRUE(result.dev);
  EXPECT_DOUBLE_EQ(100 - result.dev->overall().pixel_error(), best);
  EXPECT_DOUBLE_EQ(dev_scores(call.model).overall().pixel_error(), 100 - best);
}

TEST_F(SegmentTraining, ContinuesAfterAnInterruptionToTheSameBytes) {
  TrainOptions call = options(Learner::kBcfw);
  call.model = out_.file("whole");
  train_segmenter(call);
  call.model = out_.file("m");
  call.checkpoint = out_.file("m.checkpoint");
  std::stop_source stop;
  TrainEvents events;
  events.stop = stop.get_token();
  events.on_epoch = [&](const EpochRecord& record) {
    if (record.epoch == 5) stop.request_stop();
  };
  EXPECT_TRUE(train_segmenter(call, events).interrupted);
  call.resume = true;
  EXPECT_FALSE(train_segmenter(call).interrupted);
  EXPECT_EQ(content_of(out_.file("m")), content_of(out_.file("whole")));
}

TEST_F(SegmentTraining, RefusesTheStateOfAnotherRun) {
  TrainOptions call = options(Learner::kBcfw);
  call.checkpoint = out_.file("c");
  std::stop_source stop;
  stop.request_stop();
  TrainEvents events;
  events.stop = stop.get_token();
  EXPECT_TRUE(train_segmenter(call, events).interrupted);
  call.c = 7;
  call.resume = true;
  EXPECT_THROW(train_segmenter(call), InputError);
}

TEST_F(SegmentTraining, BalancedCostsFindMoreFigure) {
  TrainOptions call = options(Learner::kBmrm);
  call.unary = true;
  call.c = 0.01;  // so little that costs decide
  call.model = out_.file("plain");
  train_segmenter(call);
  call.balanced = true;
  call.model = out_.file("balanced");
  train_segmenter(call);
  const auto found = [&](const char* model) {
    const SegmentCounts counts = dev_scores(out_.file(model)).overall();
    return counts.both + counts.spurious;
  };
  EXPECT_GE(found("balanced"), found("plain"));
}

TEST_F(SegmentTraining, RefusesWhatDoesNotGoTogether) {
  TrainOptions call = options(Learner::kBcfw);
  call.radius = 3;
  EXPECT_THROW(train_segmenter(call), UsageError);
  call = options(Learner::kBcfw);
  call.c = 0;
  EXPECT_THROW(train_segmenter(call), UsageError);
  call = options(Learner::kBcfw);
  call.scale = 2;
  EXPECT_THROW(train_segmenter(call), UsageError);
  EXPECT_THROW(parse_learner("lbfgs"), UsageError);
}

TEST_F(SegmentTraining, MasksOfAnotherSizeAreNamedWithBothSizes) {
  Random random(9);
  image::write_png(train_.file("odd.png"), encode_png(testing::disc(20, 16, random).raster));
  image::write_png(train_.file("odd.mask.png"), encode_png(testing::disc(16, 20, random).mask));
  try {
    train_segmenter(options(Learner::kBcfw));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("20 x 16"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("16 x 20"), std::string::npos) << error.what();
  }
}

// A ladder whose rungs agree: two rows of nodes, figure on the left.
std::string ladder(Index length, std::uint64_t seed) {
  Random random(seed);
  std::string text = "graph ladder" + std::to_string(seed) + " " + std::to_string(2 * length) +
                     " " + std::to_string(3 * length - 2) + "\n";
  for (Index j = 0; j < 2 * length; ++j) {
    const bool figure = j / 2 < length / 2;
    text += (figure ? "1 " : "0 ") + std::to_string((figure ? 1.0 : -1.0) + random.normal()) + "\n";
  }
  for (Index t = 0; t < length; ++t) {
    const Index j = 2 * t;
    text += std::to_string(j) + " " + std::to_string(j + 1) + " 1\n";
    if (t + 1 == length) break;
    text += std::to_string(j) + " " + std::to_string(j + 2) + " 0.5\n";
    text += std::to_string(j + 1) + " " + std::to_string(j + 3) + " 0.5\n";
  }
  return text;
}

TEST_F(SegmentTraining, LearnsGraphsAndTheirEdgesHelp) {
  const std::string file =
      out_.make("g.txt", ladder(40, 1) + ladder(40, 2) + ladder(40, 3) + ladder(40, 4));
  const std::string test = out_.make("t.txt", ladder(60, 5) + ladder(60, 6));
  double errors[2] = {};
  for (const bool unary : {false, true}) {
    TrainOptions call = options(Learner::kBmrm);
    call.files = {file};
    call.graphs = true;
    call.unary = unary;
    call.model = out_.file("m");
    call.gap = 1e-3;
    call.epochs = 500;
    train_segmenter(call);
    const SegmentModel model = SegmentModel::load(call.model);
    const auto examples = read_examples({{test}, true}, model.features(), 1);
    errors[unary ? 1 : 0] =
        evaluate(Segmenter(model.features(), model.weights()), examples, networks_of(examples), 1)
            .overall()
            .pixel_error();
  }
  EXPECT_LT(errors[0], errors[1] / 2);
}

TEST_F(SegmentTraining, LossBoundsTheShareOfWrongNodes) {
  const TrainingData data =
      read_training_pictures(std::vector<std::string>{train_.path()}, {}, false, 1);
  const NetworkModel model(data.features, data.examples);
  const HingeProblem<NetworkModel> problem(model);
  const auto scratch = problem.make_scratch();
  Random random(3);
  std::vector<double> w(model.dimension());
  for (Index k = 0; k < w.size(); ++k) {
    w[k] = k < data.features.num_node_weights() ? random.normal() : random.uniform();
  }
  double loss = 0;
  std::vector<double> gradient(w.size(), 0.0);
  for (Index i = 0; i < problem.num_examples(); ++i) {
    loss += problem.accumulate(i, w, *scratch, gradient);
  }
  const SegmentScores scores =
      evaluate(Segmenter(data.features, w), data.examples, networks_of(data.examples), 1);
  EXPECT_GE(100 * loss / static_cast<double>(problem.num_examples()),
            scores.overall().pixel_error());
}

}  // namespace
}  // namespace trellis::segment
