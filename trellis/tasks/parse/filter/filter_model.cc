#include "trellis/tasks/parse/filter/filter_model.h"

#include <algorithm>

namespace trellis::parse {
namespace {

// From weights to places among the distinct ones.
void number_filter_features(FilterNumbering& numbering, FilterExample& example) {
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
}

}  // namespace

template <FilterStage kStage>
FilterExample make_filter_example(const SentenceAtoms& atoms, std::span<const DependencyArc> arcs,
                                  std::span<const std::uint32_t> heads,
                                  FilterNumbering& numbering) {
  const Index n = atoms.words();
  FilterExample example{DependencyArcs(n, arcs), std::vector<std::uint32_t>(n), {}, {}};
  example.of_arc.reserve(arcs.size() * num_filter_features(kStage));
  ArcFeatures features(atoms);
  for (std::uint32_t p = 0; p < arcs.size(); ++p) {
    const auto [h, m] = arcs[p];
    if (h == heads[m - 1]) example.gold[m - 1] = p;
    features.set_modifier(m);
    features.set_head(h, false);
    features.each<filter_table(kStage)>([&](std::uint64_t fingerprint) {
      example.of_arc.push_back(filter_weight<kStage>(fingerprint));
    });
  }
  number_filter_features(numbering, example);
  return example;
}

template FilterExample make_filter_example<FilterStage::kTags>(const SentenceAtoms&,
                                                               std::span<const DependencyArc>,
                                                               std::span<const std::uint32_t>,
                                                               FilterNumbering&);
template FilterExample make_filter_example<FilterStage::kWords>(const SentenceAtoms&,
                                                                std::span<const DependencyArc>,
                                                                std::span<const std::uint32_t>,
                                                                FilterNumbering&);

void FilterModel::scores(Index i, std::span<const double> w, std::span<double> s) const {
  const FilterExample& example = examples_[i];
  const std::uint32_t* places = example.of_arc.data();
  for (Index p = 0; p < s.size(); ++p, places += each_) {
    double sum = 0;
    for (Index k = 0; k < each_; ++k) sum += w[example.features[places[k]]];
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
  for (Index p = 0; p < z.size(); ++p, places += each_) {
    if (z[p] == 0) continue;
    for (Index k = 0; k < each_; ++k) gradient[example.features[places[k]]] += scale * z[p];
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
  for (Index p = 0; p < z.size(); ++p, places += each_) {
    if (z[p] == 0) continue;
    for (Index k = 0; k < each_; ++k) values[places[k]] += scale * z[p];
  }
}

}  // namespace trellis::parse
