// Any bytes are graphs or an InputError.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/formats/graphs/labelled_graph_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const bool labelled : {true, false}) {
    try {
      trellis::segment::read_graphs(trellis::InputFile::from_bytes(bytes, "fuzz"),
                                    {labelled, !labelled});
    } catch (const trellis::InputError&) {
    }
  }
  return 0;
}
