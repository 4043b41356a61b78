#include "trellis/formats/examples/example_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/libsvm_fields.h"

namespace trellis::classify {
namespace {

void check_label(const LibsvmFields& fields, std::string_view field) {
  if (field.starts_with("qid:")) fields.refuse("expected a label first, found", field);
  if (find_invalid_utf8(field) != std::string_view::npos) {
    fields.refuse("expected a label in UTF-8, found invalid bytes");
  }
}

// Reads one line; false if there is nothing on it but a comment. A line whose first field is
// index:value has no label. Throws InputError with the column (in bytes, from 1).
bool parse_libsvm_line(std::string_view line, const std::string& file, Index line_number,
                       Example& example) {
  example.clear();
  example.line = line_number;
  LibsvmFields fields(line, file, line_number);
  std::string_view field;
  if (!fields.next(field)) return false;
  if (!begins_with_index(field)) {
    check_label(fields, field);
    example.label = canonical_label(field);
    example.labelled = true;
    if (!fields.next(field)) return true;
  }
  if (field.starts_with("qid:")) {
    fields.refuse(
        "this is ranking data: use 'trellis rank' (or remove the queries to classify): expected "
        "index:value, found",
        field);
  }
  parse_indexed_values(fields, field, example.values);
  return true;
}

}  // namespace

ExampleReader::ExampleReader(InputFile file, ReaderOptions options)
    : file_(std::move(file)), options_(std::move(options)) {
  if (options_.labelled && options_.columns && !options_.columns->has_label()) {
    throw UsageError(fmt::format("the columns '{}' have no label", options_.columns->to_string()));
  }
  if (!options_.columns) return;
  const Index fewest =
      options_.columns->size() - (!options_.labelled && options_.columns->has_label() ? 1 : 0);
  one_column_ = fewest == 1 && options_.format == InputFormat::kText;
}

bool ExampleReader::read(Example& example) {
  std::string_view line;
  while (next_line(line)) {
    if (!options_.format) detect_format(line);
    if (*options_.format == InputFormat::kText) {
      read_text(line, example);
    } else if (!parse_libsvm_line(line, file_.name(), file_.line_number(), example)) {
      continue;
    }
    if (options_.labelled && !example.labelled) {
      throw InputError(file_.name(), file_.line_number(), "expected a label, found none");
    }
    return true;
  }
  return false;
}

// Lines of nothing are remembered: they are right only if nothing follows. Where lines have one
// column, they are empty texts.
bool ExampleReader::next_line(std::string_view& line) {
  Index empty = 0;
  while (file_.read_line(line)) {
    if (one_column_ || !trim(line).empty()) {
      if (empty == 0) return true;
      throw InputError(file_.name(), empty, "expected an example, found an empty line");
    }
    if (empty == 0) empty = file_.line_number();
  }
  return false;
}

void ExampleReader::detect_format(std::string_view line) {
  const bool tabs = line.find('\t') != std::string_view::npos;
  const bool comment = line.starts_with('#') && !tabs;
  if (options_.columns) {
    options_.format = InputFormat::kText;
  } else if (comment || looks_like_libsvm(line)) {
    options_.format = InputFormat::kLibsvm;
  } else if (tabs || !options_.labelled) {
    options_.format = InputFormat::kText;
  } else {
    throw InputError(file_.name(), file_.line_number(),
                     "expected label TAB text, id TAB label TAB text, or label index:value …, "
                     "found",
                     line);
  }
}

const TextColumns& ExampleReader::choose_columns(Index found) {
  if (!options_.columns) {
    options_.columns = TextColumns::usual(found);
    if (!options_.columns || (options_.labelled && !options_.columns->has_label())) {
      options_.columns.reset();
      throw InputError(file_.name(), file_.line_number(),
                       fmt::format("expected label TAB text or id TAB label TAB text, found {} "
                                   "columns (name them with --columns)",
                                   found));
    }
  }
  const TextColumns& columns = *options_.columns;
  const bool may_lack_label = !options_.labelled && columns.has_label();
  if (may_lack_label && !unlabelled_) unlabelled_ = columns.without_label();
  if (found == columns.size()) return columns;
  if (may_lack_label && found == unlabelled_->size()) return *unlabelled_;
  throw InputError(
      file_.name(), file_.line_number(),
      fmt::format("expected {} columns ({}){}, found {}", columns.size(), columns.to_string(),
                  may_lack_label ? ", or the same without the label" : "", found));
}

void ExampleReader::read_text(std::string_view line, Example& example) {
  const Index invalid = find_invalid_utf8(line);
  if (invalid != std::string_view::npos) {
    throw InputError(
        file_.name(), file_.line_number(),
        fmt::format("expected UTF-8, found an invalid byte in column {}", invalid + 1));
  }
  split(line, '\t', fields_);
  const TextColumns& columns = choose_columns(fields_.size());
  one_column_ = columns.size() == 1;
  example.clear();
  example.line = file_.line_number();
  for (Index c = 0; c < fields_.size(); ++c) {
    switch (columns[c]) {
      case ColumnRole::kLabel:
        example.label = trim(fields_[c]);
        example.labelled = !example.label.empty();
        break;
      case ColumnRole::kText:
        if (!example.text.empty()) example.text += ' ';
        example.text += fields_[c];
        break;
      case ColumnRole::kId:
        example.id = fields_[c];
        break;
      case ColumnRole::kLanguage:
      case ColumnRole::kSkip:
        break;
    }
  }
}

}  // namespace trellis::classify
