// The program of bench/paper_extragradient.py: runs the learners of Lacoste-Julien 2009, sec. 2.6,
// and prints what they pass through.
//
//   paper_extragradient_program house FILE DISTANCE ITERATIONS
//   paper_extragradient_program horses DIRECTORY SCALE ITERATIONS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/house_pairs.h"
#include "bench/saddle_paths.h"
#include "trellis/problem/block_model.h"
#include "trellis/tasks/segment/network_model.h"
#include "trellis/tasks/segment/segment_data.h"

namespace {

using namespace trellis;
using namespace trellis::bench;

int house(const std::string& file, Index distance, Index iterations) {
  const std::vector<Frame> frames = read_frames(file);
  const BlockModel<Matching> train = house_pairs(frames, distance, 0);
  const BlockModel<Matching> valid = house_pairs(frames, distance, 1);
  const BlockModel<Matching> test = house_pairs(frames, distance, 2);
  SaddlePaths<BlockModel<Matching>> paths(train, valid, test, 2);
  paths.rates(10, iterations);
  paths.dual_extragradient(iterations);
  paths.projected_gradient_path(iterations);
  paths.averaged_perceptron(iterations);
  paths.regularisation_points({10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001});
  return 0;
}

std::vector<std::string> pictures(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string path = entry.path().string();
    if (path.ends_with(".png") && !path.ends_with(".mask.png")) names.push_back(path);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// 100 pictures to train, 50 to validate, the rest to test, in the order of their names.
int horses(const std::string& directory, double scale, Index iterations) {
  const std::vector<std::string> names = pictures(directory);
  if (names.size() < 160) return 2;
  segment::FeatureOptions options;
  options.pictures.scale = scale;
  const auto input = [](std::span<const std::string> files) {
    return segment::SegmentInput{{files.begin(), files.end()}};
  };
  const segment::SegmentData data =
      segment::read_segment_data(input(std::span(names).first(100)), options, 2);
  const auto read = [&](std::span<const std::string> files) {
    return segment::read_examples(input(files), data.features, 2);
  };
  const std::vector<segment::SegmentExample> held = read(std::span(names).subspan(100, 50));
  const std::vector<segment::SegmentExample> rest = read(std::span(names).subspan(150));
  const segment::NetworkModel train(data.features, data.examples);
  const segment::NetworkModel valid(data.features, held);
  const segment::NetworkModel test(data.features, rest);
  SaddlePaths<segment::NetworkModel> paths(train, valid, test, 2);
  paths.averaged_perceptron(iterations);
  paths.regularisation_points({1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4});
  paths.dual_extragradient(iterations);
  paths.projected_gradient_path(iterations);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int k) { return std::strtoull(argv[k], nullptr, 10); };
  if (argc == 5 && std::string(argv[1]) == "house") return house(argv[2], number(3), number(4));
  if (argc == 5 && std::string(argv[1]) == "horses") {
    return horses(argv[2], std::atof(argv[3]), number(4));
  }
  return 2;
}
