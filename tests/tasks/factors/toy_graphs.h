// Small made-up graphs, of which most can be learned: days with weather, umbrellas that go with it,
// and a bag that holds one thing.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/tasks/factors/train.h"

namespace trellis::factors::testing {

enum class Shape {
  kCycle,   // a sequence, tables and a hard factor that close cycles
  kForest,  // a sequence alone: relaxations are tight and sums exact
};

inline std::string toy_text(Index count, std::uint64_t seed, Shape shape = Shape::kCycle) {
  constexpr std::string_view kWeather[] = {"rain", "sun", "snow"};
  Random random(seed);
  std::string text = "domain weather rain sun snow\ndomain umbrella switch\n\n";
  for (Index g = 0; g < count; ++g) {
    const Index days = 2 + random.below(2);
    std::string factors = "sequence days";
    std::string bag = "at-most-one";
    bool full = false;
    Index weather = random.below(3);
    for (Index d = 0; d < days; ++d) {
      if (random.uniform() < 0.4) weather = random.below(3);
      const Index hint = random.uniform() < 0.7 ? weather : random.below(3);
      text += fmt::format("var w{} weather ={} says-{} noise:{:.3f}\n", d, kWeather[weather],
                          kWeather[hint], random.normal());
      factors += fmt::format(" w{}", d);
      if (shape == Shape::kForest) continue;
      const bool on = !full && weather == 0;
      full = full || on;
      text +=
          fmt::format("var u{} umbrella ={} noise:{:.3f}\n", d, on ? "on" : "off", random.normal());
      bag += fmt::format(" u{}", d);
      factors = fmt::format("table carries w{} u{} | late:{}\n{}", d, d, d, factors);
    }
    text += factors + "\n" + (shape == Shape::kCycle ? bag + "\n" : "") + "\n";
  }
  return text;
}

inline FactorsData toy_data(Index count, std::uint64_t seed, Shape shape = Shape::kCycle) {
  const std::string text = toy_text(count, seed, shape);
  FactorsData data;
  data.graphs = read_graphs(InputFile::from_bytes(text, "toy.txt"), data.features, true);
  return data;
}

}  // namespace trellis::factors::testing
