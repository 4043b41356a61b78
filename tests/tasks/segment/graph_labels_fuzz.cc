// Any bytes are labels of the graphs, as predict writes them, or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/tasks/segment/predict.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const trellis::testing::TemporaryDirectory folder;
  static const std::string truth =
      folder.make("truth", "graph a 3 2\n1 0.5\n0 1\n1 2\n0 1\n1 2\ngraph b 1 0\n0 3\n");
  const std::string found = folder.make("found", {reinterpret_cast<const char*>(data), size});
  try {
    const auto judged = trellis::segment::judge_files({{truth}, true}, found, 1);
    if (judged.scores.overall().total() != 4) std::abort();
  } catch (const trellis::InputError&) {
  }
  return 0;
}
