#include "trellis/tasks/tag/model/kernel_attributes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/tasks/tag/small_tagger.h"
#include "tests/tasks/tag/train_files.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/tasks/tag/output/explain.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::tag {
namespace {

TEST(PositionVector, AddsUpTheEntriesOfADimension) {
  PositionVector x;
  x.add(3, 1);
  x.add(0, -2);
  x.add(3, 0.5F);
  x.finish();
  EXPECT_EQ(std::vector<AttributeId>(x.ids().begin(), x.ids().end()),
            (std::vector<AttributeId>{0, 3}));
  EXPECT_EQ(x.values()[1], 1.5F);
  EXPECT_EQ(x.squared_length(1), 1 + 4 + 2.25);
  x.scale_to_unit_length();
  EXPECT_NEAR(x.squared_length(), 1, 1e-6);
}

TEST(ExpandPositions, GivesTheKernelOfVectorsOfLengthOne) {
  Random random(1);
  const Index width = 7;
  SparseRows pivots;
  pivots.width = width;
  for (Index p = 0; p < 5; ++p) {
    PositionVector x;
    for (AttributeId d = static_cast<AttributeId>(p % 2); d < width; ++d) {
      x.add(d, static_cast<float>(random.normal()));
    }
    x.finish();
    x.scale_to_unit_length();
    pivots.add(x.ids(), x.values());
  }
  // At the second position 3 stands twice, and an entry of square 4 is of no known dimension.
  AttributeList list;
  list.begin = {0, 0, 5};
  list.fingerprints = {3, 0, 3, 6, 99};
  list.values = {1, -2, 0.5F, 1, 2};
  std::vector<float> x = {-2, 0, 0, 1.5F, 0, 0, 1, 2};
  for (float& value : x) value /= std::sqrt(4 + 2.25F + 1 + 4);
  const std::vector<AttributeId> rows = {4, kNoAttribute, 2, 1, 0};
  for (const char* text : {"linear", "poly:3", "poly:2:0", "rbf:0.7"}) {
    const KernelPivots expansion(parse_kernel(text), pivots);
    KnownAttributes known;
    expand_positions(
        list, [](std::uint64_t f) { return f < 7 ? static_cast<AttributeId>(f) : kNoAttribute; },
        expansion, rows, known);
    EXPECT_EQ(known.begin, (std::vector<std::uint64_t>{0, 4, 8}));
    EXPECT_EQ(known.ids[5], 2U);
    const std::vector<float> dense = pivots.to_dense();
    for (Index k = 0, p = 0; p < pivots.size(); ++p) {
      if (rows[p] == kNoAttribute) continue;
      std::vector<float> pivot(dense.begin() + static_cast<std::ptrdiff_t>(p * width),
                               dense.begin() + static_cast<std::ptrdiff_t>((p + 1) * width));
      pivot.push_back(0);
      EXPECT_NEAR(known.values[4 + k++], expansion.kernel()(x, pivot), 1e-6) << text;
    }
  }
}

// Two switches, and a label that says whether they agree: no weights on the switches can tell.
std::string switches(Index sequences, std::uint64_t seed) {
  Random random(seed);
  std::string text;
  for (Index i = 0; i < sequences; ++i) {
    const Index length = 1 + random.below(4);
    for (Index t = 0; t < length; ++t) {
      const bool a = random.below(2) == 0;
      const bool b = random.below(2) == 0;
      text += (a == b) ? "same" : "other";
      text += a ? "\ta:1" : "\ta:-1";
      text += b ? "\tb:1\n" : "\tb:-1\n";
    }
    text += "\n";
  }
  return text;
}

class KernelTagger : public ::testing::Test {
 protected:
  KernelTagger()
      : train_(directory_.make("train.txt", switches(40, 1))),
        test_(directory_.make("test.txt", switches(40, 2))) {}

  testing::TrainFiles options(const std::string& kernel) const {
    testing::TrainFiles options;
    options.files = {train_};
    options.model = directory_.file("model");
    options.data.format = InputFormat::kItems;
    options.options.training.threads = 1;
    options.said().c = 10;
    if (!kernel.empty()) options.options.kernel = parse_kernel(kernel);
    return options;
  }
  testing::FilesResult train(const testing::TrainFiles& options) const {
    return testing::train_files(options, FeatureTemplate::builtin("none"));
  }
  double accuracy(const std::string& file) const {
    const TagModel model = TagModel::read(directory_.file("model"));
    const Tagger tagger(model);
    Tagger::Scratch scratch;
    Index right = 0;
    Index all = 0;
    for (const TagSequence& sequence : testing::read_sequences(file, InputFormat::kItems)) {
      std::vector<Label> labels;
      std::vector<std::string_view> gold;
      tagger.tag(sequence, {}, scratch, labels);
      sequence.labels(kLastColumn, gold);
      for (Index t = 0; t < gold.size(); ++t, ++all) {
        if (model.labels()[static_cast<Index>(labels[t])] == gold[t]) ++right;
      }
    }
    return static_cast<double>(right) / static_cast<double>(all);
  }

