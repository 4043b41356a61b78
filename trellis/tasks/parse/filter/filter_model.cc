#include "trellis/tasks/parse/filter/filter_model.h"

#include <algorithm>

namespace trellis::parse {
namespace {

constexpr Index kEach = kFilterTemplates.size();

}  // namespace

FilterExample make_filter_example(const SentenceAtoms& atoms, std::span<const std::uint32_t> heads,
                                  FilterNumbering& numbering) {
  const Index n = atoms.words();
  std::vector<DependencyArc> arcs;
  arcs.reserve(n * n);
  FilterExample example{DependencyArcs(0, {}), std::vector<std::uint32_t>(n), {}, {}};
  example.of_arc.reserve(n * n * kEach);
  ArcFeatures features(atoms);
  for (std::uint32_t m = 1; m <= n; ++m) {
    features.set_modifier(m);
    for (std::uint32_t h = 0; h <= n; ++h) {
      if (h == m) continue;
      if (h == heads[m - 1]) example.gold[m - 1] = static_cast<std::uint32_t>(arcs.size());
      arcs.push_back({h, m});
      features.set_head(h, false);
      features.each<TemplateTable::kFilter>(
          [&](std::uint64_t fp) { example.of_arc.push_back(filter_weight(fp)); });
    }
  }
  example.arcs = DependencyArcs(n, arcs);
  // 1: seen; then the place, from 2 on; 0 again at the end.
  std::vector<std::uint32_t>& place = numbering.place;
  for (const std::uint32_t weight : example.of_arc) {
    if (place[weight] == 0) example.features.push_back(weight);
    place[weight] = 1;
  }
  std::sort(example.features.begin(), example.features.end());
  for (Index k = 0; k < example.features.size(); ++k) {
    place[example.features[k]] = static_cast<std::uint32_t>(k + 2);
  }
  for (std::uint32_t& weight : example.of_arc) weight = place[weight] - 2;
  for (const std::uint32_t weight : example.features) place[weight] = 0;
  example.features.shrink_to_fit();
  return example;
}

void FilterModel::scores(Index i, std::span<const double> w, std::span<double> s) const {
  const FilterExample& example = examples_[i];
  const std::uint32_t* places = example.of_arc.data();
  for (Index p = 0; p < s.size(); ++p, places += kEach) {
    double sum = 0;
    for (Index k = 0; k < kEach; ++k) sum += w[example.features[places[k]]];
    s[p] = sum;
  }
}

void FilterModel::add_costs(Index i, double scale, std::span<double> s) const {
  for (double& score : s) score += scale;
  for (const std::uint32_t p : gold(i)) s[p] -= scale;
}

void FilterModel::add_features(Index i, std::span<const double> z, double scale,
                               std::span<double> gradient) const {
  const FilterExample& example = examples_[i];
  const std::uint32_t* places = example.of_arc.data();
  for (Index p = 0; p < z.size(); ++p, places += kEach) {
    if (z[p] == 0) continue;
    for (Index k = 0; k < kEach; ++k) gradient[example.features[places[k]]] += scale * z[p];
  }
}

void FilterModel::features(Index i, std::span<const double> z, double scale, Workspace&,
                           SparseVector& slope) const {
  const FilterExample& example = examples_[i];
  slope.clear();
  for (const std::uint32_t weight : example.features) slope.append(weight, 1);
  if (slope.empty()) return;
  double* values = slope.values(slope.runs().front()).data();
  const std::uint32_t* places = example.of_arc.data();
  for (Index p = 0; p < z.size(); ++p, places += kEach) {
    if (z[p] == 0) continue;
    for (Index k = 0; k < kEach; ++k) values[places[k]] += scale * z[p];
  }
}

}  // namespace trellis::parse
