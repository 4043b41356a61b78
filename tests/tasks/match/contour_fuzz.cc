// Any picture has an outline, or an InputError that says why not.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/formats/images/image_file.h"
#include "trellis/tasks/match/pair_list.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trellis;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    match::ContextOptions options;
    options.points = 7;
    const match::PointSet shape =
        match::silhouette(image::decode_image(bytes, "fuzz"), {}, options, "fuzz");
    if (shape.points.size() != 7 || shape.outline.size() != options.outline) std::abort();
    match::shape_contexts(shape, options);
  } catch (const InputError&) {
  }
  return 0;
}
