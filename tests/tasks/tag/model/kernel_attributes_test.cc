#include "trellis/tasks/tag/model/kernel_attributes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/tasks/tag/small_tagger.h"
#include "tests/tasks/tag/train_files.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::tag {
namespace {

TEST(Kernel, IsReadFromItsText) {
  EXPECT_EQ(to_string(parse_kernel("linear")), "linear");
  EXPECT_EQ(to_string(parse_kernel("poly:3")), "poly:3:1");
  EXPECT_EQ(to_string(parse_kernel("poly:2:0.5")), "poly:2:0.5");
  EXPECT_EQ(to_string(parse_kernel("rbf:0.25")), "rbf:0.25");
  for (const char* wrong : {"", "cubic", "poly", "poly:0", "poly:1.5", "poly:2:-1", "poly:2:x",
                            "rbf", "rbf:-1", "rbf:nan", "linear:1", "poly:2:1:1"}) {
    EXPECT_THROW(parse_kernel(wrong), UsageError) << wrong;
  }
}

TEST(KernelExpansion, IsTheKernelOfVectorsOfLengthOne) {
  Random random(1);
  const Index width = 7;
  const Index pivots = 5;
  std::vector<float> matrix(width * pivots);
  for (float& value : matrix) value = static_cast<float>(random.normal());
  for (Index p = 0; p < pivots; ++p)
    scale_to_unit_length(std::span(matrix).subspan(p * width, width));
  for (const char* text : {"linear", "poly:3", "poly:2:0", "rbf:0.7"}) {
    const Kernel kernel = parse_kernel(text);
    const KernelExpansion expansion(kernel, matrix, width);
    // 3 stands twice, and an entry of square 4 is of no known dimension.
    std::vector<KernelExpansion::Entry> entries = {{3, 1}, {0, -2}, {3, 0.5F}, {6, 1}};
    std::vector<float> x(width + 1, 0.0F);
    for (const auto& entry : entries) x[entry.dimension] += entry.value;
    x[width] = 2;
    scale_to_unit_length(x);
    std::vector<float> values(pivots);
    expansion.expand(entries, 4, values);
    for (Index p = 0; p < pivots; ++p) {
      std::vector<float> pivot(matrix.begin() + static_cast<std::ptrdiff_t>(p * width),
                               matrix.begin() + static_cast<std::ptrdiff_t>((p + 1) * width));
      pivot.push_back(0);
      EXPECT_NEAR(values[p], kernel(x, pivot), 1e-6) << text;
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
  EXPECT_THROW(tagger.explain(sequences[0], 0, scratch), UsageError);
}

}  // namespace
}  // namespace trellis::tag
