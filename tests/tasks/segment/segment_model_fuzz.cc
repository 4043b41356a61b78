// Any bytes loaded as a segmenter: an InputError, or a model that can be asked everything.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/tasks/segment/segmenter.h"

namespace {

using namespace trellis;
using namespace trellis::segment;
using testing::require;

void segment_picture(const SegmentModel& model) {
  image::Raster raster;
  for (int plane = 0; plane < (model.features().options().colour ? 3 : 1); ++plane) {
    raster.planes.emplace_back(5, 4, 0.5F);
    for (Index k = 0; k < 20; ++k) raster.planes.back().values[k] = static_cast<float>(k % 7) / 7;
  }
  Segmenter::Scratch scratch;
  const image::Mask mask = Segmenter(model.features(), model.weights()).segment(raster, scratch);
  require(mask.width == 5 && mask.labels.size() == raster.num_pixels());
}

void use(const SegmentModel& model) {
  const SegmentFeatures& features = model.features();
  require(model.weights().size() == features.dimension());
  for (Index k = 0; k < features.dimension(); ++k) require(!features.weight_name(k).empty());
  if (features.pictures()) segment_picture(model);
  const std::string bytes = model.to_bytes();
  const SegmentModel again = SegmentModel::from_bytes(std::as_bytes(std::span(bytes)), "again");
  require(again.to_bytes() == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::fuzz_model(data, size, [](std::span<const std::byte> bytes) {
    use(SegmentModel::from_bytes(bytes, "fuzz"));
  });
  return 0;
}