  testing::TemporaryDirectory directory_;
  std::string train_, test_;
};

TEST_F(KernelTagger, LearnsWhatNoLinearModelCan) {
  train(options(""));
  EXPECT_LT(accuracy(test_), 0.75);
  for (const char* kernel : {"poly:2", "rbf:1"}) {
    train(options(kernel));
    EXPECT_EQ(accuracy(test_), 1) << kernel;
  }
}

TEST_F(KernelTagger, WorksWithEveryLearner) {
  for (const LearnerKind learner : {LearnerKind::kLbfgs, LearnerKind::kDca, LearnerKind::kSgd,
                                    LearnerKind::kPerceptron, LearnerKind::kMira}) {
    testing::TrainFiles call = options("poly:2");
    call.said().learner = learner;
    if (learner == LearnerKind::kPerceptron) call.said().c.reset();  // it has none
    train(call);
    EXPECT_EQ(accuracy(test_), 1) << to_string(learner);
  }
}

// Without features of its own the kernel has the same optimum: what bounds it from below with
// features does so without them, in both geometries, with a penalty and in a ball.
TEST_F(KernelTagger, ImplicitAndExplicitKernelsMeet) {
  for (const bool entropic : {false, true}) {
    for (const bool ball : {false, true}) {
      testing::TrainFiles call = options("poly:2");
      call.said().learner = LearnerKind::kExtragradient;
      call.said().geometry = entropic ? "entropic" : "euclidean";
      if (ball) {
        call.said().c.reset();
        call.said().radius = 3;
      }
      call.said().epochs = 400;
      call.said().gap = 1e-3;
      const LearnSummary by_features = train(call).summary;
      call.options.implicit = true;
      const LearnSummary by_kernel = train(call).summary;
      EXPECT_LE(by_kernel.bound, by_features.objective + 1e-6);
      EXPECT_LE(by_features.bound, by_kernel.objective + 1e-6);
      EXPECT_NEAR(by_kernel.bound, by_features.bound, 1e-3);
      call.dev = test_;
      const testing::FilesResult result = train(call);
      EXPECT_NEAR(result.dev->figure(), 100 * accuracy(test_), 1e-9);
      EXPECT_EQ(accuracy(test_), 1) << entropic << ball;
    }
  }
}

TEST_F(KernelTagger, ImplicitKernelsTakeEdgesOrdersAndFolds) {
  testing::TrainFiles call = options("rbf:1");
  call.said().learner = LearnerKind::kExtragradient;
  call.said().epochs = 20;
  call.options.implicit = true;
  call.options.order = 2;
  train(call);
  EXPECT_EQ(accuracy(test_), 1);
  call.options.training.candidates = {{"c", {0.001, 10}}};
  call.options.training.folds = 2;
  call.said().c.reset();
  const testing::FilesResult result = train(call);
  EXPECT_EQ(result.learned.choice.values.c, 10);
  EXPECT_EQ(accuracy(test_), 1);
}

TEST_F(KernelTagger, JudgesHeldOutDataAsTheModelWill) {
  testing::TrainFiles call = options("poly:2");
  call.dev = test_;
  call.said().epochs = 1;
  call.said().learner = LearnerKind::kPerceptron;
  call.said().c.reset();
  const testing::FilesResult result = train(call);
  ASSERT_TRUE(result.dev);
  EXPECT_NEAR(result.dev->figure(), 100 * accuracy(test_), 1e-9);
}

TEST_F(KernelTagger, FewPivotsDoWhereTheVectorsSpanLittle) {
  testing::TrainFiles call = options("poly:2");
  call.options.kernel_rank = 2;
  const testing::FilesResult result = train(call);
  EXPECT_EQ(result.attributes, 2U);
  call.options.kernel_rank = 0;
  EXPECT_LE(train(call).attributes, 6U);  // monomials of degree ≤ 2
}

TEST_F(KernelTagger, RefusesWhatDoesNotGoTogether) {
  const auto refused = [&](const std::function<void(testing::TrainFiles&)>& change) {
    testing::TrainFiles call = options("poly:2");
    change(call);
    EXPECT_THROW(train(call), UsageError);
  };
  refused([](testing::TrainFiles& o) { o.said().l1 = 1; });
  refused([](testing::TrainFiles& o) { o.data.hash_bits = 10; });
  refused([](testing::TrainFiles& o) { o.options.features.min_count = 2; });
  refused([](testing::TrainFiles& o) { o.options.implicit = true; });  // lbfgs wants features
  const auto extragradient = [](testing::TrainFiles& o) {
    o.said().learner = LearnerKind::kExtragradient;
    o.options.implicit = true;
  };
  refused([&](testing::TrainFiles& o) { extragradient(o), o.options.kernel_rank = 2; });
  refused([&](testing::TrainFiles& o) { extragradient(o), o.options.kernel.reset(); });
  train(options("poly:2"));
  refused([](testing::TrainFiles& o) { o.warm_start = o.model; });
}

TEST_F(KernelTagger, ModelFileThatIsCutShortOrChangedIsRefused) {
  train(options("poly:2"));
  const std::string whole = testing::content_of(directory_.file("model"));
  for (Index size = 0; size < whole.size(); size += 7) {
    EXPECT_THROW(TagModel::from_bytes(testing::as_bytes(whole.substr(0, size)), "cut"), InputError);
  }
  const TagModel model = TagModel::from_bytes(testing::as_bytes(whole), "whole");
  ASSERT_NE(model.kernel(), nullptr);
  const Tagger tagger(model);
  Tagger::Scratch scratch;
  const auto sequences = testing::read_sequences(test_, InputFormat::kItems);
  EXPECT_THROW(explain(tagger, sequences[0], 0, scratch), UsageError);
}

}  // namespace
}  // namespace trellis::tag
