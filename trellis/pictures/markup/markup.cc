#include "trellis/pictures/markup/markup.h"

#include <utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

namespace trellis::report {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;
constexpr std::uint32_t kControlPictures = 0x2400;
constexpr std::uint32_t kDeletePicture = 0x2421;

constexpr std::array<std::string_view, 6> kVoidElements = {"meta", "br",  "col",
                                                           "hr",   "img", "input"};

bool is_void(std::string_view name) {
  return std::find(kVoidElements.begin(), kVoidElements.end(), name) != kVoidElements.end();
}

// HTML section 13.2.3.5 (preprocessing) and XML 1.0 production 2: what neither admits is replaced.
std::uint32_t printable(std::uint32_t c) {
  if (c == '\t' || c == '\n') return c;
  if (c < 0x20) return kControlPictures + c;
  if (c == 0x7F) return kDeletePicture;
  const bool c1_control = c >= 0x80 && c < 0xA0;
  const bool noncharacter = (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
  return c1_control || noncharacter ? kReplacement : c;
}

void append_escaped(std::string_view unescaped, std::string& out) {
  std::string valid;
  valid.reserve(unescaped.size());
  utf8::replace_invalid(unescaped.begin(), unescaped.end(), std::back_inserter(valid),
                        kReplacement);
  for (auto at = valid.begin(); at != valid.end();) {
    switch (const std::uint32_t c = utf8::unchecked::next(at); c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        utf8::unchecked::append(printable(c), std::back_inserter(out));
    }
  }
}

}  // namespace

Html Html::trusted(std::string markup) {
  Html html;
  html.markup_ = std::move(markup);
  return html;
}

Html& Html::operator+=(const Html& more) {
  markup_ += more.markup_;
  return *this;
}

Html operator+(Html left, const Html& right) {
  left += right;
  return left;
}

Html text(std::string_view unescaped) {
  std::string out;
  append_escaped(unescaped, out);
  return Html::trusted(std::move(out));
}

Html element(std::string_view name, Attributes attributes, const Html& content) {
  std::string out = "<";
  out += name;
  for (const Attribute& attribute : attributes) {
    out.append(" ").append(attribute.name).append("=\"");
    append_escaped(attribute.value, out);
    out += '"';
  }
  if (is_void(name)) {
    out += " />";
  } else {
    out.append(">").append(content.markup()).append("</").append(name).append(">");
  }
  return Html::trusted(std::move(out));
}

Html element(std::string_view name, const Html& content) {
  return element(name, {}, content);
}

Html text_element(std::string_view name, Attributes attributes, std::string_view unescaped) {
  return element(name, attributes, text(unescaped));
}

Html text_element(std::string_view name, std::string_view unescaped) {
  return element(name, {}, text(unescaped));
}

}  // namespace trellis::report
