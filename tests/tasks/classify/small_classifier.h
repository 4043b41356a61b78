// Small training files for the tests of the classifier.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/tasks/classify/train.h"

namespace trellis::classify::testing {

using trellis::testing::TemporaryDirectory;

inline constexpr std::string_view kTinyText =
    "fruit\tApples and pears\n"
    "fruit\tpears, plums; ripe pears\n"
    "tools\ta hammer and a saw\n"
    "tools\tthe saw is sharp\n"
    "birds\tthe wren and the robin\n"
    "birds\trobin, robin, wren\n"
    "birds\t\n";

inline constexpr std::string_view kTinyVectors =
    "1 1:1 3:0.5\n"
    "1 1:0.8 4:1\n"
    "-1 2:1 3:0.4\n"
    "-1 2:0.7\n"
    "2 5:1 1:0.1\n"
    "2 5:0.9\n";

inline TrainOptions options_for(const std::string& file, const std::string& model = {}) {
  TrainOptions options;
  options.data.files = {file};
  options.model = model;
  options.threads = 1;
  return options;
}

inline std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace trellis::classify::testing
