// BMRM over sets of labels that attract each other, against a reference that tries all sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/problem/labels/pairwise_label_model.h"

namespace trellis {
namespace {

constexpr Index kLabels = 5;

struct TinyData {
  FeatureRows rows;
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> ids;

  LabelSetView sets() const { return {begin, ids}; }
};

// Labels 0, 1 and 2 come together; the features say little about 1 and 2.
TinyData draw_data() {
  Random random(1);
  TinyData data;
  std::vector<float> values;
  for (Index i = 0; i < 24; ++i) {
    const double a = random.normal(), b = random.normal();
    const bool together = a + 0.3 * random.normal() > 0;
    for (std::uint32_t v = 0; v < kLabels; ++v) {
      const bool given = v < 3 ? together && random.uniform() < 0.9 : b + random.normal() > 0.5;
      if (given) data.ids.push_back(v);
    }
    data.begin.push_back(data.ids.size());
    for (const double x : {a + random.normal(), b, 1.0}) values.push_back(static_cast<float>(x));
  }
  data.rows = FeatureRows::dense(3, values);
  return data;
}

// The same losses by all sets of labels.
class EnumeratedLabels final : public ConvexOracle {
 public:
  EnumeratedLabels(const PairwiseLabelModel& model, double gamma) : model_(model), gamma_(gamma) {}

  struct Memory final : public Scratch {
    PairwiseLabelModel::Workspace workspace;
  };
  Index num_examples() const override { return model_.num_examples(); }
  Index dimension() const override { return model_.dimension(); }
  std::span<const WeightRange> nonnegative() const override { return model_.nonnegative(); }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Memory>(); }

  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    std::vector<double> z;
    const double value = best(i, w, z);
    model_.features(i, z, 1, static_cast<Memory&>(scratch).workspace, cut.slope);
    cut.offset = value - cut.slope.dot(w);
    return value;
  }
  double accumulate(Index i, std::span<const double> w, Scratch&,
                    std::span<double> gradient) const override {
    std::vector<double> z;
    const double value = best(i, w, z);
    model_.add_features(i, z, 1, gradient);
    return value;
  }

 private:
  // L_i(w), and z(ŷ) − z(y_i)
  double best(Index i, std::span<const double> w, std::vector<double>& difference) const {
    const PairwiseLabelSet structure = model_.structure(i);
    const auto& gold = model_.gold(i);
    std::vector<double> s(structure.num_parts()), z(s.size()), truth(s.size());
    model_.scores(i, w, s);
    structure.indicator(gold, truth);
    difference.assign(s.size(), 0);
    double best = 0;
    for (Index bits = 0; bits < Index{1} << kLabels; ++bits) {
      PairwiseLabelSet::Output y(kLabels);
      SetCounts counts{0, 0, 0, kLabels};
      for (Index v = 0; v < kLabels; ++v) {
        y[v] = static_cast<Label>(bits >> v & 1);
        counts.predicted += static_cast<Index>(y[v]);
        counts.truth += static_cast<Index>(gold[v]);
        counts.hits += static_cast<Index>(y[v] * gold[v]);
      }
      const double value =
          structure.score(s, y) - structure.score(s, gold) + gamma_ * SetMeasure{}.loss(counts);
      if (value <= best) continue;
      best = value;
      structure.indicator(y, z);
      for (Index p = 0; p < z.size(); ++p) difference[p] = z[p] - truth[p];
    }
    return best;
  }

  const PairwiseLabelModel& model_;
  double gamma_;
};

double objective(const PairwiseLabelModel& model, double gamma, double lambda,
                 const std::vector<double>& w) {
  double norm = 0;
  for (const double weight : w) norm += weight * weight;
  return lambda / 2 * norm + model.risk_bounds(gamma, w, {100000, 0}, 1).upper;
}

