// Dependency trees of n words: the best, the k best, and sums over all, compared with Eigen's LU.
//
// maximum/n            the maximum spanning arborescence of normal scores; one/n with one root
// k_best/n             the ten best
// lu/n                 Eigen's partialPivLu of an n × n matrix, with AVX2 on x86-64
// log_sum/n            log Σ by elimination; marginals/n with the probabilities of all arcs
// marginals_large/n    with scores a hundred times as large, beyond the range of doubles
// draw/n               a draw after the elimination
// project/n            the nearest point to normal scores, and the trees (`asked`) it computes
//
// All in processor time.
#include <benchmark/benchmark.h>

#include <vector>

#include "peer_eigen_lu.h"
#include "trellis/base/random.h"
#include "trellis/structure/trees/dependency_tree.h"

namespace trellis::bench {
namespace {

constexpr Index kSentences = 8;  // taken in turn

// All arcs between n words and from the root, with normal scores.
struct Sentences {
  Sentences(Index n, double scale) : arcs(n, complete(n)) {
    Random random(1);
    for (Index i = 0; i < kSentences; ++i) {
      for (Index p = 0; p < arcs.size(); ++p) scores[i].push_back(scale * random.normal());
    }
  }
  static std::vector<DependencyArc> complete(Index n) {
    std::vector<DependencyArc> all;
    for (std::uint32_t m = 1; m <= n; ++m) {
      for (std::uint32_t h = 0; h <= n; ++h) {
        if (h != m) all.push_back({h, m});
      }
    }
    return all;
  }

  DependencyArcs arcs;
  std::vector<double> scores[kSentences];
};

// run(structure, scores, scratch), in turn.
template <class Run>
void measure(benchmark::State& state, double scale, Roots roots, const Run& run) {
  const Sentences sentences(static_cast<Index>(state.range(0)), scale);
  const DependencyTree structure(sentences.arcs, roots);
  DependencyTree::Scratch scratch;
  Index next = 0;
  for (auto _ : state) run(structure, sentences.scores[next++ % kSentences], scratch);
}

void maximum(benchmark::State& state, Roots roots) {
  DependencyTree::Output y;
  measure(state, 1, roots, [&](const auto& structure, const auto& s, auto& scratch) {
    benchmark::DoNotOptimize(structure.maximize(s, scratch, y));
  });
}

void k_best(benchmark::State& state) {
  std::vector<ScoredOutput<DependencyTree::Output>> best;
  measure(state, 1, Roots::kAny, [&](const auto& structure, const auto& s, auto& scratch) {
    structure.k_best(s, 10, scratch, best);
  });
}

void log_sum(benchmark::State& state, Roots roots) {
  measure(state, 1, roots, [&](const auto& structure, const auto& s, auto& scratch) {
    benchmark::DoNotOptimize(structure.log_partition(s, scratch));
  });
}

void marginals(benchmark::State& state, double scale, Roots roots) {
  std::vector<double> z;
  measure(state, scale, roots, [&](const auto& structure, const auto& s, auto& scratch) {
    z.resize(s.size());
    benchmark::DoNotOptimize(structure.log_partition(s, scratch, z));
  });
}

void draw(benchmark::State& state) {
  const Sentences sentences(static_cast<Index>(state.range(0)), 1);
  const DependencyTree structure(sentences.arcs, Roots::kAny);
  DependencyTree::Scratch scratch;
  DependencyTree::Output y;
  Random random(2);
  for (auto _ : state) structure.sample(sentences.scores[0], random, scratch, y);
}

void project(benchmark::State& state) {
  std::vector<double> z;
  double asked = 0;
  measure(state, 1, Roots::kAny, [&](const auto& structure, const auto& s, auto& scratch) {
    z.resize(s.size());
    asked += static_cast<double>(structure.project(s, scratch, z).factorizations);
  });
  state.counters["asked"] = benchmark::Counter(asked, benchmark::Counter::kAvgIterations);
}

void lu(benchmark::State& state) {
  const auto n = static_cast<Index>(state.range(0));
  Random random(3);
  std::vector<double> matrix(n * n);
  for (double& value : matrix) value = random.normal();
  EigenLu decomposition(n);
  for (auto _ : state) benchmark::DoNotOptimize(decomposition.determinant(matrix.data()));
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int n : {10, 20, 30, 40, 50, 70, 100}) bench->Arg(n);
  bench->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(maximum, any, Roots::kAny)->Apply(sizes);
BENCHMARK_CAPTURE(maximum, one, Roots::kOne)->Apply(sizes);
BENCHMARK(k_best)->Apply(sizes);
BENCHMARK(lu)->Apply(sizes);
BENCHMARK_CAPTURE(log_sum, any, Roots::kAny)->Apply(sizes);
BENCHMARK_CAPTURE(log_sum, one, Roots::kOne)->Apply(sizes);
BENCHMARK_CAPTURE(marginals, any, 1, Roots::kAny)->Apply(sizes);
BENCHMARK_CAPTURE(marginals, one, 1, Roots::kOne)->Apply(sizes);
BENCHMARK_CAPTURE(marginals, large, 100, Roots::kAny)->Apply(sizes);
BENCHMARK(draw)->Apply(sizes);
BENCHMARK(project)->Arg(10)->Arg(20)->Arg(30)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace trellis::bench

BENCHMARK_MAIN();
