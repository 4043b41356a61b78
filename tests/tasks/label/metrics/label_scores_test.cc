#include "trellis/tasks/label/metrics/label_scores.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::label {
namespace {

using Matrix = std::vector<std::vector<bool>>;

LabelSets sets_of(const Matrix& matrix) {
  LabelSets sets;
  for (const auto& row : matrix) {
    std::vector<std::uint32_t> labels;
    for (Index v = 0; v < row.size(); ++v) {
      if (row[v]) labels.push_back(static_cast<std::uint32_t>(v));
    }
    sets.append(labels);
  }
  return sets;
}

std::vector<std::string> names_of(Index count) {
  std::vector<std::string> names;
  for (Index v = 0; v < count; ++v) names.push_back("l" + std::to_string(v));
  return names;
}

// The definitions, a sum at a time, over the cells of a part of the matrix.
struct Cells {
  double both = 0, truth = 0, predicted = 0;

  void add(bool t, bool p) {
    both += t && p ? 1 : 0;
    truth += t ? 1 : 0;
    predicted += p ? 1 : 0;
  }
  bool empty() const { return truth == 0 && predicted == 0; }
  double precision() const { return empty() ? 1 : predicted == 0 ? 0 : both / predicted; }
  double recall() const { return empty() ? 1 : truth == 0 ? 0 : both / truth; }
  double f(double beta) const {
    if (empty()) return 1;
    return (1 + beta * beta) * both / (beta * beta * truth + predicted);
  }
};

Matrix random_matrix(Index n, Index v) {
  const int percent = *rc::gen::inRange(0, 101);
  Matrix matrix(n, std::vector<bool>(v));
  for (auto& row : matrix) {
    for (Index k = 0; k < v; ++k) row[k] = *rc::gen::inRange(0, 100) < percent;
  }
  return matrix;
}

RC_GTEST_PROP(LabelScores, EqualTheirDefinitions, ()) {
  const auto n = *rc::gen::inRange<Index>(1, 9);
  const auto num_labels = *rc::gen::inRange<Index>(1, 7);
  const double beta = *rc::gen::element(0.01, 0.5, 1.0, 2.0, 100.0);
  const Matrix truth = random_matrix(n, num_labels);
  const Matrix predicted = random_matrix(n, num_labels);
  std::vector<double> ranks;
  for (Index k = 0; k < n * num_labels; ++k) ranks.push_back(*rc::gen::inRange(-2, 3));
  const LabelScores scores =
      score_label_sets(names_of(num_labels), sets_of(truth), sets_of(predicted), ranks, beta);

  Cells all;
  double exact = 0, wrong = 0, example_f1 = 0, example_fbeta = 0, example_precision = 0,
         example_recall = 0, ranking = 0;
  for (Index i = 0; i < n; ++i) {
    Cells cells;
    double pairs = 0, reversed = 0;
    for (Index v = 0; v < num_labels; ++v) {
      cells.add(truth[i][v], predicted[i][v]);
      all.add(truth[i][v], predicted[i][v]);
      wrong += truth[i][v] != predicted[i][v] ? 1 : 0;
      for (Index u = 0; u < num_labels; ++u) {
        if (!truth[i][v] || truth[i][u]) continue;
        pairs += 1;
        reversed += ranks[i * num_labels + v] <= ranks[i * num_labels + u] ? 1 : 0;
      }
    }
    ranking += pairs == 0 ? 0 : reversed / pairs;
    exact += truth[i] == predicted[i] ? 1 : 0;
    example_f1 += cells.f(1);
    example_fbeta += cells.f(beta);
    example_precision += cells.precision();
    example_recall += cells.recall();
  }
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-12; };
  const auto instances = static_cast<double>(n);
  RC_ASSERT(near(scores.example.f1, example_f1 / instances));
  RC_ASSERT(near(scores.example.f_beta, example_fbeta / instances));
  RC_ASSERT(near(scores.example.precision, example_precision / instances));
  RC_ASSERT(near(scores.example.recall, example_recall / instances));
  RC_ASSERT(near(*scores.ranking_loss, ranking / instances));
  RC_ASSERT(near(scores.subset_accuracy, exact / instances));
  RC_ASSERT(near(scores.hamming, wrong / (instances * static_cast<double>(num_labels))));
  RC_ASSERT(near(scores.micro.f1, all.f(1)));
  RC_ASSERT(near(scores.micro.f_beta, all.f(beta)));
  RC_ASSERT(near(scores.micro.precision, all.precision()));
  RC_ASSERT(near(scores.micro.recall, all.recall()));