TEST(PairwiseLabels, BmrmReachesTheOptimumOfTheReference) {
  const TinyData data = draw_data();
  PairwiseLabelOptions options;
  options.limits = {100000, 0};
  const PairwiseLabelModel model(data.rows, data.sets(), kLabels,
                                 frequent_label_pairs(data.sets(), kLabels, 1), options);
  for (const double gamma : {1.0, 0.5}) {
    BmrmOptions bmrm_options;
    bmrm_options.lambda = 0.02;
    LearnControl control;
    control.certify = true;
    control.gap_tolerance = 1e-7;
    std::vector<double> w(model.dimension(), 0.0), reference(model.dimension(), 0.0);
    const LearnSummary found = bmrm(SearchProblem(model, gamma), bmrm_options, w, control);
    const LearnSummary by_all =
        bmrm(EnumeratedLabels(model, gamma), bmrm_options, reference, control);
    EXPECT_EQ(found.termination, Termination::kConverged);
    EXPECT_NEAR(found.objective, by_all.objective, 3e-7 * by_all.objective);
    EXPECT_LE(found.bound, by_all.objective + 1e-12);
    EXPECT_NEAR(objective(model, gamma, 0.02, w), found.objective, 1e-9);
    for (Index j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], reference[j], 2e-2) << j;
    const auto pairs = std::span(w).subspan(model.first_pair_weight());
    EXPECT_GE(*std::min_element(pairs.begin(), pairs.end()), 0);
    EXPECT_GT(*std::max_element(pairs.begin(), pairs.end()), 0.01);  // couplings were learned
  }
}

TEST(PairwiseLabels, BoundsOfTrainingHoldWhereTheGeneratorIsAlgorithm5) {
  const TinyData data = draw_data();
  const LabelPairs pairs = frequent_label_pairs(data.sets(), kLabels, 1);
  PairwiseLabelOptions options;
  options.coupling_scale = 4;
  const PairwiseLabelModel exact(data.rows, data.sets(), kLabels, pairs, options);
  options.generator = PairwiseGenerator::kAlgorithm5;
  const PairwiseLabelModel greedy(data.rows, data.sets(), kLabels, pairs, options);
  BmrmOptions bmrm_options;
  bmrm_options.lambda = 0.01;
  bmrm_options.max_iterations = 300;
  LearnControl control;
  control.gap_tolerance = 1e-6;
  std::vector<double> w(exact.dimension(), 0.0), v(exact.dimension(), 0.0);
  const LearnSummary best = bmrm(SearchProblem(exact), bmrm_options, w, control);
  const LearnSummary rough = bmrm(SearchProblem(greedy), bmrm_options, v, control);
  EXPECT_LE(rough.bound, best.objective + 1e-9);  // its cuts are cuts
  const double truth = objective(exact, 1, bmrm_options.lambda, v);
  EXPECT_GE(rough.objective, truth - 1e-9);
  EXPECT_LE(rough.objective - rough.missed, truth + 1e-9);
  EXPECT_GE(rough.objective, best.bound - 1e-9);
  EXPECT_GT(rough.missed, 0);
  EXPECT_EQ(rough.termination, Termination::kStalled);
  EXPECT_EQ(rough.certificate(), CertificateKind::kUpperBounds);
  EXPECT_EQ(best.certificate(), CertificateKind::kExact);
}

TEST(PairwiseLabels, SameBitsForAnyNumberOfThreads) {
  const TinyData data = draw_data();
  PairwiseLabelOptions options;
  options.limits = {3, 2};  // a search that is cut short
  std::vector<std::vector<double>> weights;
  std::vector<PairwiseStatistics> statistics;
  for (const int threads : {1, 4}) {
    const PairwiseLabelModel model(data.rows, data.sets(), kLabels,
                                   frequent_label_pairs(data.sets(), kLabels, 1), options);
    BmrmOptions bmrm_options;
    bmrm_options.lambda = 0.01;
    bmrm_options.max_iterations = 20;
    LearnControl control;
    control.threads = threads;
    weights.emplace_back(model.dimension(), 0.0);
    bmrm(SearchProblem(model), bmrm_options, weights.back(), control);
    statistics.push_back(model.statistics());
  }
  EXPECT_EQ(weights[0], weights[1]);
  EXPECT_EQ(statistics[0].proven, statistics[1].proven);
  EXPECT_EQ(statistics[0].cuts, statistics[1].cuts);
  EXPECT_EQ(statistics[0].remaining, statistics[1].remaining);
}

}  // namespace
}  // namespace trellis
