#include "trellis/topics/corpus/document_reader.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/libsvm_fields.h"
#include "trellis/topics/corpus/count_readers.h"
#include "trellis/topics/corpus/text_readers.h"

namespace trellis::topics {
namespace {

bool has_counts(CorpusFormat format) {
  return format == CorpusFormat::kUci || format == CorpusFormat::kSvmlight;
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

CorpusFormat detect_format(SourceLines& lines, const ReaderOptions& options) {
  const std::string file = std::filesystem::path(lines.name()).filename().native();
  if (file.find("docword") != std::string::npos) return CorpusFormat::kUci;
  if (options.columns) return CorpusFormat::kTsv;
  std::string_view first;
  if (!lines.peek(first)) return CorpusFormat::kLines;
  if (looks_like_libsvm(first)) return CorpusFormat::kSvmlight;
  if (names_languages(first)) return CorpusFormat::kTranslations;
  return first.find('\t') != std::string_view::npos ? CorpusFormat::kTsv : CorpusFormat::kLines;
}

std::unique_ptr<DocumentReader> make_reader(CorpusFormat format, SourceLines lines,
                                            const ReaderOptions& options, Index num_words) {
  switch (format) {
    case CorpusFormat::kTsv:
      return std::make_unique<TsvReader>(std::move(lines), options.columns);
    case CorpusFormat::kTranslations:
      return std::make_unique<TranslationsReader>(std::move(lines));
    case CorpusFormat::kUci:
      return std::make_unique<UciReader>(std::move(lines), num_words);
    case CorpusFormat::kSvmlight:
      return std::make_unique<SvmlightReader>(std::move(lines), num_words);
    case CorpusFormat::kLines:
    case CorpusFormat::kFiles:
      break;
  }
  return std::make_unique<LineReader>(std::move(lines));
}

}  // namespace

void ReaderOptions::check() const {
  if (columns && format && *format != CorpusFormat::kTsv) {
    throw UsageError(fmt::format("columns can be given only for the format tsv, not for {}",
                                 to_string(*format)));
  }
  if (labelled && columns && !columns->has_label()) {
    throw UsageError(fmt::format("the columns '{}' have no label", columns->to_string()));
  }
  if (!vocabulary.empty() && format && !has_counts(*format)) {
    throw UsageError(
        fmt::format("a vocabulary can be given only for the formats uci and svmlight: the format "
                    "{} contains its words",
                    to_string(*format)));
  }
}

NameList read_vocabulary(const std::string& path) {
  SourceLines lines{InputFile(path)};
  NameList words;
  for (std::string_view line; lines.read(line);) {
    const std::string_view word = trim(line);
    require_utf8(word, lines.name(), lines.line_number());
    if (word.empty()) {
      throw InputError(lines.name(), lines.line_number(), "expected a word, found an empty line");
    }
    if (words.add(word) + 1 != lines.line_number()) {
      throw InputError(lines.name(), lines.line_number(), "expected each word once, found again",
                       word);
    }
  }
  if (words.empty()) throw InputError(path, 0, "expected one word per line, found an empty file");
  return words;
}

CorpusReader::CorpusReader(std::vector<std::string> paths, ReaderOptions options)
    : paths_(std::move(paths)), options_(std::move(options)) {
  options_.check();
  if (paths_.empty()) throw UsageError("expected a file of documents");
  require_readable(paths_);
  if (has_vocabulary()) vocabulary_ = read_vocabulary(options_.vocabulary);
}

bool CorpusReader::read(SourceDocument& document) {
  while (reader_ == nullptr || !reader_->read(document)) {
    if (!open_next()) return false;
  }
  if (options_.labelled && document.label.empty()) {
    throw InputError(reader_->name(), reader_->line_number(), "expected a label, found none");
  }
  return true;
}

bool CorpusReader::has_languages() const {
  if (!options_.format) return false;
  if (*options_.format == CorpusFormat::kTranslations) return true;
  return *options_.format == CorpusFormat::kTsv && options_.columns &&
         options_.columns->has(ColumnRole::kLanguage);
}

// The format of the first file is that of all.
bool CorpusReader::open_next() {
  if (next_path_ == paths_.size()) return false;
  const std::string& path = paths_[next_path_++];
  if (!options_.format && is_folder(path)) options_.format = CorpusFormat::kFiles;
  if (options_.format == CorpusFormat::kFiles) {
    reader_ = std::make_unique<FileReader>(path);
    return true;
  }
  SourceLines lines{InputFile(path)};
  if (!options_.format) options_.format = detect_format(lines, options_);
  options_.check();
  reader_ = make_reader(*options_.format, std::move(lines), options_, vocabulary_.size());
  return true;
}

}  // namespace trellis::topics
