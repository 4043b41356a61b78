// Any bytes are a network that is written and read back with the same bits, or an InputError.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/generative/network/bif.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trellis;
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const BayesNetwork network = read_bif(InputFile::from_bytes(bytes, "fuzz")).network();
    std::string text;
    try {
      text = to_bif(network);
    } catch (const UsageError&) {  // a name that cannot be quoted
      return 0;
    }
    const NetworkFile again = read_bif(InputFile::from_bytes(text, "again"));
    for (Index k = 0; k < again.theta->size(); ++k) {
      if ((*again.theta)[k] != network.theta()[k]) std::abort();
    }
  } catch (const InputError&) {
  }
  return 0;
}
