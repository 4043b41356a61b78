// Any bytes are pairs of shapes that there are, or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/tasks/match/pair_list.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const trellis::testing::TemporaryDirectory folder;
  static const std::string points = folder.make("p.txt", "0 0\n1 0\n0 2\n");
  static const std::string frames =
      folder.make("f.tsv", "frame\tpoint\tx\ty\n1\t0\t0\t0\n1\t1\t1\t1\n2\t0\t0\t1\n");
  const std::string list = folder.make("list", {reinterpret_cast<const char*>(data), size});
  try {
    const auto pairs = trellis::match::read_pair_lists({list}, {});
    if (pairs.empty()) std::abort();
    for (const auto& pair : pairs) {
      if (pair.left == nullptr || pair.right == nullptr || pair.line == 0) std::abort();
    }
  } catch (const trellis::InputError&) {
  }
  return 0;
}
