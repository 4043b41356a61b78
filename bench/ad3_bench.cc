// AD³ and exact MAP on second-order parsing as factor graphs (parse_graph.h), compared with Clp.
//
// ad3/…             the relaxation to a residual of 1e-6: time for each sentence; the iterations
//                   within which 50 %, 95 % and 99 % of the sentences end, the share that needs 200
//                   or fewer, and the share with an integral result
// ad3/of_n_words/n  the same for sentences of n words each, from trained scores
// map/…             the best assignment, with the mean and the largest number of nodes of a search
// clp/…             the same linear program by Clp, on the first sentences: its processor time
//                   divided by that of ad3, and the relative difference of the two values
//
// Scores: trained (arcs of the hidden tree ahead by 3 standard deviations), noisy (2), hard (1.5);
// with hard scores most relaxations are fractional. All times are processor time.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "parse_graph.h"
#include "trellis/solve/factors/ad3.h"
#include "trellis/solve/factors/local_polytope.h"
#include "trellis/solve/factors/map_search.h"
#include "trellis/solve/polytopes/linear_program.h"

namespace trellis::bench {
namespace {

constexpr ParseGraphOptions kTrained{5, 3, 1, 0.5};
constexpr ParseGraphOptions kNoisy{5, 2, 0.5, 0.5};
constexpr ParseGraphOptions kHard{5, 1.5, 0.3, 0.5};

std::vector<ParseGraph> draw_sentences(Index count, Index words, const ParseGraphOptions& options) {
  std::vector<ParseGraph> sentences;
  for (Index i = 0; i < count; ++i) {
    Random random(1, i);
    const Index n = words > 0 ? words : draw_length(random);
    sentences.push_back(draw_parse_graph(n, options, random));
  }
  return sentences;
}

// run(sentence) for each in turn, all of them equally often.
template <class Run>
void measure(benchmark::State& state, const std::vector<ParseGraph>& sentences, const Run& run) {
  for (auto _ : state) {
    for (const ParseGraph& sentence : sentences) run(sentence);
  }
  const auto count = static_cast<double>(sentences.size());
  state.counters["sentences"] =
      benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate);
}

void ad3(benchmark::State& state, const ParseGraphOptions& options) {
  const auto words = state.range(0);
  const std::vector<ParseGraph> sentences =
      draw_sentences(words > 0 ? 50 : 500, static_cast<Index>(words), options);
  Ad3 solver;
  std::vector<double> z, iterations;
  double whole = 0;
  measure(state, sentences, [&](const ParseGraph& sentence) {
    z.resize(sentence.layout.num_parts());
    const Ad3Result result = solver.solve(sentence.layout, sentence.scores, {}, z);
    iterations.push_back(static_cast<double>(result.convergence.iterations) +
                         (result.convergence.converged ? 0 : 1e6));
    whole += result.integral ? 1 : 0;
  });
  std::ranges::sort(iterations);
  const auto count = static_cast<double>(iterations.size());
  const auto quantile = [&](double share) {
    return iterations[std::min(iterations.size() - 1, static_cast<Index>(share * count))];
  };
  state.counters["its_50"] = quantile(0.5);
  state.counters["its_95"] = quantile(0.95);
  state.counters["its_99"] = quantile(0.99);
  const auto quick = std::ranges::upper_bound(iterations, 200.0) - iterations.begin();
  state.counters["within_200"] = static_cast<double>(quick) / count;
  state.counters["whole"] = whole / count;
}

void map(benchmark::State& state, const ParseGraphOptions& options) {
  const std::vector<ParseGraph> sentences = draw_sentences(200, 0, options);
  MapSearch search;
  std::vector<std::uint32_t> values;
  double nodes = 0, most = 0, calls = 0;
  measure(state, sentences, [&](const ParseGraph& sentence) {
    const auto runs =
        static_cast<double>(search.solve(sentence.layout, sentence.scores, values).runs);
    nodes += runs;
    most = std::max(most, runs);
    ++calls;
  });
  state.counters["nodes"] = nodes / calls;
  state.counters["most_nodes"] = most;
}

void clp(benchmark::State& state, const ParseGraphOptions& options) {
  const std::vector<ParseGraph> sentences = draw_sentences(20, 0, options);
  Ad3 solver;
  std::vector<double> z;
  double furthest = 0;  // of the bound from the program's value, relative
  double clp_ticks = 0, ad3_ticks = 0;
  const auto ticks_of = [](const auto& run) {
    const std::clock_t begin = std::clock();
    run();
    return static_cast<double>(std::clock() - begin);
  };
  measure(state, sentences, [&](const ParseGraph& sentence) {
    LpSolution program;
    clp_ticks += ticks_of([&] {
      program = maximize_linear_program(local_polytope(sentence.layout), sentence.scores);
    });
    state.PauseTiming();
    z.resize(sentence.layout.num_parts());
    Ad3Result result;
    ad3_ticks += ticks_of([&] { result = solver.solve(sentence.layout, sentence.scores, {}, z); });
    furthest = std::max(furthest, std::abs(result.upper - program.value) / (1 + program.value));
    state.ResumeTiming();
  });
  state.counters["apart"] = furthest;
  state.counters["over_ad3"] = clp_ticks / ad3_ticks;
}

BENCHMARK_CAPTURE(ad3, trained, kTrained)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ad3, noisy, kNoisy)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ad3, hard, kHard)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ad3, of_n_words, kTrained)
    ->Arg(10)
    ->Arg(20)
    ->Arg(40)
    ->Arg(60)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(map, trained, kTrained)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(map, noisy, kNoisy)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(clp, trained, kTrained)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(clp, noisy, kNoisy)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trellis::bench

BENCHMARK_MAIN();