  double macro = 0, macro_beta = 0, macro_present = 0, present = 0;
  for (Index v = 0; v < num_labels; ++v) {
    Cells cells;
    for (Index i = 0; i < n; ++i) cells.add(truth[i][v], predicted[i][v]);
    RC_ASSERT(near(scores.labels[v].figures.f1, cells.f(1)));
    RC_ASSERT(scores.labels[v].counts.truth == static_cast<Index>(cells.truth));
    macro += cells.f(1);
    macro_beta += cells.f(beta);
    if (cells.truth == 0) continue;
    macro_present += cells.f(1);
    present += 1;
  }
  const auto labels = static_cast<double>(num_labels);
  RC_ASSERT(near(scores.macro.f1, macro / labels));
  RC_ASSERT(near(scores.macro.f_beta, macro_beta / labels));
  RC_ASSERT(near(scores.macro_present.f1, present > 0 ? macro_present / present : macro / labels));
}

TEST(LabelScores, EmptyAgainstEmptyIsPerfect) {
  const Matrix none = {{false, false}, {false, false}};
  const LabelScores scores =
      score_label_sets(names_of(2), sets_of(none), sets_of(none), std::vector<double>(4, 0.0));
  for (const PrecisionRecall& figures :
       {scores.macro, scores.macro_present, scores.micro, scores.example}) {
    EXPECT_EQ(figures.f1, 1);
    EXPECT_EQ(figures.precision, 1);
    EXPECT_EQ(figures.recall, 1);
  }
  EXPECT_EQ(scores.hamming, 0);
  EXPECT_EQ(scores.subset_accuracy, 1);
  EXPECT_EQ(scores.ranking_loss, 0);
}

// Computed once with scikit-learn 1.2.1: f1_score(average=…, zero_division=1), hamming_loss,
// accuracy_score, label_ranking_loss.
TEST(LabelScores, EqualThoseOfScikitLearn) {
  const Matrix truth = {{1, 0, 1, 0}, {0, 1, 0, 0}, {1, 1, 1, 0}, {0, 0, 0, 0}, {0, 1, 1, 0}};
  const Matrix predicted = {{1, 1, 0, 0}, {0, 1, 0, 0}, {1, 0, 1, 0}, {0, 0, 0, 0}, {1, 1, 1, 0}};
  const std::vector<double> ranks = {3, 2, 1, 0, 1, 5, 1, 5, 2, 1, 2, 2, 0, 0, 0, 0, 0.5, 1, 2, -1};
  const LabelScores scores =
      score_label_sets(names_of(4), sets_of(truth), sets_of(predicted), ranks, 2);
  EXPECT_DOUBLE_EQ(scores.macro.f1, 0.8166666666666667);
  EXPECT_DOUBLE_EQ(scores.macro.f_beta, 0.8225108225108224);
  EXPECT_DOUBLE_EQ(scores.micro.f1, 0.75);
  EXPECT_DOUBLE_EQ(scores.example.f1, 0.82);
  EXPECT_DOUBLE_EQ(scores.example.f_beta, 0.8246753246753247);
  EXPECT_DOUBLE_EQ(scores.hamming, 0.2);
  EXPECT_DOUBLE_EQ(scores.subset_accuracy, 0.4);
  EXPECT_DOUBLE_EQ(*scores.ranking_loss, 0.31666666666666665);
}

