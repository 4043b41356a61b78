#include "trellis/solve/factors/map_search.h"

#include <gtest/gtest.h>

#include "tests/solve/factors/factor_instance.h"

namespace trellis {
namespace {

using testing::legal_assignments;
using testing::num_assignments;
using testing::RandomFactorGraph;
using testing::Values;

double best_score(const FactorGraphLayout& graph, std::span<const double> s) {
  double best = -kInfinity;
  for (const Values& values : legal_assignments(graph)) {
    best = std::max(best, graph.score(s, values));
  }
  return best;
}

TEST(MapSearch, FindsTheBestAssignment) {
  MapSearch search;
  Values values;
  Index runs = 0, iters = 0, n = 0, mr = 0, mi = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    RandomFactorGraph draw(seed);
    const FactorGraphLayout graph = draw.any(3 + seed % 10);
    if (num_assignments(graph) > 20000) continue;
    for (Index kind = 0; kind < 4; ++kind) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " kind " << kind);
      std::vector<double> s(graph.num_parts());
      for (double& x : s) {
        x = kind == 0   ? draw.random().normal()
            : kind == 1 ? 1e6 * draw.random().normal()
            : kind == 2 ? static_cast<double>(draw.random().below(3)) - 1
                        : 0;
      }
      const MapResult result = search.solve(graph, s, values);
      EXPECT_EQ(result.value, best_score(graph, s));
      if (result.value > -kInfinity) {
        EXPECT_TRUE(graph.legal(values));
        EXPECT_EQ(graph.score(s, values), result.value);
      } else {
        EXPECT_TRUE(values.empty());
      }
      runs += result.runs;
      iters += result.iterations;
      ++n;
      mr = std::max(mr, result.runs);
      mi = std::max(mi, result.iterations);
      if (result.runs > 300)
        printf("seed %d kind %d runs %d its %d states %d\n", (int)seed, (int)kind, (int)result.runs,
               (int)result.iterations, (int)graph.num_states());
    }
  }
  printf("n %d runs %d iters %d max %d %d\n", (int)n, (int)runs, (int)iters, (int)mr, (int)mi);
}

}  // namespace
}  // namespace trellis
