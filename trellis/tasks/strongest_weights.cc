#include "trellis/tasks/strongest_weights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace trellis {
namespace {

template <class Before>
std::vector<Index> strongest(std::span<const double> weights, Index top, const Before& before) {
  std::vector<Index> places;
  for (Index k = 0; k < weights.size(); ++k) {
    if (before(weights[k], 0.0)) places.push_back(k);
  }
  top = std::min(top, places.size());
  std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(top), places.end(),
                    [&](Index a, Index b) {
                      return weights[a] != weights[b] ? before(weights[a], weights[b]) : a < b;
                    });
  places.resize(top);
  return places;
}

}  // namespace

std::vector<Index> strongest_positive(std::span<const double> weights, Index top) {
  return strongest(weights, top, [](double a, double b) { return a > b; });
}

std::vector<Index> strongest_negative(std::span<const double> weights, Index top) {
  return strongest(weights, top, [](double a, double b) { return a < b; });
}

std::vector<Index> strongest_weights(std::span<const double> weights, Index top) {
  std::vector<Index> order(weights.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(weights[a]) > std::abs(weights[b]); });
  order.resize(std::min(order.size(), top));
  return order;
}

}  // namespace trellis
