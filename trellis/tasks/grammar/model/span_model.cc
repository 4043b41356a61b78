#include "trellis/tasks/grammar/model/span_model.h"

namespace trellis::grammar {
namespace {

constexpr std::uint8_t kTrueBracket = 2;

// Σ over edges of z times the generative grammar's score.
double generative_sum(const SpanExample& example, std::span<const double> z) {
  const Index nodes = example.chart.nodes.size();
  double sum = 0;
  for (Index e = 0; e < example.generative.size(); ++e) {
    if (z[nodes + e] != 0) sum += z[nodes + e] * static_cast<double>(example.generative[e]);
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
}

// Up to the number of true brackets, which all trees have in common.
void SpanModel::add_costs(Index i, double scale, std::span<double> s) const {
  const std::vector<std::uint8_t>& brackets = examples_[i].judged;
  for (Index v = 0; v < brackets.size(); ++v) {
    if (brackets[v] != 0) s[v] += brackets[v] == kTrueBracket ? -scale : scale;
  }
}

void SpanModel::add_features(Index i, std::span<const double> z, double scale,
                             std::span<double> gradient) const {
  const SpanExample& example = examples_[i];
  for (Index p = 0; p < z.size(); ++p) {
    if (z[p] == 0) continue;
    for (const std::uint32_t number : example.of_part[p]) {
      gradient[example.features[number]] += scale * z[p];
    }
  }
  gradient[SpanNumbers::kGenerative] += scale * generative_sum(example, z);
}

void SpanModel::features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                         SparseVector& slope) const {
  const SpanExample& example = examples_[i];
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
  slope.append(SpanNumbers::kGenerative, 1)[0] = scale * generative_sum(example, z);
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
