#include "trellis/topics/corpus/text_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::topics {

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
                                 "columns (say with --columns what they are)",
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
