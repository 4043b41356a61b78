// Sums over matchings, and draws for matchings too large for sums.
//
// exact/n            log Z and all marginals
// first_draw/n       the first draw from a matrix: bounds and splits
// draw/SCORES/n      a draw after that; `acceptance` of the attempts, `log_excess` = log U − log Z
//   points           noisy copies of n random points of the unit square, to be matched by squared
//                    distance over twice the noise's variance, which makes a third of them doubtful
//   normal3          normal scores with a deviation of 3, for which most attempts are rejected
//   house            the CMU house's 30 landmarks under weights learned from draws
//   (TRELLIS_DATA)
// train/M            learning a matcher of M points by exact sums; seconds for each observation,
//                    and those of the thesis (Petterson 2011, table 5.2: an Intel Core2 of 2.4 GHz,
//                    M = 20 by draws)
//
// All in processor time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/house_pairs.h"
#include "trellis/base/random.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/online/sgd.h"
#include "trellis/problem/block_model.h"
#include "trellis/problem/monte_carlo_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/solve/matchings/matching_sampler.h"
#include "trellis/solve/matchings/permanent.h"
#include "trellis/structure/matchings/permutation.h"

namespace trellis::bench {
namespace {

using Scores = std::vector<double>;
using Model = BlockModel<Permutation>;

Scores normal_scores(Index n, double size, std::uint64_t seed) {
  Random random(seed);
  Scores s(n * n);
  for (double& score : s) score = size * random.normal();
  return s;
}

// The points' coordinates and those of their noisy copies. The noise is the mean distance between
// neighbours, 1/2√n, over 1.5.
struct PointPair {
  std::vector<match::Point> left, right;
  double noise;
};

PointPair noisy_points(Index n, std::uint64_t seed) {
  Random random(seed);
  PointPair pair;
  pair.noise = 1 / (3 * std::sqrt(static_cast<double>(n)));
  for (Index i = 0; i < n; ++i) {
    const match::Point p{random.uniform(), random.uniform()};
    pair.left.push_back(p);
    pair.right.push_back({p.x + pair.noise * random.normal(), p.y + pair.noise * random.normal()});
  }
  return pair;
}

Scores point_scores(Index n, std::uint64_t seed) {
  const PointPair pair = noisy_points(n, seed);
  Scores s;
  for (const match::Point& p : pair.left) {
    for (const match::Point& q : pair.right) {
      const double dx = p.x - q.x, dy = p.y - q.y;
      s.push_back(-(dx * dx + dy * dy) / (2 * pair.noise * pair.noise));
    }
  }
  return s;
}

void exact(benchmark::State& state) {
  const auto n = static_cast<Index>(state.range(0));
  Scores s = normal_scores(n, 1, 1), marginals(n * n);
  PermanentSums sums;
  for (auto _ : state) {
    s[0] += 1e-9;  // not what it has in store
    benchmark::DoNotOptimize(sums.log_sum(n, s, marginals));
  }
}

void first_draw(benchmark::State& state) {
  const auto n = static_cast<Index>(state.range(0));
  Scores s = point_scores(n, 1);
  MatchingSampler sampler;
  for (auto _ : state) {
    s[0] += 1e-9;
    sampler.prepare(n, s);
  }
}

void draw(benchmark::State& state, Index n, const std::function<Scores(std::uint64_t)>& scores) {
  constexpr std::uint64_t kMatrices = 5;
  std::vector<MatchingSampler> samplers(kMatrices);
  for (std::uint64_t seed = 0; seed < kMatrices; ++seed) samplers[seed].prepare(n, scores(seed));
  std::vector<Label> columns(n);
  Random random(1);
  std::uint64_t next = 0;
  for (auto _ : state) samplers[next++ % kMatrices].draw(random, columns);
  double attempts = 0, accepted = 0;
  for (const MatchingSampler& sampler : samplers) {
    attempts += static_cast<double>(sampler.attempts());
    accepted += static_cast<double>(sampler.accepted());
  }
  state.counters["acceptance"] = accepted / attempts;
  state.counters["log_excess"] = std::log(attempts / accepted);
}

// Pairs of frames 60 apart; the weights are those of a few passes of averaged SGD.
class House {
 public:
  explicit House(const std::string& path) : model_(permutations(read_frames(path))) {
    const MonteCarloProblem<Model> problem(model_, MonteCarloOptions{.draws = 8});
    SgdOptions options;
    options.lambda = 0.01;
    options.eta = 10;
    options.average = true;
    options.max_epochs = 4;
    w_.assign(model_.dimension(), 0.0);
    sgd(problem, options, w_);
  }
  Scores scores(Index i) const {
    Scores s(model_.structure(i).num_parts());
    model_.scores(i, w_, s);
    return s;
  }

