#include "trellis/tasks/label/model/labeller.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/tasks/label/small_labeller.h"
#include "trellis/base/error.h"
#include "trellis/formats/sets/label_reader.h"
#include "trellis/tasks/label/model/model_rows.h"

namespace trellis::label {
namespace {

using testing::random_model;
using testing::small_model;

using Set = std::vector<std::uint32_t>;

Set set_of(const Labelling& labelling, Index i) {
  const auto set = labelling.labels[i];
  return {set.begin(), set.end()};
}

LabelData read(const std::string& text, std::vector<std::string> labels = {}) {
  ReadOptions options;
  options.label_names = std::move(labels);
  options.labels_required = false;
  return read_label_data(InputFile::from_bytes(text, "data"), options);
}

FeatureRows model_rows(const LabelModel& model, const LabelData& data) {
  return rows_between(ModelRows(model, data), data, 0, data.num_instances());
}

TEST(Labeller, ALabelIsGivenWhereItsScoreIsAboveItsThreshold) {
  const LabelModel model = small_model(ModelForm::kIndependent);
  // a = x, b = y − 1, c = −x + y/2 + 1/4
  const Labelling labelling =
      predict_labels(model, FeatureRows::dense(3, {1, 2, 1, 0.5F, 1, 1, 0, 0, 1}), 1);
  EXPECT_EQ(set_of(labelling, 0), (Set{0, 1, 2}));
  EXPECT_EQ(set_of(labelling, 1), (Set{2}));  // a and b are just at their thresholds
  EXPECT_EQ(set_of(labelling, 2), (Set{2}));
  EXPECT_EQ(labelling.scores, (std::vector<double>{0.5, 1, 0.25, 0, 0, 0.25, -0.5, -1, 0.25}));
}

TEST(Labeller, CouplingsBringLabelsAlong) {
  const LabelModel model = small_model(ModelForm::kPairwise);
  // Scores 1, −0.5, −0.9: b comes with a (a coupling of 1), c does not come with b.
  const Labelling labelling = predict_labels(model, FeatureRows::dense(3, {1.5F, 0.5F, 1}), 1);
  EXPECT_EQ(set_of(labelling, 0), (Set{0, 1}));
  EXPECT_EQ(labelling.scores[1], -0.5);
}

TEST(Labeller, AChainSeesWhatItHasGiven) {
  const LabelModel model = small_model(ModelForm::kChain);
  // c first: 0.25 > 0, given; a = 1 − 0.5 − 3 is not, b = −1 + 1 is not above 0.
  Labelling labelling = predict_labels(model, FeatureRows::dense(3, {0, 0, 1}), 1);
  EXPECT_EQ(set_of(labelling, 0), (Set{2}));
  EXPECT_EQ(labelling.scores, (std::vector<double>{-3.5, 0, 0.25}));
  // Without c, a is given, and brings b: −1 + 2.
  labelling = predict_labels(model, FeatureRows::dense(3, {2, 0, 1}), 1);
  EXPECT_EQ(set_of(labelling, 0), (Set{0, 1}));
  EXPECT_EQ(labelling.scores, (std::vector<double>{1.5, 1, -1.75}));
}

// Over all sets, by the definition of the model.
RC_GTEST_PROP(Labeller, APairwiseModelGivesTheSmallestBestSet, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Index num_labels = 1 + random.below(7);
  const LabelModel model = random_model(ModelForm::kPairwise, num_labels, 3, random);
  std::vector<float> x(4 * 5);
  for (float& value : x) value = static_cast<float>(testing::draw(random));
  const Labelling labelling = predict_labels(model, FeatureRows::dense(4, x), 1);
  for (Index i = 0; i < 5; ++i) {
    const auto value_of = [&](std::uint32_t y) {
      double sum = 0;
      for (Index v = 0; v < num_labels; ++v) {
        if ((y >> v & 1) == 0) continue;
        for (Index k = 0; k < 4; ++k) {
          sum += static_cast<double>(x[i * 4 + k]) * model.weights[k * num_labels + v];
        }
        sum -= model.thresholds[v];
      }
      for (Index p = 0; p < model.pairs.size(); ++p) {
        if ((y >> model.pairs[p].j & 1) != 0 && (y >> model.pairs[p].k & 1) != 0) {
          sum += model.couplings[p];
        }
      }
      return sum;
    };
    double best = 0;
    for (std::uint32_t y = 0; y < (1U << num_labels); ++y) best = std::max(best, value_of(y));
    std::uint32_t found = 0;
    for (const std::uint32_t v : set_of(labelling, i)) found |= 1U << v;
    RC_ASSERT(std::abs(value_of(found) - best) < 1e-9);
  }
}

RC_GTEST_PROP(Labeller, PredictsTheSameBitsAfterSavingAndOnAnyNumberOfThreads, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const auto form =
      *rc::gen::element(ModelForm::kIndependent, ModelForm::kPairwise, ModelForm::kChain);
  const LabelModel model = random_model(form, 1 + random.below(9), 1 + random.below(70), random);
  const Index width = model.num_rows();
  std::vector<float> x(width * 12);
  for (float& value : x)
    value = random.uniform() < 0.5 ? 0.0F : static_cast<float>(testing::draw(random));
  std::vector<std::uint32_t> begin = {0}, ids;
  std::vector<float> values;
  for (Index k = 0; k < x.size(); ++k) {
    if (x[k] != 0) {
      ids.push_back(static_cast<std::uint32_t>(k % width));
      values.push_back(x[k]);
    }
    if (k % width == width - 1) begin.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  const FeatureRows dense = FeatureRows::dense(width, x);
  const Labelling expected = predict_labels(model, dense, 1);
  const LabelModel loaded = LabelModel::from_bytes(testing::as_bytes(model.to_bytes()), "m");
  for (const Labelling& again :
       {predict_labels(loaded, dense, 1), predict_labels(model, dense, 3),
        predict_labels(model, FeatureRows::sparse(width, begin, ids, values), 2)}) {
    RC_ASSERT(again.labels.ids == expected.labels.ids);
    RC_ASSERT(again.labels.begin == expected.labels.begin);
    RC_ASSERT(again.scores == expected.scores);
  }
}

TEST(Labeller, FindsFeaturesByNameInDenseSparseAndLibsvmFiles) {
  LabelModel model = small_model(ModelForm::kIndependent);
  model.scaling.scale = {2, 0.5};
  const std::string header = "@attribute y real\n@attribute other real\n@attribute x real\n@data\n";
  const FeatureRows expected = FeatureRows::dense(3, {6, 2, 1});
  const auto as_dense = [](const FeatureRows& rows) {
    if (rows.is_dense())
      return std::vector<float>(rows.dense_row(0).begin(), rows.dense_row(0).end());
    std::vector<float> row(rows.width(), 0.0F);
    for (Index k = 0; k < rows.ids(0).size(); ++k) row[rows.ids(0)[k]] = rows.values(0)[k];
    return row;
  };
  for (const std::string rows : {"4,9,3\n", "{0 4,1 9,2 3}\n"}) {
    EXPECT_EQ(as_dense(model_rows(model, read(header + rows, {"a"}))), as_dense(expected));
  }
  model.feature_names = {"7", "3"};
  EXPECT_EQ(as_dense(model_rows(model, read("3:4 5:9 7:3\n", {"a"}))), as_dense(expected));
  // A model that centres needs all features, those that are 0 as well.
  model.scaling.mean = {1, 1};
  EXPECT_EQ(as_dense(model_rows(model, read("5:9 7:3\n", {"a"}))),
            (std::vector<float>{4, -0.5F, 1}));
}

TEST(Labeller, RefusesAFileThatDeclaresNoneOfTheFeatures) {
  const LabelModel model = small_model(ModelForm::kIndependent);
  EXPECT_THROW(model_rows(model, read("@attribute z real\n@data\n1\n", {"a"})), InputError);
  // In LIBSVM's format a feature that is not there is just 0.
  EXPECT_EQ(model_rows(model, read("3:1\n", {"a"})).num_rows(), 1U);
  EXPECT_EQ(ModelRows(model, read("3:1\n", {"a"})).num_known(), 0U);
  EXPECT_EQ(
      ModelRows(model, read("@attribute z real\n@attribute x real\n@data\n", {"a"})).num_known(),
      1U);
  EXPECT_THROW(predict_labels(model, FeatureRows::dense(2, {1, 2}), 1), UsageError);
}

TEST(Labeller, LabelsManyInstancesAsItLabelsFew) {
  const LabelModel model = small_model(ModelForm::kPairwise);
  std::string text = "@attribute x real\n@attribute y real\n@data\n";
  Random random(1);
  for (int i = 0; i < 5000; ++i) {
    text +=
        std::to_string(testing::draw(random)) + "," + std::to_string(testing::draw(random)) + "\n";
  }
  const LabelData data = read(text, {"a", "b", "c"});
  const Labelling at_once = predict_labels(model, model_rows(model, data), 1);
  Labelling labelling;
  label_in_turn(model, data, 2, [&](Index, const Labelling& some) {
    for (Index i = 0; i < some.labels.size(); ++i) labelling.labels.append(some.labels[i]);
    labelling.scores.insert(labelling.scores.end(), some.scores.begin(), some.scores.end());
  });
  EXPECT_EQ(labelling.labels.ids, at_once.labels.ids);
  EXPECT_EQ(labelling.labels.begin, at_once.labels.begin);
  EXPECT_EQ(labelling.scores, at_once.scores);
}

TEST(ScaledRows, CentreScaleShortenAndAddTheBias) {
  FeatureScaling scaling;
  scaling.mean = {1, 2};
  scaling.scale = {2, 0.5};
  scaling.bias = 0.25;
  const FeatureRows rows = FeatureRows::dense(2, {3, 8, 1, 2});
  const FeatureRows plain = scaled(rows, scaling);
  EXPECT_EQ(std::vector<float>(plain.dense_row(0).begin(), plain.dense_row(0).end()),
            (std::vector<float>{4, 3, 0.25F}));
  scaling.unit_length = true;
  const FeatureRows unit = scaled(rows, scaling);
  EXPECT_EQ(std::vector<float>(unit.dense_row(0).begin(), unit.dense_row(0).end()),
            (std::vector<float>{0.8F, 0.6F, 0.25F}));
  EXPECT_EQ(unit.dense_row(1)[0], 0);  // a vector of zeros has no direction
  scaling.bias = 0;
  EXPECT_EQ(scaled(rows, scaling).width(), 2U);
}

TEST(ScaledRows, SparseRowsStaySparseAndAreNotCentred) {
  FeatureScaling scaling;
  scaling.unit_length = true;
  const FeatureRows rows = FeatureRows::sparse(5, {0, 2, 2}, {1, 4}, {3e38F, 0});
  const FeatureRows unit = scaled(rows, scaling);
  EXPECT_FALSE(unit.is_dense());
  EXPECT_EQ(unit.width(), 6U);
  EXPECT_EQ(unit.values(0)[0], 1);
  EXPECT_EQ(unit.ids(1)[0], 5U);
  scaling.mean.assign(5, 0.0);
  EXPECT_THROW(scaled(rows, scaling), UsageError);
  scaling.mean.clear();
  scaling.scale.assign(4, 1.0);
  EXPECT_THROW(scaled(rows, scaling), UsageError);
  scaling.scale.assign(5, 1e10);
  scaling.unit_length = false;
  EXPECT_THROW(scaled(rows, scaling), UsageError);
}

}  // namespace
}  // namespace trellis::label
