#include "trellis/topics/corpus/count_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::topics {
namespace {

constexpr std::uint64_t kMostNumbers = std::numeric_limits<std::uint32_t>::max() - 1;

}  // namespace

UciReader::UciReader(SourceLines lines, Index vocabulary)
    : lines_(std::move(lines)),
      vocabulary_(vocabulary),
      num_documents_(read_size("documents")),
      num_words_(read_size("words")),
      num_entries_(read_size("entries")) {
  if (vocabulary_ != 0 && num_words_ != vocabulary_) {
    throw InputError(name(), 2,
                     fmt::format("expected the number of words of the vocabulary, {}, found {}",
                                 vocabulary_, num_words_));
  }
  if (num_documents_ > num_entries_ && num_documents_ - num_entries_ > kMaxEmpty) {
    throw InputError(name(), 1,
                     fmt::format("expected at most {} more documents than entries ({}), found {}",
                                 kMaxEmpty, num_entries_, num_documents_));
  }
  has_next_ = read_entry();
}

void UciReader::refuse(const std::string& message, std::string_view token) const {
  throw InputError(name(), line_number(), message, token);
}

Index UciReader::read_size(const char* what) {
  std::string_view line;
  if (!lines_.read(line)) {
    refuse(fmt::format("expected the number of {}, found the end of the file", what));
  }
  const auto number = parse_integer(trim(line));
  if (!number || *number < 0) refuse(fmt::format("expected the number of {}, found", what), line);
  if (static_cast<std::uint64_t>(*number) > kMostNumbers && what != std::string_view("entries")) {
    refuse(fmt::format("expected at most {} {}, found", kMostNumbers, what), line);
  }
  return static_cast<Index>(*number);
}

std::uint64_t UciReader::parse_field(const char* what, std::string_view field,
                                     std::uint64_t most) const {
  const auto number = parse_integer(field);
  if (!number || *number < 1 || static_cast<std::uint64_t>(*number) > most) {
    refuse(fmt::format("expected {} from 1 to {}, found", what, most), field);
  }
  return static_cast<std::uint64_t>(*number);
}

bool UciReader::read_entry() {
  std::string_view line;
  if (!lines_.read_row(line)) {
    if (entries_read_ == num_entries_) return false;
    refuse(fmt::format("expected {} entries, found the end of the file after {}", num_entries_,
                       entries_read_));
  }
  if (++entries_read_ > num_entries_) {
    refuse(fmt::format("expected {} entries, found more", num_entries_));
  }
  split_columns(line, fields_);
  if (fields_.size() != 3) {
    refuse(fmt::format("expected document, word and count, found {} fields", fields_.size()));
  }
  const Index document = parse_field("a document", fields_[0], num_documents_);
  const auto word = static_cast<std::uint32_t>(parse_field("a word", fields_[1], num_words_));
  const auto count =
      static_cast<std::uint32_t>(parse_field("a count", fields_[2], kMostOccurrences));
  if (document < next_.document) {
    refuse(fmt::format("expected documents in ascending order, found {} after {}", document,
                       next_.document));
  }
  next_ = {document, {vocabulary_ != 0 ? word - 1 : word, count}};
  return true;
}

bool UciReader::read(SourceDocument& document) {
  document.id = document.label = document.language = document.text = {};
  document.counts.clear();
  if (documents_read_ == num_documents_) return false;
  ++documents_read_;
  bool ascending = true;
  while (has_next_ && next_.document == documents_read_) {
    ascending =
        ascending && (document.counts.empty() || document.counts.back().word < next_.word.word);
    document.counts.push_back(next_.word);
    has_next_ = read_entry();
  }
  if (!ascending) check_distinct(document.counts);
  return true;
}

void UciReader::check_distinct(std::vector<WordCount> counts) const {
  std::sort(counts.begin(), counts.end(),
            [](const WordCount& a, const WordCount& b) { return a.word < b.word; });
  const auto twice =
      std::adjacent_find(counts.begin(), counts.end(),
                         [](const WordCount& a, const WordCount& b) { return a.word == b.word; });
  if (twice == counts.end()) return;
  throw InputError(name(), 0,
                   fmt::format("expected each word of a document once, found {} twice in document "
                               "{}",
                               twice->word + (vocabulary_ != 0 ? 1 : 0), documents_read_));
}

bool SvmlightReader::read(SourceDocument& document) {
  document.id = document.label = document.language = document.text = {};
  document.counts.clear();
  std::string_view line;
  std::string_view field;
  while (lines_.read_row(line)) {
    LibsvmFields fields(line, name(), line_number());
    if (!fields.next(field)) continue;  // a comment
    if (!begins_with_index(field)) {
      require_utf8(field, name(), line_number());
      label_ = canonical_label(field);
      document.label = label_;
      if (!fields.next(field)) return true;
    }
    parse_indexed_values(fields, field, values_);
    add_counts(fields, document);
    return true;
  }
  return false;
}

void SvmlightReader::add_counts(const LibsvmFields& fields, SourceDocument& document) const {
  for (const IndexedValue& entry : values_) {
    if (entry.index == 0) fields.refuse_line("expected word numbers of at least 1, found 0");
    if (vocabulary_ != 0 && entry.index > vocabulary_) {
      fields.refuse_line(
          fmt::format("expected words up to {}, the size of the vocabulary, found {}", vocabulary_,
                      entry.index));
    }
    const auto count = static_cast<double>(entry.value);
    if (count != std::floor(count) || count < 0 || count > kMostOccurrences) {
      fields.refuse_line(fmt::format("expected a count from 0 to {}, a whole number, found {}:{}",
                                     kMostOccurrences, entry.index, entry.value));
    }
    document.counts.push_back(
        {vocabulary_ != 0 ? entry.index - 1 : entry.index, static_cast<std::uint32_t>(count)});
  }
}

}  // namespace trellis::topics
