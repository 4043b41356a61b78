#include "trellis/tasks/grammar/model/span_model.h"

namespace trellis::grammar {
namespace {

// Σ over edges of z times the generative grammar's score.
double generative_sum(const SpanExample& example, std::span<const double> z) {
  const Index nodes = example.chart.nodes.size();
  double sum = 0;
  for (Index e = 0; e < example.generative.size(); ++e) {
    if (z[nodes + e] != 0) sum += z[nodes + e] * static_cast<double>(example.generative[e]);
  }
  return sum;
}

// Σ over the edges of words of z times the tagger's score.
double tagger_sum(const SpanExample& example, std::span<const double> z) {
  const Index nodes = example.chart.nodes.size();
  double sum = 0;
  for (const auto& [edge, log_probability] : example.tagger) {
    sum += z[nodes + edge] * static_cast<double>(log_probability);
  }
  return sum;
}

}  // namespace

void SpanModel::scores(const SpanExample& example, std::span<const double> w, std::span<double> s) {
  for (Index p = 0; p < s.size(); ++p) {
    double sum = 0;
    for (const std::uint32_t number : example.of_part[p]) sum += w[example.features[number]];
    s[p] = sum;
  }
  const Index nodes = example.chart.nodes.size();
  const double weight = w[SpanNumbers::kGenerative];
  for (Index e = 0; e < example.generative.size(); ++e) {
    s[nodes + e] += weight * static_cast<double>(example.generative[e]);
  }
  for (const auto& [edge, log_probability] : example.tagger) {
    s[nodes + edge] += w[SpanNumbers::kTagger] * static_cast<double>(log_probability);
  }
}

// Up to the number of true brackets and tags, which all trees have in common.
void SpanModel::add_costs(Index i, double scale, std::span<double> s) const {
  const auto example = examples_->get(i);
  const Index nodes = example->chart.nodes.size();
  for (Index e = 0; e < example->costs.size(); ++e) {
    s[nodes + e] += scale * static_cast<double>(example->costs[e]);
  }
}

void SpanModel::add_features(Index i, std::span<const double> z, double scale,
                             std::span<double> gradient) const {
  const auto held = examples_->get(i);
  const SpanExample& example = *held;
  for (Index p = 0; p < z.size(); ++p) {
    if (z[p] == 0) continue;
    for (const std::uint32_t number : example.of_part[p]) {
      gradient[example.features[number]] += scale * z[p];
    }
  }
  gradient[SpanNumbers::kGenerative] += scale * generative_sum(example, z);
  gradient[SpanNumbers::kTagger] += scale * tagger_sum(example, z);
}

void SpanModel::features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                         SparseVector& slope) const {
  const auto held = examples_->get(i);
  const SpanExample& example = *held;
  workspace.values.assign(example.features.size(), 0.0);
  workspace.touched.assign(example.features.size(), 0);
  for (Index p = 0; p < z.size(); ++p) {
    if (z[p] == 0) continue;
    for (const std::uint32_t number : example.of_part[p]) {
      workspace.values[number] += scale * z[p];
      workspace.touched[number] = 1;
    }
  }
  slope.clear();
  const std::span<double> scores = slope.append(SpanNumbers::kGenerative, SpanNumbers::kScores);
  scores[SpanNumbers::kGenerative] = scale * generative_sum(example, z);
  scores[SpanNumbers::kTagger] = scale * tagger_sum(example, z);
  for (Index k = 0; k < example.features.size();) {
    if (workspace.touched[k] == 0) {
      ++k;
      continue;
    }
    const Index first = k;
    while (k < example.features.size() && workspace.touched[k] != 0 &&
           example.features[k] == example.features[first] + (k - first)) {
      ++k;
    }
    const std::span<double> run = slope.append(example.features[first], k - first);
    for (Index r = 0; r < run.size(); ++r) run[r] = workspace.values[first + r];
  }
}

}  // namespace trellis::grammar
