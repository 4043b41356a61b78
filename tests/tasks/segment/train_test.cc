// From files, or from memory, to a model, for every learner.
#include "trellis/tasks/segment/train.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tests/base/temporary_directory.h"
#include "tests/formats/images/small_pictures.h"
#include "trellis/base/error.h"
#include "trellis/formats/graphs/labelled_graph_file.h"
#include "trellis/formats/images/image_file.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/tasks/segment/network_model.h"
#include "trellis/tasks/segment/predict.h"
#include "trellis/tasks/segment/segmenter.h"

namespace trellis::segment {
namespace {

using trellis::testing::TemporaryDirectory;

const LearnerSet kLearners = learners_for(able());

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
  static TrainOptions options(LearnerKind learner) {
    TrainOptions options;
    options.training.learner.learner = learner;
    if (learner != LearnerKind::kQp) options.training.learner.epochs = 15;
    if (learner == LearnerKind::kExtragradient) options.training.learner.warm_up = 5;
    options.training.threads = 1;
    return options;
  }
  Trained train_on_discs(const TrainOptions& options, bool watched = false,
                         const TrainEvents& events = {}) const {
    std::vector<std::string> dev;
    if (watched) dev.push_back(dev_.path());
    return train_files({{train_.path()}}, dev, options, events);
  }
  SegmentScores dev_scores(const SegmentModel& model) const {
    return evaluate_files(model, {{dev_.path()}}, 1).scores;
  }

  TemporaryDirectory train_;
  TemporaryDirectory dev_;
  TemporaryDirectory out_;
};

TEST_F(SegmentTraining, EveryLearnerFindsTheDiscsAndKeepsEdgeWeights) {
  for (const LearnerKind learner : kLearners.list()) {
    if (learner == LearnerKind::kQp) continue;  // see below
    const Trained trained = train_on_discs(options(learner));
    ASSERT_TRUE(trained.model);
    const SegmentModel& model = *trained.model;
    EXPECT_LT(dev_scores(model).overall().pixel_error(), 10) << to_string(learner);
    for (Index k = model.features().num_node_weights(); k < model.weights().size(); ++k) {
      EXPECT_GE(model.weights()[k], 0.0) << to_string(learner);
    }
  }
}

TEST_F(SegmentTraining, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const LearnerKind learner : {LearnerKind::kBcfw, LearnerKind::kExtragradient}) {
    TrainOptions call = options(learner);
    call.training.learner.epochs = 4;
    const std::string one = train_on_discs(call, true).model->to_bytes();
    call.training.threads = 3;
    EXPECT_EQ(train_on_discs(call, true).model->to_bytes(), one) << to_string(learner);
  }
}

TEST_F(SegmentTraining, LearnersThatMinimiseAgreeOnTheOptimum) {
  double lowest = 1e9;
  double highest_bound = 0;
  for (const LearnerKind learner :
       {LearnerKind::kBmrm, LearnerKind::kBcfw, LearnerKind::kDca, LearnerKind::kExtragradient}) {
    TrainOptions call = options(learner);
    call.training.learner.epochs = 300;
    call.training.learner.c = 1;
    call.training.learner.gap = 0.02;
    const LearnSummary summary = train_on_discs(call).result.learned.fitted.summary;
    EXPECT_EQ(summary.termination, Termination::kConverged) << to_string(learner);
    lowest = std::min(lowest, summary.objective);
    highest_bound = std::max(highest_bound, summary.bound);
    EXPECT_LE(summary.gap(), 0.02);
  }
  EXPECT_LE(highest_bound, lowest * (1 + 1e-9));
}

TEST(SegmentDefaults, RunsAreShortUnlessTheOptimumIsAskedFor) {
  LearnerOptions said;
  const LearnerOptions plain = choose(said, defaults(), able()).values;
  EXPECT_EQ(plain.epochs, Index{20});
  EXPECT_EQ(plain.patience, Index{3});
  said.gap = 1e-3;
  const LearnerOptions proven = choose(said, defaults(), able()).values;
  EXPECT_EQ(proven.epochs, Index{200});
  EXPECT_EQ(proven.patience, Index{20});
}

TEST_F(SegmentTraining, ChoosesByFoldsOfFewPicturesAndByAPartOfMore) {
  TrainOptions call = options(LearnerKind::kBcfw);
  call.training.learner.epochs = 2;
  call.training.choose = true;
  TemporaryDirectory few;
  write_discs(few.path(), 10, 3);
  const Learned by_folds = train_files({{few.path()}}, {}, call).result.learned;
  EXPECT_EQ(by_folds.chosen_by, "percent of right pixels over 5 folds");
  EXPECT_GE(by_folds.tried.size(), 3U);
  TemporaryDirectory more;
  write_discs(more.path(), 21, 4);
  EXPECT_EQ(train_files({{more.path()}}, {}, call).result.learned.chosen_by,
            "percent of right pixels on a held-out part of 1 in 5 of the training set");
}

