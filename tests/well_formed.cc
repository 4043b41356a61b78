#include "tests/well_formed.h"

#include <utf8.h>

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace trellis::report {
namespace {

constexpr std::string_view kDoctype = "<!DOCTYPE html>";
constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
    {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

class Reader {
 public:
  explicit Reader(std::string_view html) : rest_(html) {}

  void read() {
    if (!utf8::is_valid(rest_.begin(), rest_.end())) fail("ill-formed UTF-8");
    skip(kDoctype);
    while (!rest_.empty()) {
      if (rest_.starts_with("<![CDATA[")) {
        read_character_data();
      } else if (rest_.starts_with("</")) {
        read_end();
      } else if (rest_.starts_with("<")) {
        read_start();
      } else {
        read_character('\0');
      }
    }
    if (!open_.empty()) fail("not closed: " + open_.back());
  }

  std::string text() const { return text_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " before: " + std::string(rest_.substr(0, 60)));
  }

  bool skip(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!skip(token)) fail("expected " + std::string(token));
  }

  std::string read_name() {
    std::size_t n = 0;
    while (n < rest_.size() && is_name(rest_[n])) ++n;
    if (n == 0) fail("expected a name");
    const std::string name(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return name;
  }

  // Scripts have it, and nothing else.
  void read_character_data() {
    if (open_.empty() || open_.back() != "script") fail("character data outside a script");
    const std::size_t end = rest_.find("]]>");
    if (end == std::string_view::npos) fail("character data without an end");
    if (rest_.substr(0, end).find("</") != std::string_view::npos) fail("HTML ends the script");
    rest_.remove_prefix(end + 3);
  }

  void read_start() {
    expect("<");
    const std::string name = read_name();
    while (skip(" ")) {
      if (skip("/>")) return;
      read_name();
      expect("=\"");
      while (!skip("\"")) read_character('"');
    }
    expect(">");
    open_.push_back(name);
  }

  void read_end() {
    expect("</");
    const std::string name = read_name();
    expect(">");
    if (open_.empty() || open_.back() != name) fail("closes what is not open: " + name);
    open_.pop_back();
  }

  // A character of text (quote 0) or of an attribute's value.
  void read_character(char quote) {
    if (rest_.empty()) fail("unexpected end");
    char c = rest_.front();
    if (c == '<') fail("bare <");
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') fail("control character");
    if (c == '&') {
      c = read_entity();
    } else {
      rest_.remove_prefix(1);
    }
    const bool shown =
        quote == '\0' && (open_.empty() || (open_.back() != "style" && open_.back() != "script"));
    if (shown) text_ += c;
  }

  char read_entity() {
    for (const auto& [entity, character] : kEntities) {
      if (skip(entity)) return character;
    }
    fail("bare &");
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  std::string text_;
};

}  // namespace

std::string find_markup_fault(std::string_view html) {
  try {
    Reader(html).read();
    return "";
  } catch (const std::runtime_error& fault) {
    return fault.what();
  }
}

std::string visible_text(std::string_view html) {
  Reader reader(html);
  reader.read();
  return reader.text();
}

int count_of(std::string_view text, std::string_view needle) {
  int n = 0;
  for (std::size_t at = text.find(needle); at != std::string_view::npos;
       at = text.find(needle, at + needle.size())) {
    ++n;
  }
  return n;
}

}  // namespace trellis::report
