#include "trellis/formats/images/image_file.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/formats/images/netpbm.h"

namespace trellis::image {
namespace {

constexpr std::string_view kPngMagic = "\x89PNG\r\n\x1a\n";
constexpr Index kMaxFile = Index{1} << 30;
// Deflate shrinks by at most 1032; what is left covers headers.
constexpr Index kMaxExpansion = 1032;

std::uint32_t big_endian(std::string_view bytes, Index at) {
  std::uint32_t value = 0;
  for (Index k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

// Refuses, before memory is taken, what the header promises and the bytes cannot hold.
void check_png_header(std::string_view bytes, const std::string& name) {
  if (bytes.size() < 33) throw InputError(name, 0, "the PNG file ends within its header");
  const Index width = big_endian(bytes, 16);
  const Index height = big_endian(bytes, 20);
  const Index depth = static_cast<unsigned char>(bytes[24]);
  check_picture_size(width, height, name);
  if ((width * depth / 8) * height > kMaxExpansion * bytes.size()) {
    throw InputError(
        name, 0,
        fmt::format("the PNG header declares {} x {} pixels, but the file has only {} bytes", width,
                    height, bytes.size()));
  }
}

// Frees what libpng holds, whatever happens.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

Raster from_bytes(std::span<const std::uint8_t> samples, Index width, Index height,
                  Index num_planes) {
  Raster raster;
  raster.planes.assign(num_planes, Plane(width, height));
  for (Index j = 0; j < width * height; ++j) {
    for (Index c = 0; c < num_planes; ++c) {
      raster.planes[c].values[j] = static_cast<float>(samples[j * num_planes + c]) / 255.0F;
    }
  }
  return raster;
}

Raster decode_png(std::string_view bytes, const std::string& name) {
  check_png_header(bytes, name);
  PngImage image;
  const auto refuse = [&]() -> InputError {
    return InputError(name, 0, fmt::format("the PNG file is damaged: {}", image.message));
  };
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) throw refuse();
  const bool colour = (image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  image.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  std::vector<std::uint8_t> samples(PNG_IMAGE_SIZE(image));
  const png_color black = {0, 0, 0};
  if (png_image_finish_read(&image, &black, samples.data(), 0, nullptr) == 0) throw refuse();
  return from_bytes(samples, image.width, image.height, colour ? 3 : 1);
}

bool all_grey(const Raster& raster) {
  return raster.planes[0].values == raster.planes[1].values &&
         raster.planes[0].values == raster.planes[2].values;
}

std::string encode(std::span<const std::uint8_t> samples, Index width, Index height, bool colour) {
  PngImage image;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t size = 0;
  std::string bytes;
  const auto write = [&](void* memory) {
    return png_image_write_to_memory(&image, memory, &size, 0, samples.data(), 0, nullptr);
  };
  if (write(nullptr) != 0) {
    bytes.resize(size);
    if (write(bytes.data()) != 0) return bytes;
  }
  throw UsageError(fmt::format("cannot write the picture as PNG: {}", image.message));
}

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(value, 0.0F, 1.0F)));
}

}  // namespace

Raster decode_image(std::string_view bytes, const std::string& name) {
  Raster raster;
  if (bytes.starts_with(kPngMagic)) {
    raster = decode_png(bytes, name);
  } else if (is_netpbm(bytes)) {
    raster = decode_netpbm(bytes, name);
  } else {
    throw InputError(name, 0, "expected a PNG, PGM or PPM picture");
  }
  if (raster.colour() && all_grey(raster)) raster.planes.resize(1);
  return raster;
}

Raster read_image(const std::string& path) {
  return decode_image(read_file(path, kMaxFile), path);
}

Mask to_mask(const Raster& raster) {
  const Plane grey = brightness(raster);
  Mask mask{grey.width, grey.height, std::vector<std::uint8_t>(grey.values.size())};
  for (Index j = 0; j < grey.values.size(); ++j) {
    mask.labels[j] = grey.values[j] > 127.5F / 255.0F ? 1 : 0;
  }
  return mask;
}

Mask read_mask(const std::string& path) {
  return to_mask(read_image(path));
}

std::string encode_png(const Raster& raster) {
  const Index num_planes = raster.planes.size();
  std::vector<std::uint8_t> samples(raster.num_pixels() * num_planes);
  for (Index j = 0; j < raster.num_pixels(); ++j) {
    for (Index c = 0; c < num_planes; ++c) {
      samples[j * num_planes + c] = to_byte(raster.planes[c].values[j]);
    }
  }
  return encode(samples, raster.width(), raster.height(), raster.colour());
}

std::string encode_png(const Mask& mask) {
  std::vector<std::uint8_t> samples(mask.labels.size());
  for (Index j = 0; j < samples.size(); ++j) samples[j] = mask.labels[j] != 0 ? 255 : 0;
  return encode(samples, mask.width, mask.height, false);
}

void write_png(const std::string& path, std::string_view png) {
  AtomicFile file(path);
  file.write(png);
  file.commit();
}

}  // namespace trellis::image
