#include "trellis/base/error.h"

#include <algorithm>

#include <fmt/format.h>

#include "trellis/base/text.h"

namespace trellis {
namespace {

constexpr std::size_t kLongestToken = 60;

// A stranger's bytes must not break the line or reprogram the terminal that shows the message.
void append_quoted(std::string& out, std::string_view token) {
  std::size_t length = std::min(token.size(), kLongestToken);
  // Not in the middle of a UTF-8 sequence.
  while (length < token.size() && length > 0 &&
         (static_cast<unsigned char>(token[length]) & 0xC0) == 0x80) {
    --length;
  }
  out += '"';
  std::string_view rest = token.substr(0, length);
  std::size_t valid = std::min(find_invalid_utf8(rest), rest.size());
  while (!rest.empty()) {
    const auto byte = static_cast<unsigned char>(rest.front());
    if (valid == 0 || byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += rest.front();
    }
    rest.remove_prefix(1);
    valid = valid > 0 ? valid - 1 : std::min(find_invalid_utf8(rest), rest.size());
  }
  out += length < token.size() ? "…\"" : "\"";
}

std::string sentence(std::string_view file, std::size_t line, std::string_view message,
                     std::string_view token) {
  std::string out(file);
  if (line > 0) out += fmt::format(":{}", line);
  if (!out.empty()) out += ": ";
  out += message;
  if (!token.empty()) {
    out += ' ';
    append_quoted(out, token);
  }
  return out;
}

}  // namespace

InputError::InputError(std::string_view file, std::size_t line, std::string_view message,
                       std::string_view token)
    : std::runtime_error(sentence(file, line, message, token)),
      file_(file),
      line_(line),
      token_(token) {}

}  // namespace trellis
