// The program of bench/paper_extragradient.py: runs the learners of seed 000, sec. 2.6, and prints
// what they pass through.
//
//   paper_extragradient_program house FILE DISTANCE ITERATIONS
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/house_pairs.h"
#include "bench/saddle_paths.h"

namespace {

using namespace trellis;
using namespace trellis::bench;

int house(const std::string& file, Index distance, Index iterations) {
  const std::vector<Frame> frames = read_frames(file);
  const BlockModel<Matching> train = house_pairs(frames, distance, 0);
  const BlockModel<Matching> valid = house_pairs(frames, distance, 1);
  const BlockModel<Matching> test = house_pairs(frames, distance, 2);
  SaddlePaths<Matching> paths(train, valid, test, 2);
  paths.dual_extragradient(iterations);
  paths.projected_gradient_path(iterations);
  paths.averaged_perceptron(iterations);
  paths.regularisation_balls({1, 3, 10, 30, 100, 300, 1000});
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int k) { return std::strtoull(argv[k], nullptr, 10); };
  if (argc == 5 && std::string(argv[1]) == "house") return house(argv[2], number(3), number(4));
  return 2;
}
