// LAYER_replay TARGET FOLDER...: where there is no libFuzzer, feeds a fuzz target the empty input
// and then every file of the folders, in the order of their names.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz_targets.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::uint8_t> bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  const auto& targets = trellis::testing::fuzz_targets();
  const auto target = std::find_if(targets.begin(), targets.end(), [&](const auto& known) {
    return argc > 1 && known.name == argv[1];
  });
  if (target == targets.end()) {
    std::fprintf(stderr, "expected the name of a fuzz target; there are:\n");
    for (const auto& known : targets) std::fprintf(stderr, "%s\n", known.name.data());
    return 2;
  }
  std::size_t inputs = 1;
  target->run(nullptr, 0);
  for (int a = 2; a < argc; ++a) {
    for (const fs::path& file : files_in(argv[a])) {
      std::printf("%s\n", file.c_str());
      std::fflush(stdout);  // the last line names the input that broke it
      const std::vector<std::uint8_t> bytes = bytes_of(file);
      target->run(bytes.data(), bytes.size());
      ++inputs;
    }
  }
  std::printf("%zu inputs\n", inputs);
}
