#include "trellis/topics/corpus/text_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::topics {
namespace {

bool is_language_code(std::string_view name) {
  const auto within = [](char c, char first, char last) { return c >= first && c <= last; };
  const Index end = std::min(name.find_first_of("-_"), name.size());
  const std::string_view language = name.substr(0, end);
  if (language.size() < 2 || language.size() > 3) return false;
  if (!std::all_of(language.begin(), language.end(), [&](char c) { return within(c, 'a', 'z'); })) {
    return false;
  }
  if (end == name.size()) return true;
  const std::string_view region = name.substr(end + 1);
  return region.size() >= 2 && region.size() <= 4 &&
         std::all_of(region.begin(), region.end(), [&](char c) {
           return within(c, 'a', 'z') || within(c, 'A', 'Z') || within(c, '0', '9');
         });
}

template <class Names>
auto find_repeated(const Names& names) {
  auto at = names.begin();
  while (at != names.end() && std::find(names.begin(), at, *at) == at) ++at;
  return at;
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined;
}

}  // namespace

bool LineReader::read(SourceDocument& document) {
  document = {};
  if (!lines_.read(document.text)) return false;
  require_utf8(document.text, name(), line_number());
  return true;
}

bool TsvReader::read(SourceDocument& document) {
  document = {};
  std::string_view line;
  const bool one_column = columns_ && columns_->size() == 1;
  if (!(one_column ? lines_.read(line) : lines_.read_row(line))) return false;
  require_utf8(line, name(), line_number());
  split(line, '\t', fields_);
  check_columns();
  joined_.clear();
  for (Index c = 0; c < fields_.size(); ++c) assign((*columns_)[c], fields_[c], document);
  return true;
}

void TsvReader::check_columns() {
  if (!columns_) columns_ = TextColumns::usual(fields_.size());
  if (!columns_) {
    throw InputError(name(), line_number(),
                     fmt::format("expected text, label TAB text or id TAB label TAB text, found {} "
                                 "columns (name them with --columns)",
                                 fields_.size()));
  }
  if (fields_.size() == columns_->size()) return;
  throw InputError(name(), line_number(),
                   fmt::format("expected {} columns ({}), found {}", columns_->size(),
                               columns_->to_string(), fields_.size()));
}

void TsvReader::assign(ColumnRole role, std::string_view field, SourceDocument& document) {
  switch (role) {
    case ColumnRole::kLabel:
      document.label = trim(field);
      break;
    case ColumnRole::kText:
      if (document.text.empty()) {
        document.text = field;
        break;
      }
      if (joined_.empty()) joined_ = document.text;
      joined_ += '|';  // no words in a row across columns
      joined_ += field;
      document.text = joined_;
      break;
    case ColumnRole::kId:
      document.id = field;
      break;
    case ColumnRole::kLanguage:
      document.language = trim(field);
      break;
    case ColumnRole::kSkip:
      break;
  }
}

bool names_languages(std::string_view line) {
  std::vector<std::string_view> names;
  split(line, '\t', names);
  return names.size() >= 3 && names.front() == "id" &&
         std::all_of(names.begin() + 1, names.end(), is_language_code) &&
         find_repeated(names) == names.end();
}

bool TranslationsReader::read(SourceDocument& document) {
  document = {};
  if (names_.empty() && !read_names()) return false;
  while (true) {
    for (; next_ < fields_.size(); ++next_) {
      if (trim(fields_[next_]).empty()) continue;
      document.id = fields_.front();
      document.language = names_[next_];
      document.text = fields_[next_++];
      return true;
    }
    if (!read_row()) return false;
  }
}

// A file without any line has no document.
bool TranslationsReader::read_names() {
  std::string_view line;
  if (!lines_.read(line)) return false;
  require_utf8(line, name(), line_number());
  split(line, '\t', fields_);
  std::vector<std::string> names;
  for (const std::string_view field : fields_) names.emplace_back(trim(field));
  fields_.clear();
  if (names.size() < 2 || names.front() != "id") {
    throw InputError(name(), line_number(),
                     "expected the names of the columns, id and then languages, found", line);
  }
  for (Index c = 1; c < names.size(); ++c) {
    if (!names[c].empty()) continue;
    throw InputError(name(), line_number(),
                     fmt::format("expected a language for column {}, found a blank", c + 1));
  }
  const auto repeated = find_repeated(names);
  if (repeated != names.end()) {
    throw InputError(name(), line_number(), "expected each column once, found again", *repeated);
  }
  names_ = std::move(names);
  return true;
}

bool TranslationsReader::read_row() {
  std::string_view line;
  if (!lines_.read_row(line)) return false;
  require_utf8(line, name(), line_number());
  split(line, '\t', fields_);
  next_ = fields_.size();  // nothing of it, unless it is a row
  if (fields_.size() != names_.size()) {
    throw InputError(name(), line_number(),
                     fmt::format("expected {} columns ({}), found {}", names_.size(),
                                 joined_names(names_), fields_.size()));
  }
  if (trim(fields_.front()).empty()) {
    throw InputError(name(), line_number(), "expected an id in the first column, found a blank");
  }
  next_ = 1;
  return true;
}

FileReader::FileReader(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    list(path);
    if (entries_.empty()) throw InputError(path, 0, "expected files in this folder, found none");
  } else {
    entries_.push_back({path, path, {}});
  }
}

void FileReader::list(const std::filesystem::path& folder) {
  using Walk = std::filesystem::recursive_directory_iterator;
  try {
    for (Walk walk(folder); walk != Walk(); ++walk) {
      const std::filesystem::path& path = walk->path();
      if (path.filename().native().starts_with('.')) {
        if (walk->is_directory()) walk.disable_recursion_pending();
        continue;
      }
      if (!walk->is_regular_file()) continue;
      const std::filesystem::path below = path.lexically_relative(folder);
      const bool labelled = below.has_parent_path();
      entries_.push_back({path.native(), below.generic_string(),
                          labelled ? below.begin()->generic_string() : std::string()});
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw InputError(error.path1().native(), 0,
                     "expected a folder to read: " + error.code().message());
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.id < b.id; });
  for (const Entry& entry : entries_) {
    if (find_invalid_utf8(entry.id) == std::string_view::npos) continue;
    throw InputError(entry.path, 0, "expected a file name in UTF-8");
  }
}

bool FileReader::read(SourceDocument& document) {
  document = {};
  if (next_ == entries_.size()) return false;
  const Entry& entry = entries_[next_++];
  name_ = entry.path;
  text_ = read_file(entry.path, InputFile::kMaxLine);
  require_utf8(text_, name_, 1);
  document.id = entry.id;
  document.label = entry.label;
  document.text = text_;
  return true;
}

}  // namespace trellis::topics
