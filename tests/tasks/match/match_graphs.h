// Graphs whose true matching is the best one under weights that the learner does not know.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/structure/matchings/matching.h"

namespace trellis::match::testing {

struct GraphShape {
  Index left = 4;
  Index right = 4;
  double share = 1;  // of the pairs that are edges; the true ones always are
  bool named = false;
};

// `count` graphs as text, with three features a, b, c and true weights 2, −1, 0.5 plus noise.
inline std::string random_graphs(Index count, const GraphShape& shape, std::uint64_t seed,
                                 double noise = 0) {
  std::string text;
  for (Index g = 0; g < count; ++g) {
    Random random(seed, g);
    const Index parts = shape.left * shape.right;
    std::vector<double> x(3 * parts), s(parts);
    for (double& value : x) value = random.normal();
    for (Index e = 0; e < parts; ++e) {
      s[e] = 2 * x[3 * e] - x[3 * e + 1] + 0.5 * x[3 * e + 2] + noise * random.normal();
    }
    const Matching structure(shape.left, shape.right, Cover::kPerfect);
    Matching::Scratch scratch;
    Matching::Output y;
    structure.maximize(s, scratch, y);
    text += fmt::format("graph g{} {} {}\n", g, shape.left, shape.right);
    for (Index e = 0; e < parts; ++e) {
      const Index i = e / shape.right;
      const Index j = e % shape.right;
      const bool is_match = y[i] == static_cast<Label>(j);
      if (!is_match && random.uniform() >= shape.share) continue;
      text += fmt::format(fmt::runtime(shape.named ? "{} {}{} a:{:.4f} b:{:.4f} c:{:.4f}\n"
                                                   : "{} {}{} {:.4f} {:.4f} {:.4f}\n"),
                          i, j, is_match ? " *" : "", x[3 * e], x[3 * e + 1], x[3 * e + 2]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace trellis::match::testing
