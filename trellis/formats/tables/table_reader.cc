#include "trellis/formats/tables/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/formats/tables/csv_line.h"

namespace trellis::bayes {
namespace {

char separator_of(std::string_view header, Delimiter delimiter) {
  switch (delimiter) {
    case Delimiter::kComma:
      return ',';
    case Delimiter::kTab:
      return '\t';
    case Delimiter::kSemicolon:
      return ';';
    case Delimiter::kAuto:
      break;
  }
  Index commas = 0, semicolons = 0;
  bool quoted = false;
  for (const char c : header) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\t') return '\t';
    commas += c == ',' ? 1 : 0;
    semicolons += c == ';' ? 1 : 0;
  }
  return semicolons > commas ? ';' : ',';
}

}  // namespace

TableReader::TableReader(InputFile file, Delimiter delimiter) : file_(std::move(file)) {
  std::string_view line;
  do {
    if (!file_.read_line(line)) refuse("expected a header with the names of the columns");
  } while (trim(line).empty());
  if (find_invalid_utf8(line) != std::string_view::npos) refuse("expected a header in UTF-8");
  separator_ = separator_of(line, delimiter);
  split_line(line, header_);
  std::unordered_set<std::string_view> names;
  for (const std::string& name : header_) {
    if (name.empty()) refuse("expected a name for every column of the header");
    if (!names.insert(name).second) refuse("expected each column name once, found twice:", name);
  }
}

bool TableReader::read(std::vector<std::string>& cells) {
  std::string_view line;
  do {
    if (!file_.read_line(line)) return false;
  } while (trim(line).empty());
  split_line(line, cells);
  if (cells.size() != header_.size()) {
    refuse(
        fmt::format("expected {} cells, as in the header, found {}", header_.size(), cells.size()));
  }
  return true;
}

std::optional<Index> TableReader::find(std::string_view column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  if (found == header_.end()) return std::nullopt;
  return static_cast<Index>(found - header_.begin());
}

void TableReader::refuse(std::string_view message, std::string_view token) const {
  throw InputError(file_.name(), file_.line_number(), message, token);
}

void TableReader::split_line(std::string_view line, std::vector<std::string>& cells) const {
  at_line(file_.name(), file_.line_number(),
          [&] { generative::split_csv(line, cells, separator_); });
  for (std::string& cell : cells) cell = std::string(trim(cell));
}

}  // namespace trellis::bayes
