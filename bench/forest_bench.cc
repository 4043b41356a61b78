// Packed forests of full charts: n words, thirty symbols, ten binary rules for each symbol at each
// place where a span can be split, and five unary rules for each symbol.
//
// maximum/n      the best derivation of normal scores
// k_best/n       the ten best
// log_sum/n      log Σ over all derivations; marginals/n with the probabilities of nodes and edges
// entropy/n      the entropy
// build/n        building the forest in existing memory
//
// All in processor time; the rate is in edges.
#include <benchmark/benchmark.h>

#include <vector>

#include "trellis/base/random.h"
#include "trellis/structure/trees/parse_forest.h"

namespace trellis::bench {
namespace {

constexpr Index kSymbols = 30, kBinaryRules = 10, kUnaryRules = 5;

struct Rules {
  struct Pair {
    std::uint32_t left, right;
  };
  Rules() {
    Random random(1);
    const auto symbol = [&] { return static_cast<std::uint32_t>(random.below(kSymbols)); };
    for (Index rule = 0; rule < kSymbols * kBinaryRules; ++rule) {
      const std::uint32_t left = symbol();
      binary.push_back({left, symbol()});
    }
    for (Index rule = 0; rule < kSymbols * kUnaryRules; ++rule) unary.push_back(symbol());
  }
  std::vector<Pair> binary;          // those of symbol a from a · kBinaryRules on
  std::vector<std::uint32_t> unary;  // those of symbol a from a · kUnaryRules on
};

// By width; the nodes of a span are its symbols below unary rules, then above them.
void fill_chart(const Rules& rules, Index words, PackedForest& forest) {
  const auto nodes_before = [&](Index begin, Index width) {
    return ((width - 1) * (2 * words - width + 2) / 2 + begin) * 2 * kSymbols;
  };
  const auto above = [&](Index begin, Index width) {
    return static_cast<std::uint32_t>(nodes_before(begin, width) + kSymbols);
  };
  forest.clear();
  for (Index width = 1; width <= words; ++width) {
    for (Index begin = 0; begin + width <= words; ++begin) {
      for (Index a = 0; a < kSymbols; ++a) {
        forest.add_node();
        if (width == 1) forest.add_edge();
        for (Index middle = 1; middle < width; ++middle) {
          const std::uint32_t left = above(begin, middle);
          const std::uint32_t right = above(begin + middle, width - middle);
          for (Index rule = a * kBinaryRules; rule < (a + 1) * kBinaryRules; ++rule) {
            forest.add_edge(left + rules.binary[rule].left, right + rules.binary[rule].right);
          }
        }
      }
      const auto below = static_cast<std::uint32_t>(forest.num_nodes() - kSymbols);
      for (Index a = 0; a < kSymbols; ++a) {
        forest.add_node();
        for (Index rule = a * kUnaryRules; rule < (a + 1) * kUnaryRules; ++rule) {
          forest.add_edge(below + rules.unary[rule]);
        }
      }
    }
  }
}

// run(structure, scores, scratch), after a first one that brings the memory.
template <class Run>
void measure(benchmark::State& state, const Run& run) {
  PackedForest forest;
  fill_chart(Rules(), static_cast<Index>(state.range(0)), forest);
  const ParseForest structure(forest);
  ParseForest::Scratch scratch;
  Random random(2);
  std::vector<double> s(structure.num_parts());
  for (double& score : s) score = random.normal();
  run(structure, s, scratch);
  for (auto _ : state) run(structure, s, scratch);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(forest.num_edges()));
  state.counters["edges"] = static_cast<double>(forest.num_edges());
}

void maximum(benchmark::State& state) {
  ParseForest::Output y;
  measure(state, [&](const auto& structure, const auto& s, auto& scratch) {
    benchmark::DoNotOptimize(structure.maximize(s, scratch, y));
  });
}

void k_best(benchmark::State& state) {
  std::vector<ScoredOutput<ParseForest::Output>> best;
  measure(state, [&](const auto& structure, const auto& s, auto& scratch) {
    structure.k_best(s, 10, scratch, best);
  });
}

void log_sum(benchmark::State& state) {
  measure(state, [&](const auto& structure, const auto& s, auto& scratch) {
    benchmark::DoNotOptimize(structure.log_partition(s, scratch));
  });
}

void marginals(benchmark::State& state) {
  std::vector<double> z;
  measure(state, [&](const auto& structure, const auto& s, auto& scratch) {
    z.resize(s.size());
    benchmark::DoNotOptimize(structure.log_partition(s, scratch, z));
  });
}

void entropy(benchmark::State& state) {
  measure(state, [&](const auto& structure, const auto& s, auto& scratch) {
    benchmark::DoNotOptimize(structure.entropy(s, scratch));
  });
}

void build(benchmark::State& state) {
  const Rules rules;
  PackedForest forest;
  for (auto _ : state) fill_chart(rules, static_cast<Index>(state.range(0)), forest);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(forest.num_edges()));
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int n : {10, 20, 30, 40}) bench->Arg(n);
  bench->Unit(benchmark::kMillisecond);
}

BENCHMARK(maximum)->Apply(sizes);
BENCHMARK(k_best)->Apply(sizes);
BENCHMARK(log_sum)->Apply(sizes);
BENCHMARK(marginals)->Apply(sizes);
BENCHMARK(entropy)->Apply(sizes);
BENCHMARK(build)->Apply(sizes);

}  // namespace
}  // namespace trellis::bench

BENCHMARK_MAIN();
