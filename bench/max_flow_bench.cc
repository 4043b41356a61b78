// Minimum cuts of 1000 × 1000 pictures compared with Boost and LEMON; projections in units of cuts.
//
// noise     terminals N(0, 1), Potts edges of 0.5
// disc      terminals N(±½, 1) inside and outside of a disc, Potts edges of 2: a segmentation
// contrast  the same with edges uniform on [0, 2]
//
// Times are processor time without building graphs. times_trellis is the peer's time divided by
// that of Trellis in the same run. `cuts` is the time of a projection divided by that of a cut of a
// noisy picture of the same size (Potts edges of 1).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/grid_cut.h"
#include "trellis/base/random.h"
#include "trellis/solve/flows/max_flow.h"
#include "trellis/solve/flows/tension_projection.h"

namespace trellis::bench {
namespace {

enum class Picture { kNoise, kDisc, kContrast };

double seconds_of(const std::function<void()>& work) {
  const double begin = processor_seconds();
  work();
  return processor_seconds() - begin;
}

double potts_of(Picture picture) {
  return picture == Picture::kNoise ? 0.5 : picture == Picture::kDisc ? 2 : 1;
}

// ½ inside of a disc, −½ outside.
double disc(const GridCut& grid, std::uint32_t x, std::uint32_t y) {
  const double dx = static_cast<double>(x) / grid.width - 0.5;
  const double dy = static_cast<double>(y) / grid.height - 0.5;
  return dx * dx + dy * dy < 0.1 ? 0.5 : -0.5;
}

GridCut draw_grid(std::uint32_t width, std::uint32_t height, Picture picture, double potts) {
  Random random(1);
  GridCut grid;
  grid.width = width;
  grid.height = height;
  const auto join = [&](std::uint32_t j, std::uint32_t k) {
    grid.tails.push_back(j);
    grid.heads.push_back(k);
    grid.capacity.push_back(picture == Picture::kContrast ? 2 * potts * random.uniform() : potts);
  };
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      const std::uint32_t j = y * width + x;
      const double mean = picture == Picture::kNoise ? 0 : disc(grid, x, y);
      grid.supply.push_back(mean + random.normal());
      if (x + 1 < width) join(j, j + 1);
      if (y + 1 < height) join(j, j + width);
    }
  }
  return grid;
}

std::vector<NodePair> pairs(const GridCut& grid) {
  std::vector<NodePair> edges;
  for (Index e = 0; e < grid.tails.size(); ++e) edges.push_back({grid.tails[e], grid.heads[e]});
  return edges;
}

TimedCut trellis_max_flow(const GridCut& grid) {
  static MaxFlow max_flow;
  TimedCut cut;
  max_flow.set_graph(grid.supply.size(), pairs(grid));
  cut.seconds =
      seconds_of([&] { cut.cost = max_flow.solve(grid.supply, grid.capacity, grid.capacity); });
  return cut;
}

std::map<Picture, TimedCut>& our_cuts() {
  static std::map<Picture, TimedCut> cuts;
  return cuts;
}

void run_cut(benchmark::State& state, Picture picture, TimedCut (*solve)(const GridCut&)) {
  const GridCut grid = draw_grid(1000, 1000, picture, potts_of(picture));
  TimedCut best;
  for (auto _ : state) {
    const TimedCut cut = solve(grid);
    state.SetIterationTime(cut.seconds);
    if (best.seconds == 0 || cut.seconds < best.seconds) best = cut;
  }
  TimedCut& ours = our_cuts()[picture];
  if (solve == trellis_max_flow) ours = best;
  state.counters["cost"] = best.cost;
  if (ours.seconds > 0) state.counters["times_trellis"] = best.seconds / ours.seconds;
  if (ours.seconds > 0 && std::abs(best.cost - ours.cost) > 1e-6 * ours.cost) {
    state.SkipWithError("another cost than Trellis'");
  }
}

// Labels that have drifted by N(0, drift²), edges by N(−pull, (pull/2)²).
void run_projection(benchmark::State& state, double drift, double pull) {
  GridCut grid = draw_grid(240, 180, Picture::kNoise, 1);
  const std::vector<NodePair> edges = pairs(grid);
  double cut_seconds = 1e9;
  for (int i = 0; i < 5; ++i) {
    cut_seconds = std::min(cut_seconds, trellis_max_flow(grid).seconds);
  }
  Random random(2);
  std::vector<double> a(grid.supply.size(), 1.0), v, edge_v, z(a.size());
  for (std::uint32_t j = 0; j < a.size(); ++j) {
    v.push_back(disc(grid, j % grid.width, j / grid.width) + 0.5 + drift * random.normal());
  }
  for (Index e = 0; e < edges.size(); ++e) {
    edge_v.push_back(-pull + 0.5 * pull * random.normal());
  }
  TensionProjection projection;
  projection.set_graph(a.size(), edges);
  double best = 1e9, residual = 0;
  TensionSummary summary;
  for (auto _ : state) {
    const double took = seconds_of([&] { summary = projection.project(a, v, edge_v, z); });
    state.SetIterationTime(took);
    best = std::min(best, took);
  }
  residual = projection.residual(a, v, edge_v, z);
  state.counters["rounds"] = static_cast<double>(summary.rounds);
  state.counters["residual"] = residual;
  state.counters["cuts"] = best / cut_seconds;
}

void add_cut(const std::string& name, Picture picture, TimedCut (*solve)(const GridCut&),
             int repetitions) {
  benchmark::RegisterBenchmark(name.c_str(), run_cut, picture, solve)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(repetitions);
}

void add_projection(double drift, double pull) {
  const std::string name = fmt::format("project/240x180/drift:{}/pull:{}", drift, pull);
  benchmark::RegisterBenchmark(name.c_str(), run_projection, drift, pull)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(3);
}

void add_all() {
  const std::pair<const char*, Picture> pictures[] = {
      {"noise", Picture::kNoise}, {"disc", Picture::kDisc}, {"contrast", Picture::kContrast}};
  for (const auto& [name, picture] : pictures) {
    add_cut(fmt::format("cut/{}/trellis", name), picture, trellis_max_flow, 5);
    add_cut(fmt::format("cut/{}/boost", name), picture, boost_boykov_kolmogorov, 3);
  }
  // On the others preflow takes minutes.
  add_cut("cut/disc/lemon", Picture::kDisc, lemon_preflow, 1);
  for (const double pull : {0.1, 1.0, 5.0}) {
    for (const double drift : {0.3, 1.0, 3.0}) add_projection(drift, pull);
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