 private:
  static Model permutations(const std::vector<Frame>& frames) {
    const BlockModel<Matching> pairs = house_pairs(frames, 60, 0);
    std::vector<BlockExample<Permutation>> examples;
    for (Index i = 0; i < pairs.num_examples(); ++i) {
      const BlockExample<Matching>& pair = pairs.example(i);
      examples.push_back({Permutation(pair.structure.num_left()), pair.gold, pair.blocks,
                          pair.costs, pair.weight});
    }
    return {pairs.dimension(), std::move(examples)};
  }
  Model model_;
  std::vector<double> w_;
};

// An edge's features: squared differences of the coordinates, as in (5.15).
Model point_matchings(Index n, Index count) {
  std::vector<BlockExample<Permutation>> examples;
  for (Index i = 0; i < count; ++i) {
    const PointPair pair = noisy_points(n, 100 + i);
    std::vector<float> features;
    for (const match::Point& p : pair.left) {
      for (const match::Point& q : pair.right) {
        features.push_back(static_cast<float>((p.x - q.x) * (p.x - q.x)));
        features.push_back(static_cast<float>((p.y - q.y) * (p.y - q.y)));
      }
    }
    BlockExample<Permutation> example{Permutation(n), {}, {}, std::vector<double>(n * n, 0.0), 1};
    for (Index k = 0; k < n; ++k) example.gold.push_back(static_cast<Label>(k));
    example.blocks.push_back({FeatureRows::dense(2, std::move(features)), 0, 1, 0, 1});
    examples.push_back(std::move(example));
  }
  return {2, std::move(examples)};
}

void train(benchmark::State& state, double thesis_seconds) {
  const auto n = static_cast<Index>(state.range(0));
  const Index count = n > 10 ? 10 : 200;
  const Model model = point_matchings(n, count);
  const SmoothProblem<Model> problem(model);
  LbfgsOptions options;
  options.lambda = 1e-4;
  for (auto _ : state) {
    std::vector<double> w(2, 0.0);
    benchmark::DoNotOptimize(lbfgs(problem, options, w).objective);
  }
  using benchmark::Counter;
  state.counters["seconds_each"] =
      Counter(static_cast<double>(count),
              Counter::Flags(Counter::kIsIterationInvariantRate | Counter::kInvert));
  state.counters["thesis"] = thesis_seconds;
}

void register_draws() {
  using benchmark::RegisterBenchmark;
  for (const Index n : {Index{20}, Index{30}, Index{50}}) {
    RegisterBenchmark(fmt::format("draw/points/{}", n).c_str(), [n](benchmark::State& state) {
      draw(state, n, [n](std::uint64_t seed) { return point_scores(n, seed); });
    })->Unit(benchmark::kMillisecond);
  }
  for (const Index n : {Index{20}, Index{30}}) {
    RegisterBenchmark(fmt::format("draw/normal3/{}", n).c_str(), [n](benchmark::State& state) {
      draw(state, n, [n](std::uint64_t seed) { return normal_scores(n, 3, seed); });
    })->Unit(benchmark::kMillisecond);
  }
  const char* data = std::getenv("TRELLIS_DATA");
  if (data == nullptr) return;
  const std::string path = std::string(data) + "/cmu_house/house.tsv.gz";
  RegisterBenchmark("draw/house/30",
                    [path](benchmark::State& state) {
                      const House house(path);
                      draw(state, 30, [&](std::uint64_t i) { return house.scores(i); });
                    })
      ->Unit(benchmark::kMillisecond)
      ->Iterations(200);
}

BENCHMARK(exact)->DenseRange(3, 5)->DenseRange(8, 22, 2)->Unit(benchmark::kMicrosecond);
BENCHMARK(first_draw)->Arg(20)->Arg(30)->Arg(50)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, M, 0.0006661)->Arg(3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, M, 0.0011277)->Arg(4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, M, 0.0030187)->Arg(5)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, M, 36.03)->Arg(20)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace trellis::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  trellis::bench::register_draws();
  benchmark::RunSpecifiedBenchmarks();
}
