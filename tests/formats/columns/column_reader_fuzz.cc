// Any bytes are a sequence of sentences with equal columns, or an InputError; and the lines that
// come with the sentences are the text. The first byte chooses the options.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/formats/columns/column_reader.h"

namespace {

using namespace trellis;
using namespace trellis::tag;

void require(bool condition) {
  if (!condition) std::abort();
}

ColumnOptions options_of(std::uint8_t byte) {
  return {static_cast<ColumnFormat>(byte % 3), static_cast<Comments>(byte / 3 % 3)};
}

void check_sentence(const Sentence& sentence, Index columns) {
  require(sentence.num_tokens() > 0 && sentence.num_columns() == columns && columns > 0);
  for (Index t = 0; t < sentence.num_tokens(); ++t) {
    require(t == 0 || sentence.line(t) > sentence.line(t - 1));
    for (Index c = 0; c < columns; ++c) {
      require(sentence.field(t, c).find_first_of("\t\n") == std::string_view::npos);
    }
  }
}

void check_lines(const Sentence& sentence, const SourceLines& lines, InputFile& again) {
  Index tokens = 0;
  std::string_view expected;
  for (Index i = 0; i < lines.size(); ++i) {
    require(again.read_line(expected));
    if (!expected.empty() && expected.back() == '\r') expected.remove_suffix(1);
    require(lines[i].text == expected);
    if (lines[i].token == SourceLines::kNoToken) continue;
    require(lines[i].token == tokens);
    require(sentence.line(tokens++) == again.line_number());
  }
  require(tokens == sentence.num_tokens());
}

void read_all(std::string_view bytes, ColumnOptions options) {
  InputFile again = InputFile::from_bytes(bytes, "fuzz");
  ColumnReader reader(InputFile::from_bytes(bytes, "fuzz"), options);
  Sentence sentence;
  SourceLines lines;
  while (reader.read(sentence, lines)) {
    check_sentence(sentence, reader.num_columns());
    check_lines(sentence, lines, again);
  }
  check_lines(sentence, lines, again);
  std::string_view rest;
  require(!again.read_line(rest));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read_all({reinterpret_cast<const char*>(data + 1), size - 1}, options_of(data[0]));
  } catch (const InputError&) {
  }
  return 0;
}
