// The label file of Mulan (Tsoumakas et al. 2011), which names the attributes of an ARFF file that
// are labels:
//
//   <?xml version="1.0" encoding="utf-8"?>
//   <labels xmlns="http://mulan.sourceforge.net/labels">
//     <label name="sports"><label name="football"/></label>
//     <label name="politics"></label>
//   </labels>
//
// It accepts only the XML that such files need, strictly: one root `labels`, elements `label` to
// any depth, comments, processing instructions, attributes in any order and in either quotes, the
// five entities and numeric ones, UTF-8. A document type is refused: it could define entities that
// expand to any size.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/base/types.h"
#include "trellis/formats/sets/label_data.h"
#include "trellis/formats/sets/label_reader.h"

namespace trellis::label {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':' || static_cast<unsigned char>(c) >= 0x80;
}

// Whether XML 1.0 has such a character (production 2).
bool is_xml_character(std::uint32_t code) {
  return code == 0x9 || code == 0xA || code == 0xD || (code >= 0x20 && code <= 0xD7FF) ||
         (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF);
}

// The character of "#233" or "#xE9", or nothing.
std::optional<std::uint32_t> numeric_entity(std::string_view entity) {
  entity.remove_prefix(1);
  const bool hexadecimal = entity.starts_with('x');
  if (hexadecimal) entity.remove_prefix(1);
  std::uint32_t code = 0;
  const char* const end = entity.data() + entity.size();
  const auto parsed = std::from_chars(entity.data(), end, code, hexadecimal ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end || !is_xml_character(code)) return {};
  return code;
}

class MulanParser {
 public:
  MulanParser(std::string_view xml, const std::string& file) : xml_(xml), file_(file) {
    if (xml_.starts_with("\xEF\xBB\xBF")) xml_.remove_prefix(3);
  }

  std::vector<std::string> parse() {
    if (const Index at = find_invalid_utf8(xml_); at != std::string_view::npos) {
      at_ = at;
      refuse("expected UTF-8, found an invalid byte");
    }
    while (skip_to_tag()) read_tag();
    if (depth_ > 0) refuse(fmt::format("expected </{}>, found the end of the file", open_name()));
    if (!root_seen_) refuse("expected <labels>, found the end of the file");
    if (names_.empty()) throw InputError(file_, 0, "expected labels, found none");
    return std::move(names_);
  }

