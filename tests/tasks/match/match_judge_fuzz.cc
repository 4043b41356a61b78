// Any bytes are matchings of the graphs, or an InputError; which have figures.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/tasks/match/judge_file.h"
#include "trellis/tasks/match/match_data.h"

namespace {

using namespace trellis;
using namespace trellis::match;

constexpr std::string_view kGraph = "graph g 2 3\n0 0 * 1\n0 1 2\n1 2 * 1\n";

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::vector<InputFile> files;
  files.push_back(InputFile::from_bytes(kGraph, "graphs"));
  const MatchData truth = graph_data(std::move(files), Cover::kPartial);
  try {
    const MatchScores found = judge_file(truth.examples, InputFile::from_bytes(bytes, "fuzz"));
    require(found.nodes() == 2 && found.wrong() <= 2);
  } catch (const InputError&) {
  }
  return 0;
}
