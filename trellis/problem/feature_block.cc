#include "trellis/problem/feature_block.h"

#include <algorithm>

namespace trellis {

void FeatureBlock::add_scores(std::span<const double> w, std::span<double> s) const {
  const double* weights = w.data() + weight_begin;
  double* scores = s.data() + part_begin;
  const auto add = [&](Index r, Index k, double value) {
    for (Index t = 0; t < targets; ++t) {
      scores[r * targets + t] += scale * value * weights[k * targets + t];
    }
  };
  for (Index r = 0; r < rows.num_rows(); ++r) {
    if (rows.is_dense() && targets == 1) {  // by far the most common: a dot product
      double sum = 0;
      rows.for_each(r, [&](Index k, double x) { sum += x * weights[k]; });
      scores[r] += scale * sum;
    } else {
      rows.for_each(r, [&](Index k, double x) { add(r, k, x); });
    }
  }
}

template <class Visit>
void FeatureBlock::for_each_active(std::span<const double> z, const Visit& visit) const {
  for (Index r = 0; r < rows.num_rows(); ++r) {
    const auto parts = z.subspan(part_begin + r * targets, targets);
    if (std::all_of(parts.begin(), parts.end(), [](double part) { return part == 0; })) continue;
    rows.for_each(r, [&](Index k, double x) { visit(k, x, parts); });
  }
}

void FeatureBlock::add_features(std::span<const double> z, double factor,
                                std::span<double> gradient) const {
  double* block = gradient.data() + weight_begin;
  for_each_active(z, [&](Index k, double value, std::span<const double> parts) {
    for (Index t = 0; t < targets; ++t) {
      block[k * targets + t] += factor * scale * value * parts[t];
    }
  });
}

void FeatureBlock::append_features(std::span<const double> z, double factor,
                                   std::vector<std::uint32_t>& distinct,
                                   SparseVector& slope) const {
  if (rows.is_dense()) {
    const std::span<double> run = slope.append(weight_begin, rows.width() * targets);
    for_each_active(z, [&](Index k, double value, std::span<const double> parts) {
      for (Index t = 0; t < targets; ++t) run[k * targets + t] += factor * scale * value * parts[t];
    });
    return;
  }
  distinct.clear();
  for_each_active(z, [&](Index k, double, std::span<const double>) {
    distinct.push_back(static_cast<std::uint32_t>(k));
  });
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const Index first = slope.runs().size();
  for (const std::uint32_t k : distinct) slope.append(weight_begin + k * targets, targets);
  for_each_active(z, [&](Index k, double value, std::span<const double> parts) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), k) - distinct.begin();
    const std::span<double> run = slope.values(slope.runs()[first + static_cast<Index>(at)]);
    for (Index t = 0; t < targets; ++t) run[t] += factor * scale * value * parts[t];
  });
}

}  // namespace trellis
