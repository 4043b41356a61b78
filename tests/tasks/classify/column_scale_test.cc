#include "trellis/tasks/classify/column_scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/classify/small_classifier.h"
#include "trellis/tasks/classify/classifier.h"
#include "trellis/tasks/classify/inspect.h"
#include "trellis/tasks/classify/predict.h"

namespace trellis::classify {
namespace {

using testing::data_of;
using testing::options_for;

// Column 1 is in the hundreds and always there, column 2 is small, column 3 mostly empty.
constexpr std::string_view kMeasured =
    "a 1:120 2:0.012 3:40\n"
    "a 1:140 2:0.010\n"
    "a 1:130 2:0.011\n"
    "b 1:180 2:0.031\n"
    "b 1:200 2:0.029\n"
    "b 1:190 2:0.030\n";

DataOptions scaled(Scaling scaling) {
  DataOptions options;
  options.scaling = scaling;
  return options;
}

// The values of an attribute in all documents; 0 where it is not there.
std::vector<double> column(const ClassifyData& data, AttributeId a) {
  std::vector<double> values;
  for (Index i = 0; i < data.documents.size(); ++i) {
    values.push_back(0);
    for (Index k = 0; k < data.documents.attributes(i).size(); ++k) {
      if (data.documents.attributes(i)[k] == a) {
        values.back() = static_cast<double>(data.documents.of(i)[k]);
      }
    }
  }
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double mean_square(std::vector<double> values) {
  for (double& value : values) value *= value;
  return mean(values);
}

TEST(ColumnScale, BringsFilledColumnsToMeanAndDeviation) {
  const ClassifyData data = data_of(kMeasured);
  EXPECT_EQ(data.scaling, Scaling::kDeviation);
  for (const AttributeId a : {AttributeId{1}, AttributeId{2}}) {
    EXPECT_NEAR(mean(column(data, a)), 0, 1e-6);
    EXPECT_NEAR(mean_square(column(data, a)), 1, 1e-6);
  }
  EXPECT_EQ(column(data, 0), std::vector<double>(6, 1.0));              // the bias
  EXPECT_EQ(column(data, 3), (std::vector<double>{1, 0, 0, 0, 0, 0}));  // zeros stay zeros
}

TEST(ColumnScale, CanBeARange) {
  const ClassifyData data = data_of(kMeasured, scaled(Scaling::kRange));
  const std::vector<double> first = column(data, 1);
  EXPECT_NEAR(*std::min_element(first.begin(), first.end()), -1, 1e-6);
  EXPECT_NEAR(*std::max_element(first.begin(), first.end()), 1, 1e-6);
}

TEST(ColumnScale, LeavesAloneWhatNeedsNone) {
  EXPECT_TRUE(data_of(testing::kTinyVectors).scale.empty());
  EXPECT_TRUE(data_of(testing::kTinyText).scale.empty());
  EXPECT_TRUE(data_of("1 1:1 2:1\n2 1:1 3:1\n1 2:1 3:1\n2 1:1\n").scale.empty());  // binary
  // Sparse texts with a common word, 1.
  EXPECT_TRUE(data_of("a 1:0.05 2:0.5 3:0.8\nb 1:0.06 4:0.7 5:0.7\na 1:0.05 6:0.9 7:0.4\n"
                      "b 1:0.06 8:0.6 9:0.8\n")
                  .scale.empty());
  EXPECT_TRUE(data_of(kMeasured, scaled(Scaling::kNone)).scale.empty());
  DataOptions of_length_one;
  of_length_one.normalize = true;
  EXPECT_TRUE(data_of(kMeasured, of_length_one).scale.empty());
  of_length_one.scaling = Scaling::kDeviation;  // who asks for it gets both
  EXPECT_FALSE(data_of(kMeasured, of_length_one).scale.empty());
}

TEST(ColumnScale, DoesNotShiftWithoutABias) {
  DataOptions options;
  options.bias = false;
  const ClassifyData data = data_of(kMeasured, options);
  EXPECT_FALSE(data.scale.empty());
  EXPECT_EQ(data.scale.num_shifted(), 0u);
  EXPECT_NEAR(column(data, 0)[4], 1, 1e-6);
}

TEST(ColumnScale, FillsInWhatAShiftMakesOfZeros) {
  // Column 2 is filled, but not in every document.
  const ClassifyData data = data_of("a 1:0.1 2:10\na 2:30\nb 1:0.3\nb 1:0.1 2:20\n");
  const std::vector<double> second = column(data, 2);
  EXPECT_NEAR(mean(second), 0, 1e-6);
  EXPECT_NEAR(mean_square(second), 1, 1e-6);
  EXPECT_LT(second[2], -1);
  for (Index i = 0; i < data.documents.size(); ++i) {
    const auto ids = data.documents.attributes(i);
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  }
}

TEST(ColumnScale, DoesNotShiftWhatIsThereOrNot) {
  const ClassifyData data = data_of("a 1:7 2:100\nb 1:7 2:300\na 1:7 2:120\nb 2:310\n");
  EXPECT_EQ(data.scale.num_shifted(), 1u);
  EXPECT_EQ(column(data, 1), (std::vector<double>{1, 1, 1, 0}));
}

TEST(ColumnScale, IsPartOfTheModel) {
  const ClassifyData data = data_of(kMeasured);
  const Trained trained = train(data, nullptr, options_for());
  const trellis::testing::TemporaryDirectory directory;
  trained.model->write(directory.file("m"));
  const ClassifyModel model = ClassifyModel::read(directory.file("m"));
  EXPECT_EQ(std::vector<double>(model.scale().factors().begin(), model.scale().factors().end()),
            std::vector<double>(data.scale.factors().begin(), data.scale.factors().end()));
  EXPECT_EQ(model.scale().num_shifted(), data.scale.num_shifted());
  const Evaluation judged = evaluate(model, testing::input(kMeasured), {});
  EXPECT_EQ(judged.scores.accuracy(), 100);
  EXPECT_EQ(model.training().at("scale"), "deviation");
}

TEST(ColumnScale, WorksThroughAKernel) {
  TrainOptions options = options_for();
  options.kernel = parse_kernel("rbf:0.5");
  const Trained trained = train(data_of(kMeasured), nullptr, options);
  EXPECT_EQ(evaluate(*trained.model, testing::input(kMeasured), {}).scores.accuracy(), 100);
}

// The score is Σ x_a w_a in the file's own units.
TEST(ColumnScale, IsUndoneWhereWeightsAreShown) {
  const Trained trained = train(data_of(kMeasured), nullptr, options_for());
  const ClassifyModel& model = *trained.model;
  std::map<std::string, double> weights;  // of label b
  const LabelFeatures b = strongest_features(model, 10).at(1);
  for (const auto* list : {&b.positive, &b.negative}) {
    for (const WeightedFeature& one : *list) weights[one.name] = one.weight;
  }
  Example example;
  example.values = {{1, 150.0F}, {2, 0.02F}};
  const Classifier classifier(model);
  Classifier::Scratch scratch(model);
  std::vector<double> scores;
  classifier.scores(example, "one", scratch, scores);
  const double centred = scores[1] - (scores[0] + scores[1]) / 2;
  EXPECT_NEAR(weights["(bias)"] + 150 * weights["1"] + 0.02 * weights["2"], centred, 1e-5);
}

}  // namespace
}  // namespace trellis::classify