 private:
  struct Attribute {
    std::string_view name;
    std::string value;
  };

  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const {
    const auto end = xml_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, xml_.size()));
    throw InputError(file_, 1 + static_cast<Index>(std::count(xml_.begin(), end, '\n')), message,
                     token);
  }

  std::string_view rest() const { return xml_.substr(at_); }
  bool take(std::string_view text) {
    if (!rest().starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  bool skip_blanks() {
    const Index before = at_;
    at_ = std::min(xml_.find_first_not_of(kBlanks, at_), xml_.size());
    return at_ > before;
  }
  std::string_view open_name() const { return depth_ == 1 ? "labels" : "label"; }

  // Passes comments and processing instructions too; false at the end of the file.
  bool skip_to_tag() {
    while (true) {
      skip_blanks();
      if (at_ == xml_.size()) return false;
      if (xml_[at_] != '<') refuse("expected a tag, found text", rest().substr(0, 20));
      if (take("<!--")) {
        skip_behind("-->", "a comment");
      } else if (take("<?")) {
        skip_behind("?>", "a processing instruction");
      } else {
        return true;
      }
    }
  }

  void skip_behind(std::string_view end, std::string_view what) {
    const Index found = xml_.find(end, at_);
    if (found == std::string_view::npos) {
      refuse(fmt::format("expected the end ({}) of {}", end, what));
    }
    at_ = found + end.size();
  }

  std::string_view read_name() {
    const Index begin = at_;
    while (at_ < xml_.size() && is_name_character(xml_[at_])) ++at_;
    return xml_.substr(begin, at_ - begin);
  }

  void read_tag() {
    if (rest().starts_with("<!")) {
      refuse("expected <labels> or <label name=\"…\">, found", rest().substr(0, 20));
    }
    if (take("</")) return read_closing_tag();
    take("<");
    const std::string_view name = read_name();
    if (depth_ == 0 && root_seen_) refuse("expected the end of the file, found the element", name);
    if (name != (depth_ == 0 ? "labels" : "label")) {
      refuse(fmt::format("expected <{}>, found the element", depth_ == 0 ? "labels" : "label"),
             name);
    }
    read_attributes();
    if (depth_ > 0) add_label();
    root_seen_ = true;
    const bool empty = take("/");
    if (!take(">")) refuse("expected '>' at the end of a tag, found", rest().substr(0, 20));
    if (!empty) ++depth_;
  }

  void read_closing_tag() {
    const std::string_view name = read_name();
    if (depth_ == 0 || name != open_name()) {
      refuse(depth_ == 0 ? "expected an opening tag before the closing tag"
                         : fmt::format("expected </{}>, found the end of", open_name()),
             name);
    }
    skip_blanks();
    if (!take(">")) refuse("expected '>' at the end of a tag, found", rest().substr(0, 20));
    --depth_;
  }

  void read_attributes() {
    attributes_.clear();
    while (skip_blanks()) {
      const std::string_view name = read_name();
      if (name.empty()) return;
      for (const Attribute& other : attributes_) {
        if (other.name == name) refuse("expected each attribute once, found twice:", name);
      }
      // Files of strangers: looking for a name twice must not become quadratic.
      if (attributes_.size() == kMaxAttributes) refuse("too many attributes in one tag");
      skip_blanks();
      if (!take("=")) refuse("expected '=' after the attribute", name);
      skip_blanks();
      attributes_.push_back({name, read_value()});
    }
  }

  std::string read_value() {
    const char quote = at_ < xml_.size() ? xml_[at_] : '\0';
    if (quote != '"' && quote != '\'') refuse("expected an attribute's value in quotes");
    ++at_;
    std::string value;
    while (at_ < xml_.size() && xml_[at_] != quote) {
      const char c = xml_[at_];
      if (c == '<') refuse("expected &lt; in an attribute's value, found '<'");
      if (c == '&') {
        read_entity(value);
        continue;
      }
      // Line ends and tabs count as blanks (XML 1.0, sec. 3.3.3).
      value += kBlanks.find(c) != std::string_view::npos ? ' ' : c;
      if (!is_xml_character(static_cast<unsigned char>(c))) {
        refuse("expected text in an attribute's value, found a control character");
      }
      ++at_;
    }
    if (at_ == xml_.size()) refuse("expected the quote that ends an attribute's value");
    ++at_;
    return value;
  }

  void read_entity(std::string& value) {
    constexpr Index kLongest = 12;  // with room for zeros in front
    const Index end = rest().substr(0, kLongest).find(';');
    const std::string_view entity =
        end == std::string_view::npos ? std::string_view() : rest().substr(1, end - 1);
    constexpr std::pair<std::string_view, char> kEntities[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    const auto named = std::find_if(std::begin(kEntities), std::end(kEntities),
                                    [&](const auto& known) { return known.first == entity; });
    if (named != std::end(kEntities)) {
      value += named->second;
    } else if (const auto code = entity.starts_with('#') ? numeric_entity(entity) : std::nullopt) {
      append_utf8(*code, value);
    } else {
      refuse("expected &amp; &lt; &gt; &quot; &apos; or a character by its number, found",
             rest().substr(0, kLongest));
    }
    at_ += end + 1;
  }

  void add_label() {
    const auto name = std::find_if(attributes_.begin(), attributes_.end(),
                                   [](const Attribute& a) { return a.name == "name"; });
    if (name == attributes_.end()) refuse("expected a label with a name, found none");
    if (const auto fault = label_name_fault(name->value)) refuse(*fault, name->value);
    if (!known_.insert(name->value).second) {
      refuse("expected each label once, found twice:", name->value);
    }
    names_.push_back(std::move(name->value));
  }

  static constexpr Index kMaxAttributes = 64;

  std::string_view xml_;
  const std::string& file_;
  Index at_ = 0;
  Index depth_ = 0;  // of open elements; the first is the root
  bool root_seen_ = false;
  std::vector<Attribute> attributes_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> known_;
};

}  // namespace

std::vector<std::string> parse_mulan_xml(std::string_view xml, const std::string& file) {
  return MulanParser(xml, file).parse();
}

}  // namespace trellis::label
