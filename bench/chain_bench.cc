// Dynamic programs over label sequences, for each token: chunking (order 1, 22 labels) and parts of
// speech (order 2, 17 labels), for sentences of 24 tokens.
#include <benchmark/benchmark.h>

#include <vector>

#include "trellis/base/random.h"
#include "trellis/structure/sequences/chain.h"

namespace trellis {
namespace {

constexpr Index kTokens = 24;

// range: order, labels, 1 for position-dependent transitions, the scale of the scores.
class ChainBench : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& state) override {
    const auto labels = static_cast<Index>(state.range(1));
    states_ =
        std::make_unique<ChainStates>(TransitionRules(labels), static_cast<int>(state.range(0)));
    chain_ = std::make_unique<Chain>(
        *states_, kTokens,
        state.range(2) != 0 ? Transitions::kPositionDependent : Transitions::kTied);
    Random random(1);
    scores_.resize(chain_->num_parts());
    for (double& score : scores_) score = static_cast<double>(state.range(3)) * random.normal();
    marginals_.resize(scores_.size());
  }

 protected:
  void count_tokens(benchmark::State& state) const {
    state.counters["per_token"] = benchmark::Counter(
        static_cast<double>(kTokens),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  }

  std::unique_ptr<ChainStates> states_;
  std::unique_ptr<Chain> chain_;
  std::vector<double> scores_, marginals_;
  Chain::Scratch scratch_;
};

BENCHMARK_DEFINE_F(ChainBench, Maximize)(benchmark::State& state) {
  Chain::Output y;
  for (auto _ : state) benchmark::DoNotOptimize(chain_->maximize(scores_, scratch_, y));
  count_tokens(state);
}

BENCHMARK_DEFINE_F(ChainBench, Marginals)(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(chain_->log_partition(scores_, scratch_, marginals_));
  }
  count_tokens(state);
}

BENCHMARK_DEFINE_F(ChainBench, LogPartition)(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(chain_->log_partition(scores_, scratch_));
  count_tokens(state);
}

BENCHMARK_DEFINE_F(ChainBench, Sample)(benchmark::State& state) {
  Chain::Output y;
  Random random(2);
  for (auto _ : state) chain_->sample(scores_, random, scratch_, y);
  count_tokens(state);
}

BENCHMARK_DEFINE_F(ChainBench, Best100)(benchmark::State& state) {
  std::vector<ScoredOutput<Chain::Output>> best;
  for (auto _ : state) chain_->k_best(scores_, 100, scratch_, best);
  count_tokens(state);
}

void all_chains(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"order", "labels", "untied", "scale"});
  bench->Args({1, 22, 0, 1})->Args({1, 22, 1, 1})->Args({2, 17, 0, 1});
  bench->Args({1, 9, 0, 1})->Args({1, 5, 0, 1})->Args({1, 50, 0, 1});
  bench->Args({1, 22, 0, 1000});  // in the log domain
}

BENCHMARK_REGISTER_F(ChainBench, Maximize)->Apply(all_chains);
BENCHMARK_REGISTER_F(ChainBench, Marginals)->Apply(all_chains);
BENCHMARK_REGISTER_F(ChainBench, LogPartition)->Apply(all_chains);
BENCHMARK_REGISTER_F(ChainBench, Sample)->Args({1, 22, 0, 1})->Args({1, 22, 0, 1000});
BENCHMARK_REGISTER_F(ChainBench, Best100)->Args({1, 22, 0, 1})->Args({2, 17, 0, 1});

}  // namespace
}  // namespace trellis

BENCHMARK_MAIN();