TEST_F(SegmentTraining, KeepsTheBestEpochOnDev) {
  double best = 0;
  TrainEvents events;
  events.on_epoch = [&](const EpochRecord& record) { best = std::max(best, record.dev); };
  const Trained trained = train_on_discs(options(LearnerKind::kPerceptron), true, events);
  ASSERT_TRUE(trained.result.dev);
  EXPECT_DOUBLE_EQ(100 - trained.result.dev->overall().pixel_error(), best);
  EXPECT_DOUBLE_EQ(dev_scores(*trained.model).overall().pixel_error(), 100 - best);
}

TEST_F(SegmentTraining, ContinuesAfterAnInterruptionToTheSameBytes) {
  TrainOptions call = options(LearnerKind::kBcfw);
  const std::string whole = train_on_discs(call).model->to_bytes();
  call.training.checkpoint = out_.file("m.checkpoint");
  std::stop_source stop;
  TrainEvents events;
  events.stop = stop.get_token();
  events.on_epoch = [&](const EpochRecord& record) {
    if (record.epoch == 5) stop.request_stop();
  };
  EXPECT_FALSE(train_on_discs(call, false, events).model);
  call.training.resume = true;
  EXPECT_EQ(train_on_discs(call).model->to_bytes(), whole);
}

TEST_F(SegmentTraining, RefusesTheStateOfAnotherRun) {
  TrainOptions call = options(LearnerKind::kBcfw);
  call.training.checkpoint = out_.file("c");
  std::stop_source stop;
  stop.request_stop();
  TrainEvents events;
  events.stop = stop.get_token();
  EXPECT_TRUE(train_on_discs(call, false, events).result.learned.interrupted);
  call.training.resume = true;
  call.training.options_given = "\n--balanced true";  // as the command says it
  EXPECT_THROW(train_on_discs(call), InputError);
  call.training.options_given.clear();
  EXPECT_THROW(train_on_discs(call, true), InputError);  // watched: other stopping
  call.training.learner.c = 7;
  EXPECT_THROW(train_on_discs(call), InputError);
}

TEST_F(SegmentTraining, ChoosesCByFoldsAndByTheDevSet) {
  TrainOptions call = options(LearnerKind::kBmrm);
  call.training.candidates = {{"c", {1e-6, 1}}};
  EXPECT_THROW(train_on_discs(call), UsageError);  // nothing to choose by
  const Trained watched = train_on_discs(call, true);
  EXPECT_EQ(watched.result.learned.choice.values.c, 1);
  call.training.folds = 3;
  const Trained folded = train_on_discs(call);
  EXPECT_EQ(folded.result.learned.choice.values.c, 1);
  ASSERT_EQ(folded.result.learned.tried.size(), 2U);
  EXPECT_GT(folded.result.learned.tried[1].figure, folded.result.learned.tried[0].figure);
}

// Where intensities of figure and ground overlap, costs decide how much is taken for the rarer one.
TEST_F(SegmentTraining, BalancedCostsFindMoreOfTheRarer) {
  for (const bool figure_is_rare : {true, false}) {
    const TemporaryDirectory folder;
    for (Index n = 0; n < 6; ++n) {
      Random random(3, n);
      testing::Disc disc = testing::disc(20, 16, random);
      for (Index j = 0; j < disc.mask.labels.size(); ++j) {
        std::uint8_t& label = disc.mask.labels[j];
        const double value = (label == 1 ? 0.6 : 0.5) + 0.1 * random.normal();
        disc.raster.planes[0].values[j] = static_cast<float>(std::clamp(value, 0.0, 1.0));
        if (!figure_is_rare) label = 1 - label;
      }
      const std::string stem = folder.file("disc" + std::to_string(n));
      image::write_png(stem + ".png", encode_png(disc.raster));
      image::write_png(stem + ".mask.png", encode_png(disc.mask));
    }
    TrainOptions call = options(LearnerKind::kBmrm);
    call.features.unary = true;
    call.training.learner.c = 10;
    call.training.learner.epochs = 100;
    const auto rare = [&] {  // nodes that are taken for the rarer label, and how many are missed
      const Trained trained = train_files({{folder.path()}}, {}, call);
      const SegmentCounts counts =
          evaluate_files(*trained.model, {{folder.path()}}, 1).scores.overall();
      return figure_is_rare ? std::pair(counts.both + counts.spurious, counts.missed)
                            : std::pair(counts.neither + counts.missed, counts.spurious);
    };
    const auto [plain, plain_missed] = rare();
    call.balanced = true;
    const auto [balanced, balanced_missed] = rare();
    EXPECT_GT(plain, 0U) << figure_is_rare;
    EXPECT_GT(balanced, plain + plain / 20) << figure_is_rare;
    EXPECT_LT(balanced_missed, plain_missed - plain_missed / 4) << figure_is_rare;
  }
}

