// The bytes that a template is kept in: its source and its lists, to be parsed again when loaded.
//
//   "TRTMPL\n" 0x01 | u64 number of lists | source | then of each list its path and its phrases
//
// where a text is its length as a u64 and its bytes; numbers are little-endian.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace trellis::tag {

struct TemplateBytes {
  std::string source;
  std::map<std::string, std::string> lists;  // phrases by path
};

std::string write_template_bytes(const TemplateBytes& parts);
// Throws InputError(name, …) unless these are such bytes to the last one. Takes no more memory than
// the bytes do.
TemplateBytes read_template_bytes(std::string_view bytes, const std::string& name);

}  // namespace trellis::tag
