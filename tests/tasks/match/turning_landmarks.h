// A sequence of frames like those that shapes are matched in: landmarks on the walls and the roof
// of a house that turns, seen in perspective, with noise in the pixels. Neighbouring frames are
// nearly the same.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/tasks/match/pair_list.h"

namespace trellis::match::testing {

class TurningLandmarks {
 public:
  TurningLandmarks(Index frames, double degrees, std::uint64_t seed) {
    constexpr Index kLandmarks = 30;
    constexpr double kNoise = 0.5;
    const std::vector<Landmark> house = landmarks(kLandmarks, seed);
    for (Index t = 0; t < frames; ++t) {
      Random random(seed, t + 1);
      const double share = static_cast<double>(t) / static_cast<double>(frames - 1) - 0.5;
      const double angle = share * degrees * std::numbers::pi / 180;
      PointSet set;
      set.name = fmt::format("house.tsv#{}", t);
      for (const auto& [x, y, z] : house) {
        const double across = x * std::cos(angle) + z * std::sin(angle);
        const double depth = z * std::cos(angle) - x * std::sin(angle);
        const double scale = 400 / (6 - depth);
        set.ids.push_back(static_cast<std::int64_t>(set.points.size()));
        set.points.push_back(
            {across * scale + kNoise * random.normal(), y * scale + kNoise * random.normal()});
      }
      frames_.push_back(std::make_shared<const PointSet>(std::move(set)));
    }
  }

  // Of the frames (t, t + distance), for t = begin, begin + step, … before `end`.
  std::vector<ShapePair> pairs(Index begin, Index end, Index step, Index distance) const {
    std::vector<ShapePair> list;
    for (Index t = begin; t < end; t += step) {
      const auto& left = frames_[t];
      const auto& right = frames_[t + distance];
      list.push_back({left->name + " " + right->name, "", 0, left, right});
    }
    return list;
  }

 private:
  using Landmark = std::array<double, 3>;

  // Not too near to one another.
  static std::vector<Landmark> landmarks(Index count, std::uint64_t seed) {
    Random random(seed, 0);
    std::vector<Landmark> found;
    while (found.size() < count) {
      const double u = 2 * random.uniform() - 1;
      const double v = 2 * random.uniform() - 1;
      const double wall = random.uniform();
      const Landmark next = wall < 1.0 / 3   ? Landmark{u, v, 1}
                            : wall < 2.0 / 3 ? Landmark{1, v, u}
                                             : Landmark{u, 1 + std::abs(v) / 2, v};
      bool apart = true;
      for (const Landmark& other : found) {
        apart =
            apart && std::hypot(next[0] - other[0], next[1] - other[1], next[2] - other[2]) > 0.3;
      }
      if (apart) found.push_back(next);
    }
    return found;
  }

  std::vector<std::shared_ptr<const PointSet>> frames_;
};

}  // namespace trellis::match::testing
