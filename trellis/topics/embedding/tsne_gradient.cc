#include "trellis/topics/embedding/tsne_gradient.h"

#include <algorithm>

#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

constexpr Index kRun = 256;  // points whose sums are one task; fixes the order of additions

// Σ term(i), a run of points after the other, runs in their order.
template <class Term>
double sum_in_runs(Index n, int threads, const Term& term) {
  std::vector<double> sums((n + kRun - 1) / kRun, 0.0);
  parallel_for(sums.size(), threads, [&](Index run, int) {
    double total = 0;
    for (Index i = run * kRun; i < std::min(n, (run + 1) * kRun); ++i) total += term(i);
    sums[run] = total;
  });
  return sum(sums);
}

}  // namespace

void tsne_gradient(const Affinities& p, std::span<const Point> places, double exaggeration,
                   double theta, int threads, QuadTree& tree, TsneGradient& out) {
  const Index n = places.size();
  tree.build(places, theta);
  out.gradient.resize(n);
  // Along the curve, where neighbours walk the same nodes. A point's own share of Z is 1.
  const double z = sum_in_runs(n, threads, [&](Index rank) {
    const Index i = tree.order()[rank];
    const QuadTree::Repulsion repulsion = tree.repulsion(places[i]);
    out.gradient[i] = repulsion.force;
    return repulsion.normaliser - 1;
  });
  out.normaliser = z;
  const double inverse = z > 0 ? 1 / z : 0;
  parallel_for((n + kRun - 1) / kRun, threads, [&](Index run, int) {
    for (Index i = run * kRun; i < std::min(n, (run + 1) * kRun); ++i) {
      Point pull;
      for (std::uint64_t e = p.begin[i]; e < p.begin[i + 1]; ++e) {
        const Point& other = places[p.ids[e]];
        const double dx = places[i].x - other.x, dy = places[i].y - other.y;
        const double share = static_cast<double>(p.values[e]) / (1 + (dx * dx + dy * dy));
        pull = {pull.x + share * dx, pull.y + share * dy};
      }
      Point& g = out.gradient[i];
      g = {exaggeration * pull.x - inverse * g.x, exaggeration * pull.y - inverse * g.y};
    }
  });
}

double tsne_divergence(const Affinities& p, std::span<const Point> places, double normaliser,
                       int threads) {
  return sum_in_runs(places.size(), threads, [&](Index i) {
    double total = 0;
    for (std::uint64_t e = p.begin[i]; e < p.begin[i + 1]; ++e) {
      const auto share = static_cast<double>(p.values[e]);
      if (share < 1e-300) continue;  // p log p → 0
      const Point& other = places[p.ids[e]];
      const double dx = places[i].x - other.x, dy = places[i].y - other.y;
      total += share * portable_log(share * normaliser * (1 + (dx * dx + dy * dy)));
    }
    return total;
  });
}

}  // namespace trellis::topics
