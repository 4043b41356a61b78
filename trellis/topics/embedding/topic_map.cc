#include "trellis/topics/embedding/topic_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/embedding/leading_axes.h"

namespace trellis::topics {
namespace {

constexpr int kScalingRounds = 300;

double entropy_term(double p) {
  return p < std::numeric_limits<double>::min() ? 0 : -p * portable_log(p);
}

double entropy(std::span<const double> p) {
  double total = 0;
  for (const double share : p) total += entropy_term(share);
  return total;
}

double middle_entropy(std::span<const double> p, std::span<const double> q) {
  double total = 0;
  for (Index i = 0; i < p.size(); ++i) total += entropy_term((p[i] + q[i]) / 2);
  return total;
}

// −½ J D² J, J = I − 1/n: the inner products of places around their mean.
std::vector<double> inner_products(std::span<const double> squared_distances, Index n) {
  std::vector<double> means(n);
  for (Index i = 0; i < n; ++i) {
    means[i] = sum(squared_distances.subspan(i * n, n)) / static_cast<double>(n);
  }
  const double mean = sum(means) / static_cast<double>(n);
  std::vector<double> products(n * n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      products[i * n + j] = -0.5 * (squared_distances[i * n + j] - means[i] - means[j] + mean);
    }
  }
  return products;
}

}  // namespace

double jensen_shannon(std::span<const double> p, std::span<const double> q) {
  return std::max(0.0, middle_entropy(p, q) - (entropy(p) + entropy(q)) / 2);
}

std::vector<Point> classical_scaling(std::span<const double> squared_distances, Index n) {
  if (squared_distances.size() != n * n) throw UsageError("classical scaling: no square table");
  const std::vector<double> products = inner_products(squared_distances, n);
  const LeadingAxes axes =
      leading_axes(n, 2, kScalingRounds, [&](std::span<const double> v, std::span<double> out) {
        for (Index i = 0; i < n; ++i) out[i] = dot(std::span(products).subspan(i * n, n), v);
      });
  std::vector<Point> places(n);
  for (Index axis = 0; axis < axes.vectors.size(); ++axis) {
    const double length = std::sqrt(axes.values[axis]);
    for (Index i = 0; i < n; ++i) {
      (axis == 0 ? places[i].x : places[i].y) = length * axes.vectors[axis][i];
    }
  }
  return places;
}

std::vector<Point> topic_map(std::span<const double> topics, Index num_words, int threads) {
  if (num_words == 0 || topics.size() % num_words != 0) {
    throw UsageError("topic map: the probabilities are no whole number of topics");
  }
  const Index n = topics.size() / num_words;
  threads = resolve_threads(threads);
  const auto row = [&](Index k) { return topics.subspan(k * num_words, num_words); };
  std::vector<double> entropies(n), divergences(n * n, 0.0);
  parallel_for(n, threads, [&](Index k, int) { entropies[k] = entropy(row(k)); });
  parallel_for(n, threads, [&](Index k, int) {
    for (Index l = 0; l < k; ++l) {
      const double middle = middle_entropy(row(k), row(l));
      divergences[k * n + l] = divergences[l * n + k] =
          std::max(0.0, middle - (entropies[k] + entropies[l]) / 2);
    }
  });
  return classical_scaling(divergences, n);
}

}  // namespace trellis::topics
