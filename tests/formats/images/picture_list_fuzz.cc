// Any bytes are a list of pictures or an InputError; the pictures have names of their own.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/formats/images/picture_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const trellis::testing::TemporaryDirectory folder;
  static const std::string beside = folder.make("a.mask.png", "");
  const std::vector<std::string> list = {
      folder.make("list", {reinterpret_cast<const char*>(data), size})};
  for (const bool need_masks : {true, false}) {
    try {
      const auto pictures = trellis::segment::list_pictures(list, need_masks);
      std::set<std::string> names;
      for (const auto& picture : pictures) {
        if (!names.insert(picture.name).second) std::abort();
        if (need_masks && picture.mask.empty()) std::abort();
      }
      if (pictures.empty()) std::abort();
    } catch (const trellis::InputError&) {
    }
  }
  return 0;
}
