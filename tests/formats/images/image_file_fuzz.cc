// Any bytes are a picture or an InputError, and what is read can be written.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/formats/images/image_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    trellis::image::encode_png(trellis::image::decode_image(bytes, "fuzz"));
  } catch (const trellis::InputError&) {
  }
  return 0;
}
