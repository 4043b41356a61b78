// Any bytes are graded documents to a collection's script, or an InputError. The first byte chooses
// which script.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/scorers/letor_scripts.h"

namespace {

using namespace trellis;
using namespace trellis::rank;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  std::string scores;
  for (std::size_t k = 0; k <= bytes.size(); ++k) scores += std::to_string(k % 3) + "\n";
  try {
    const std::string text = letor_scores(InputFile::from_bytes(bytes, "fuzz"),
                                          ScoreReader(InputFile::from_bytes(scores, "scores")),
                                          static_cast<Convention>(data[0] % 3), (data[0] & 4) != 0);
    require(text.ends_with("\n"));
  } catch (const InputError&) {
  }
  return 0;
}