TEST_F(SegmentTraining, RefusesWhatDoesNotGoTogetherBeforeItReads) {
  const auto refused = [](const TrainOptions& call) {
    EXPECT_THROW(train_files({{"there is no such file"}}, {}, call), UsageError);
  };
  for (const LearnerKind learner : LearnerSet::all().list()) {
    if (!kLearners.has(learner)) refused(options(learner));
  }
  TrainOptions call = options(LearnerKind::kBcfw);
  call.training.learner.radius = 3;
  refused(call);
  call = options(LearnerKind::kBcfw);
  call.training.learner.c = 0;
  refused(call);
  call = options(LearnerKind::kDca);
  call.training.learner.dual = "online";
  refused(call);
  call = options(LearnerKind::kSgd);
  call.training.learner.loss = Loss::named("crf");
  refused(call);
  call = options(LearnerKind::kBcfw);
  call.features.pictures.scale = 2;
  EXPECT_THROW(train_on_discs(call), UsageError);
}

TEST_F(SegmentTraining, WithoutEdgesNoWeightHasToStayAboveZero) {
  TrainOptions call = options(LearnerKind::kDca);
  call.training.learner.dual = "online";
  call.features.unary = true;
  EXPECT_LT(dev_scores(*train_on_discs(call).model).overall().pixel_error(), 20);
}

TEST_F(SegmentTraining, MasksOfAnotherSizeAreNamedWithBothSizes) {
  Random random(9);
  image::write_png(train_.file("odd.png"), encode_png(testing::disc(20, 16, random).raster));
  image::write_png(train_.file("odd.mask.png"), encode_png(testing::disc(16, 20, random).mask));
  try {
    train_on_discs(options(LearnerKind::kBcfw));
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

GraphSet ladders(Index length, std::initializer_list<std::uint64_t> seeds) {
  std::string text;
  for (const std::uint64_t seed : seeds) text += ladder(length, seed);
  return read_graphs(InputFile::from_bytes(text, "ladders"), {});
}

TEST(SegmentGraphs, AreLearnedFromMemoryAndTheirEdgesHelp) {
  TemporaryDirectory out;
  const std::string test = out.make("t.txt", ladder(60, 5) + ladder(60, 6));
  double errors[2] = {};
  for (const bool unary : {false, true}) {
    TrainOptions call;
    call.training.learner.learner = LearnerKind::kBmrm;
    call.training.learner.gap = 1e-3;
    call.training.learner.epochs = 500;
    const SegmentData data = segment_data(ladders(40, {1, 2, 3, 4}), {{}, unary}, "ladders");
    const Trained trained = train(data, {}, call);
    errors[unary ? 1 : 0] =
        evaluate_files(*trained.model, {{test}, true}, 1).scores.overall().pixel_error();
  }
  EXPECT_LT(errors[0], errors[1] / 2);
}

TEST(SegmentGraphs, EveryLearnerTrainsOnThem) {
  const SegmentData data = segment_data(ladders(6, {1, 2, 3}), {}, "ladders");
  double lowest = 1e9;
  double highest_bound = 0;
  for (const LearnerKind learner : kLearners.list()) {
    TrainOptions call;
    call.training.learner.learner = learner;
    call.training.learner.certify = true;
    call.training.threads = 1;
    const Trained trained = train(data, {}, call);
    ASSERT_TRUE(trained.model) << to_string(learner);
    if (learner == LearnerKind::kPerceptron) continue;  // no penalty: another objective
    const LearnSummary& summary = trained.result.learned.fitted.summary;
    lowest = std::min(lowest, summary.objective);
    highest_bound = std::max(highest_bound, summary.bound);
  }
  EXPECT_LE(highest_bound, lowest * (1 + 1e-9));
  EXPECT_NEAR(highest_bound, lowest, 1e-3 * lowest);
}

TEST_F(SegmentTraining, LossBoundsTheShareOfWrongNodes) {
  const SegmentData data = read_segment_data({{train_.path()}}, {}, 1);
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
