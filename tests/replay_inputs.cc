// The main of a fuzz target where there is no libFuzzer: feeds it the empty input and then every
// file of the folders named, in the order of their names.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

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
  std::size_t inputs = 1;
  LLVMFuzzerTestOneInput(nullptr, 0);
  for (int a = 1; a < argc; ++a) {
    for (const fs::path& file : files_in(argv[a])) {
      std::printf("%s\n", file.c_str());
      std::fflush(stdout);  // the last line names the input that broke it
      const std::vector<std::uint8_t> bytes = bytes_of(file);
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
      ++inputs;
    }
  }
  std::printf("%zu inputs\n", inputs);
}
