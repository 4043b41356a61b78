// The set that minimises F_β or precision: merged compared with Algorithms 3 (bounded), 2 (naive).
//
// random     scores N(0, 1)
// learned    scores of a label that is learned except for its hard instances: on average ±2 rewards
//            of a hit, with a deviation of one
// undecided  all scores between the thresholds of hits and of others, so that nothing is decided in
//            advance and everything is sorted
//
// A tenth of the items is true. times_merged is the time of the algorithm divided by that of merged
// in the same run, on the same instances, in processor time; values must agree.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/measures/measure_argmax.h"
#include "trellis/solve/measures/set_measure.h"

namespace trellis::bench {
namespace {

enum class Scores { kRandom, kLearned, kUndecided };

struct Case {
  Scores scores;
  SetMeasure measure;
  Index size;
};

struct Instance {
  std::vector<double> s;
  std::vector<std::uint32_t> truth;
};

Instance draw_instance(const Case& of, std::uint64_t seed) {
  Random random(seed);
  Instance instance;
  std::vector<bool> hit(of.size, false);
  for (Index v = 0; v < of.size / 10; ++v) hit[random.below(of.size)] = true;
  for (std::uint32_t v = 0; v < of.size; ++v) {
    if (hit[v]) instance.truth.push_back(v);
  }
  const Index p = instance.truth.size();
  const double reward = of.measure.reward(p, p, of.size);
  for (Index v = 0; v < of.size; ++v) {
    const double learned = reward * (random.normal() + (hit[v] ? 2 : -2));
    const double undecided =
        reward * (hit[v] ? random.uniform() : -0.1 * random.uniform() / static_cast<double>(p));
    instance.s.push_back(of.scores == Scores::kRandom    ? random.normal()
                         : of.scores == Scores::kLearned ? learned
                                                         : undecided);
  }
  return instance;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

struct Outcome {
  double seconds = 0;  // for a call, in the mean
  std::vector<double> values;
};

Outcome& merged_outcome(const std::string& name) {
  static std::map<std::string, Outcome> outcomes;
  return outcomes[name];
}

constexpr Index kInstances = 4;

void run(benchmark::State& state, const std::string& name, const Case& of,
         ArgmaxAlgorithm algorithm) {
  std::vector<Instance> instances;
  for (std::uint64_t seed = 0; seed < kInstances; ++seed) {
    instances.push_back(draw_instance(of, seed));
  }
  MeasureArgmaxScratch scratch;
  std::vector<Label> y(of.size);
  Outcome outcome;
  outcome.values.resize(kInstances);
  Index next = 0;
  const double begin = processor_seconds();
  for (auto _ : state) {
    const Instance& instance = instances[next];
    outcome.values[next] =
        measure_argmax(of.measure, 1, instance.s, instance.truth, scratch, y, algorithm);
    next = (next + 1) % kInstances;
  }
  outcome.seconds = (processor_seconds() - begin) / static_cast<double>(state.iterations());
  Outcome& merged = merged_outcome(name);
  if (algorithm == ArgmaxAlgorithm::kMerged) merged = outcome;
  if (merged.seconds == 0) return;  // filtered out
  state.counters["times_merged"] = outcome.seconds / merged.seconds;
  for (Index i = 0; i < std::min(kInstances, static_cast<Index>(state.iterations())); ++i) {
    if (std::abs(outcome.values[i] - merged.values[i]) > 1e-9 * std::abs(merged.values[i])) {
      state.SkipWithError("another value than merged's");
    }
  }
}

void add(const std::string& of, const Case& instance) {
  const std::pair<const char*, ArgmaxAlgorithm> algorithms[] = {
      {"merged", ArgmaxAlgorithm::kMerged},
      {"bounded", ArgmaxAlgorithm::kBounded},
      {"naive", ArgmaxAlgorithm::kNaive}};
  for (const auto& [name, algorithm] : algorithms) {
    auto* bench =
        benchmark::RegisterBenchmark((of + "/" + name).c_str(), run, of, instance, algorithm);
    bench->Unit(benchmark::kMicrosecond);
    if (instance.size >= 10000 && algorithm != ArgmaxAlgorithm::kMerged) bench->Iterations(2);
  }
}

void add_all() {
  const std::pair<const char*, Scores> kinds[] = {{"random", Scores::kRandom},
                                                  {"learned", Scores::kLearned},
                                                  {"undecided", Scores::kUndecided}};
  const std::pair<const char*, SetMeasure> measures[] = {
      {"f0.1", {SetMeasure::Kind::kFBeta, 0.1}},
      {"f1", {SetMeasure::Kind::kFBeta, 1}},
      {"f10", {SetMeasure::Kind::kFBeta, 10}},
      {"precision", {SetMeasure::Kind::kPrecision}}};
  for (const auto& [kind, scores] : kinds) {
    for (const auto& [measure_name, measure] : measures) {
      for (const Index size : {Index{100}, Index{1000}, Index{10000}}) {
        add(fmt::format("{}/{}/{}", kind, measure_name, size), {scores, measure, size});
      }
    }
  }
}

}  // namespace
}  // namespace trellis::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  trellis::bench::add_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
