#include "trellis/tasks/label/reading/arff.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/label/reading/arff_scanner.h"

namespace trellis::label {
namespace {

// In any case; ASCII.
bool same_word(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

std::string_view first_word(std::string_view line) {
  line = trim(line);
  return line.substr(0, line.find_first_of(" \t"));
}

std::string text_of(const ArffScanner::Token& token) {
  if (!token.escaped) return std::string(token.text);
  std::string text;
  ArffScanner::unescape(token.text, text);
  return text;
}

std::vector<std::string> read_nominal_values(ArffScanner& scanner, const std::string& attribute) {
  std::vector<std::string> values;
  do {
    values.push_back(text_of(scanner.read(",{}", "a value of a nominal attribute")));
  } while (scanner.take(','));
  if (!scanner.take('}')) {
    scanner.refuse(fmt::format("expected ',' or '}}' among the values of '{}', found", attribute),
                   scanner.rest());
  }
  std::unordered_set<std::string_view> known;
  for (const std::string& value : values) {
    if (!known.insert(value).second) {
      scanner.refuse(fmt::format("expected each value of '{}' once, found twice:", attribute),
                     value);
    }
  }
  return values;
}

void require_numeric(const ArffScanner& scanner, std::string_view type, const std::string& name) {
  for (const std::string_view known : {"numeric", "real", "integer"}) {
    if (same_word(type, known)) return;
  }
  scanner.refuse(
      fmt::format("expected attribute '{}' to be numeric, real, integer or a list {{…}}, found",
                  name),
      type);
}

class RowScanner {
 public:
  RowScanner(const ArffReader& reader, std::string_view line, ArffRow& row)
      : scanner_(line, reader.name(), reader.line_number()),
        num_attributes_(reader.attributes().size()),
        row_(row) {
    row_.cells.clear();
    row_.unquoted.clear();
  }

  void scan() {
    row_.sparse = scanner_.take('{');
    row_.sparse ? scan_sparse() : scan_dense();
    if (!scanner_.at_end()) {
      scanner_.refuse("expected the end of the row (weights of instances are not supported), found",
                      scanner_.rest());
    }
  }

 private:
  void scan_dense() {
    add(0, ",{}");
    while (row_.cells.size() < num_attributes_) {
      if (!scanner_.take(',')) {
        if (!scanner_.at_end()) scanner_.refuse("expected ',', found", scanner_.rest());
        refuse_count(row_.cells.size());
      }
      add(static_cast<std::uint32_t>(row_.cells.size()), ",{}");
    }
    if (scanner_.take(',') && !scanner_.rest().starts_with('{')) refuse_count(num_attributes_ + 1);
  }

  [[noreturn]] void refuse_count(Index found) const {
    scanner_.refuse(fmt::format("expected {} values, one for each attribute, found {}{}",
                                num_attributes_, found, found > num_attributes_ ? " or more" : ""));
  }

  void scan_sparse() {
    if (scanner_.take('}')) return;
    do {
      const std::uint32_t attribute = read_attribute_index();
      add(attribute, ",{}");
    } while (scanner_.take(','));
    if (!scanner_.take('}')) scanner_.refuse("expected ',' or '}', found", scanner_.rest());
  }

  std::uint32_t read_attribute_index() {
    const ArffScanner::Token token = scanner_.read(",{}", "the index of an attribute");
    const auto index = token.quoted ? std::nullopt : parse_integer(token.text);
    if (!index || *index < 0 || static_cast<Index>(*index) >= num_attributes_) {
      scanner_.refuse(
          fmt::format("expected the index of an attribute, 0 to {}, found", num_attributes_ - 1),
          token.text);
    }
    const auto attribute = static_cast<std::uint32_t>(*index);
    if (!row_.cells.empty() && attribute <= row_.cells.back().attribute) {
      scanner_.refuse(fmt::format("expected an index above {}, found", row_.cells.back().attribute),
                      token.text);
    }
    return attribute;
  }

  void add(std::uint32_t attribute, std::string_view stops) {
    const ArffScanner::Token token = scanner_.read(stops, "a value");
    std::string_view text = token.text;
    if (token.escaped) {
      ArffScanner::unescape(text, row_.unquoted.emplace_back());
      text = row_.unquoted.back();
    }
    row_.cells.push_back({attribute, !token.quoted && text == "?", text});
  }

  ArffScanner scanner_;
  Index num_attributes_;
  ArffRow& row_;
};

}  // namespace

bool begins_arff(std::string_view line) {
  const std::string_view word = first_word(line);
  return word.starts_with('%') || same_word(word, "@relation") || same_word(word, "@attribute") ||
         same_word(word, "@data");
}

ArffReader::ArffReader(InputFile& file, std::string_view first_line) : file_(file) {
  std::unordered_set<std::string> known;
  std::string_view line = first_line;
  do {
    bytes_read_ += line.size() + 1;
    const Index before = attributes_.size();
    if (read_header_line(line)) {
      if (attributes_.empty()) refuse("expected an attribute before @data, found none");
      return;
    }
    if (attributes_.size() > before && !known.insert(attributes_.back().name).second) {
      refuse("expected each attribute once, found twice:", attributes_.back().name);
    }
  } while (file_.read_line(line));
  throw InputError(file_.name(), 0, "expected @data, found the end of the file");
}

bool ArffReader::read_header_line(std::string_view line) {
  line = trim(line);
  if (line.empty() || line.starts_with('%')) return false;
  const std::string_view keyword = first_word(line);
  if (same_word(keyword, "@data")) {
    ArffScanner scanner(line.substr(keyword.size()), name(), line_number());
    if (!scanner.at_end()) refuse("expected nothing behind @data, found", scanner.rest());
    return true;
  }
  if (same_word(keyword, "@attribute")) {
    read_attribute(line.substr(keyword.size()));
  } else if (!same_word(keyword, "@relation")) {
    refuse("expected @relation, @attribute or @data, found", line);
  }
  return false;
}

void ArffReader::read_attribute(std::string_view line) {
  if (const Index at = find_invalid_utf8(line); at != std::string_view::npos) {
    refuse("expected an attribute in UTF-8, found other bytes");
  }
  if (attributes_.size() == std::numeric_limits<std::uint32_t>::max()) {
    refuse("expected fewer attributes");
  }
  ArffScanner scanner(line, name(), line_number());
  ArffAttribute attribute;
  attribute.name = text_of(scanner.read("{", "the name of an attribute"));
  if (attribute.name.empty()) refuse("expected the name of an attribute, found an empty one");
  if (scanner.take('{')) {
    attribute.values = read_nominal_values(scanner, attribute.name);
  } else {
    require_numeric(scanner, scanner.read("{", "the type of an attribute").text, attribute.name);
  }
  if (!scanner.at_end()) {
    refuse("expected nothing behind the type of an attribute, found", scanner.rest());
  }
  attributes_.push_back(std::move(attribute));
}

bool ArffReader::read(ArffRow& row) {
  std::string_view line;
  while (file_.read_line(line)) {
    bytes_read_ += line.size() + 1;
    if (ArffScanner(line, name(), line_number()).at_end()) continue;
    RowScanner(*this, line, row).scan();
    return true;
  }
  return false;
}

void ArffReader::refuse(const std::string& message, std::string_view token) const {
  throw InputError(file_.name(), file_.line_number(), message, token);
}

}  // namespace trellis::label
