#include "trellis/formats/images/netpbm.h"

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/formats/images/image_file.h"

namespace trellis::image {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

class NetpbmReader {
 public:
  NetpbmReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Raster read() {
    const char kind = bytes_[1];
    at_ = 2;
    const Index num_planes = kind == '3' || kind == '6' ? 3 : 1;
    const bool plain = kind == '2' || kind == '3';
    const Index width = number("the width", kMaxPixels);
    const Index height = number("the height", kMaxPixels);
    check_picture_size(width, height, name_);
    const Index maximum = number("the largest value", 65535);
    if (maximum == 0) throw InputError(name_, line_, "expected a largest value above 0");
    const Index num_samples = width * height * num_planes;
    const Index sample_size = plain || maximum < 256 ? 1 : 2;
    if (!plain) ++at_;  // one blank ends the header
    // A plain sample takes a digit and a blank (the last one only a digit).
    const Index needed = plain ? 2 * num_samples - 1 : num_samples * sample_size;
    if (at_ > bytes_.size() || bytes_.size() - at_ < needed) {
      throw InputError(name_, 0,
                       fmt::format("expected {} x {} pixels, but the file is too short for them",
                                   width, height));
    }
    Raster raster;
    raster.planes.assign(num_planes, Plane(width, height));
    for (Index k = 0; k < num_samples; ++k) {
      const Index sample = plain ? number("a sample", maximum) : binary(sample_size, maximum);
      raster.planes[k % num_planes].values[k / num_planes] =
          static_cast<float>(static_cast<double>(sample) / static_cast<double>(maximum));
    }
    return raster;
  }

 private:
  void skip_blanks() {
    while (at_ < bytes_.size() && (is_space(bytes_[at_]) || bytes_[at_] == '#')) {
      if (bytes_[at_] == '#') {
        while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
      } else {
        if (bytes_[at_] == '\n') ++line_;
        ++at_;
      }
    }
  }

  Index number(const char* what, Index highest) {
    skip_blanks();
    const Index begin = at_;
    Index value = 0;
    while (at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9' && value <= highest) {
      value = 10 * value + static_cast<Index>(bytes_[at_++] - '0');
    }
    if (at_ == begin || value > highest) {
      throw InputError(name_, line_, fmt::format("expected {}, a number up to {}", what, highest));
    }
    return value;
  }

  Index binary(Index sample_size, Index maximum) {
    Index value = 0;
    for (Index k = 0; k < sample_size; ++k) {
      value = value << 8 | static_cast<unsigned char>(bytes_[at_++]);
    }
    if (value > maximum) {
      throw InputError(name_, 0,
                       fmt::format("a sample is {}, above the largest value {}", value, maximum));
    }
    return value;
  }

  std::string_view bytes_;
  const std::string& name_;
  Index at_ = 0;
  Index line_ = 1;
};

}  // namespace

bool is_netpbm(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == 'P' &&
         (bytes[1] == '2' || bytes[1] == '3' || bytes[1] == '5' || bytes[1] == '6') &&
         (is_space(bytes[2]) || bytes[2] == '#');
}

Raster decode_netpbm(std::string_view bytes, const std::string& name) {
  return NetpbmReader(bytes, name).read();
}

void check_picture_size(Index width, Index height, const std::string& name) {
  if (width == 0 || height == 0) throw InputError(name, 0, "the picture has no pixels");
  if (width > kMaxPixels || height > kMaxPixels || width * height > kMaxPixels) {
    throw InputError(name, 0,
                     fmt::format("expected a picture of at most {} pixels, found {} x {}",
                                 kMaxPixels, width, height));
  }
}

}  // namespace trellis::image
