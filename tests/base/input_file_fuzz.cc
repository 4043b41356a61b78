// Any bytes read as lines: an InputError or lines, and the same lines from memory as from a stream.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "trellis/base/byte_stream.h"
#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/text.h"

namespace {

using trellis::Index;

void require(bool condition) {
  if (!condition) std::abort();
}

// No more than this of what a small input may decompress to.
constexpr Index kMostLines = 100000;

void read_lines(std::string_view bytes) {
  trellis::InputFile input = trellis::InputFile::from_bytes(bytes, "fuzz");
  std::vector<std::string_view> fields;
  std::string shape;
  std::string_view line;
  Index count = 0, size = 0;
  while (count < kMostLines && input.read_line(line)) {
    require(input.line_number() == ++count);
    require(line.find('\n') == std::string_view::npos);
    size += line.size() + 1;
    trellis::split_columns(line, fields);
    for (const std::string_view field : fields) {
      require(field.data() >= line.data() &&
              field.data() + field.size() <= line.data() + line.size());
      static_cast<void>(trellis::parse_double(field));
    }
    trellis::word_shape(line, true, shape);
    trellis::to_lower(line, shape);
    require(trellis::utf8_length(line) <= line.size());
    require(trellis::utf8_suffix(line, line.size()) == line);
  }
  if (trellis::detect_compression(bytes) == trellis::Compression::kNone) {
    require(size <= bytes.size() + 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read_lines({reinterpret_cast<const char*>(data), size});
  } catch (const trellis::InputError&) {
  }
  return 0;
}