TEST(LabelScores, TheFigureOfAMeasureIsTheOneItIsNamedAfter) {
  const Matrix truth = {{1, 0, 1}, {0, 1, 0}, {1, 1, 1}};
  const Matrix predicted = {{1, 1, 0}, {0, 1, 0}, {1, 0, 1}};
  const LabelScores scores =
      score_label_sets(names_of(3), sets_of(truth), sets_of(predicted), {}, 2);
  const auto of = [&](const char* name) { return figure(scores, parse_measure(name)); };
  EXPECT_DOUBLE_EQ(of("macro-f1"), scores.macro.f1);
  EXPECT_DOUBLE_EQ(of("macro-fbeta:2"), scores.macro.f_beta);
  EXPECT_DOUBLE_EQ(of("macro-precision"), scores.macro.precision);
  EXPECT_DOUBLE_EQ(of("macro-recall"), scores.macro.recall);
  EXPECT_DOUBLE_EQ(of("example-f1"), scores.example.f1);
  EXPECT_DOUBLE_EQ(of("example-fbeta:2"), scores.example.f_beta);
  EXPECT_DOUBLE_EQ(of("hamming"), 1 - scores.hamming);
  EXPECT_DOUBLE_EQ(quoted(of("hamming"), parse_measure("hamming")), scores.hamming);
  EXPECT_EQ(figure_name(parse_measure("hamming")), "1 - hamming");
  EXPECT_DOUBLE_EQ(quoted(of("macro-f1"), parse_measure("macro-f1")), scores.macro.f1);
  EXPECT_EQ(figure_name(parse_measure("macro-f1")), "macro-f1");
  EXPECT_GT(of("macro-fbeta:7"), 0);  // macro figures come from the counts
  EXPECT_THROW(of("example-fbeta:7"), UsageError);
}

TEST(LabelScores, RefuseWhatDoesNotFit) {
  const LabelSets two = sets_of({{true}, {false}});
  EXPECT_THROW(score_label_sets(names_of(1), two, sets_of({{true}})), UsageError);
  EXPECT_THROW(score_label_sets({}, two, two), UsageError);
  EXPECT_THROW(score_label_sets(names_of(1), {}, {}), UsageError);
  EXPECT_THROW(score_label_sets(names_of(1), two, two, {}, 0), UsageError);
  EXPECT_THROW(score_label_sets(names_of(1), two, two, std::vector<double>(3)), UsageError);
  EXPECT_THROW(score_label_sets(names_of(1), two, two, std::vector<double>(2, NAN)), UsageError);
  LabelSets beyond;
  beyond.append(std::vector<std::uint32_t>{1});
  beyond.append(std::vector<std::uint32_t>{});
  EXPECT_THROW(score_label_sets(names_of(1), beyond, two), UsageError);
}

TEST(LabelScores, AddUpInstanceByInstance) {
  const std::vector<std::uint32_t> first = {0}, both = {0, 1};
  LabelScorer scorer(names_of(2));
  EXPECT_THROW(scorer.result(), UsageError);
  scorer.add(first, first, std::vector<double>{1, 0});
  EXPECT_EQ(scorer.result().macro.f1, 1);
  scorer.add(first, both, std::vector<double>{0, 0});
  EXPECT_EQ(scorer.result().macro.f1, 0.5);
  EXPECT_EQ(scorer.result().macro_present.f1, 1);
  EXPECT_EQ(scorer.result().ranking_loss, 0.5);
  EXPECT_THROW(scorer.add(first, first), UsageError);  // scores for all, or for none
  EXPECT_THROW(scorer.add(both, std::vector<std::uint32_t>{1, 0}), UsageError);
}

TEST(LabelScores, JsonHasStableKeys) {
  const LabelSets sets = sets_of({{true, false}});
  const Value record = score_label_sets(names_of(2), sets, sets).record();
  for (const char* key : {"macro_f1", "micro_f1", "example_f1", "hamming", "subset_accuracy",
                          "macro_present_f1", "macro_f_beta", "beta", "instances"}) {
    EXPECT_TRUE(record.contains(key)) << key;
  }
  EXPECT_FALSE(record.contains("ranking_loss"));
  EXPECT_EQ(record.at("labels").at(0).at("label"), "l0");
  EXPECT_EQ(record.at("labels").at(0).at("f1"), 1.0);
}

TEST(Measure, NamesAreReadAndWrittenBack) {
  for (const char* name : {"macro-f1", "macro-fbeta:0.5", "macro-precision", "macro-recall",
                           "hamming", "example-f1", "example-fbeta:2"}) {
    EXPECT_EQ(to_string(parse_measure(name)), name);
  }
  EXPECT_EQ(to_string(parse_measure("macro-fbeta:1")), "macro-f1");
  for (const char* name : {"f1", "macro-fbeta", "macro-fbeta:", "macro-fbeta:0", "macro-fbeta:-1",
                           "macro-fbeta:nan", "macro-fbeta:1e99", "MACRO-F1", ""}) {
    EXPECT_THROW(parse_measure(name), UsageError) << name;
  }
  EXPECT_THROW(to_string(Measure{Measure::Direction::kForward, {SetMeasure::Kind::kHamming, 1}}),
               UsageError);
}

}  // namespace
}  // namespace trellis::label
