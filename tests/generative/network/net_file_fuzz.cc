// Any bytes are a network, or an InputError.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/generative/network/net_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trellis;
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const NetworkFile file = read_net(InputFile::from_bytes(bytes, "fuzz"));
    if (file.theta && file.network().missing_mass() > 1e-9) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
