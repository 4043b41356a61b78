#include "trellis/formats/columns/column_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::tag {
namespace {

constexpr std::string_view kDocumentStart = "-DOCSTART-";
// How far to look for a line that is sure to be a token. A file that begins with more comments than
// this has them taken for what they look like.
constexpr Index kMaxLinesAhead = 4096;
constexpr Index kMaxBytesAhead = Index{1} << 20;

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool is_blank_line(std::string_view line) {
  return std::all_of(line.begin(), line.end(), is_blank);
}

bool looks_like_comment(std::string_view line) {
  return line == "#" || line.starts_with("# ");
}

bool is_document_start(std::string_view line) {
  return line.starts_with(kDocumentStart) &&
         (line.size() == kDocumentStart.size() || is_blank(line[kDocumentStart.size()]));
}

// base/text.h splits each line by what it holds; here the separator is the file's.
void split_at_blanks(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  Index i = 0;
  while (true) {
    while (i < line.size() && is_blank(line[i])) ++i;
    if (i == line.size()) return;
    const Index begin = i;
    while (i < line.size() && !is_blank(line[i])) ++i;
    fields.push_back(line.substr(begin, i - begin));
  }
}

Index count_columns(std::string_view line, bool tabs) {
  if (tabs) return 1 + static_cast<Index>(std::count(line.begin(), line.end(), '\t'));
  Index count = 0;
  for (Index i = 0; i < line.size(); ++i) {
    if (!is_blank(line[i]) && (i == 0 || is_blank(line[i - 1]))) ++count;
  }
  return count;
}

enum class ConlluId { kWord, kRange, kEmptyNode, kNone };

ConlluId parse_conllu_id(std::string_view text) {
  const auto digits = [&](Index& i) {
    const Index begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i > begin;
  };
  Index i = 0;
  if (!digits(i)) return ConlluId::kNone;
  if (i == text.size()) return ConlluId::kWord;
  const char mark = text[i++];
  if (!digits(i) || i != text.size()) return ConlluId::kNone;
  if (mark == '-') return ConlluId::kRange;
  return mark == '.' ? ConlluId::kEmptyNode : ConlluId::kNone;
}

}  // namespace

void require_utf8(std::string_view line, const std::string& file, Index line_number) {
  const Index invalid = find_invalid_utf8(line);
  if (invalid == std::string_view::npos) return;
  throw InputError(
      file, line_number,
      fmt::format("expected UTF-8, found an invalid sequence at byte {}", invalid + 1));
}

void SourceLines::clear() {
  text_.clear();
  lines_.clear();
}

void SourceLines::add(std::string_view text, Index token) {
  lines_.push_back({text_.size(), text.size(), token});
  text_ += text;
}

ColumnReader::ColumnReader(InputFile file, ColumnOptions options)
    : file_(std::move(file)),
      comments_(options.comments),
      format_(options.format),
      tabs_(options.format == ColumnFormat::kConllu) {}

bool ColumnReader::read(Sentence& sentence, SourceLines& lines) {
  sentence.clear(0);
  lines.clear();
  look();
  std::string_view line;
  while (next_line(line)) {
    const bool in_sentence = sentence.num_tokens() > 0;
    const Kind kind = classify(line, in_sentence);
    if (kind == Kind::kToken) add_token(line, sentence);
    lines.add(line, kind == Kind::kToken ? sentence.num_tokens() - 1 : SourceLines::kNoToken);
    if (in_sentence && (kind == Kind::kBlank || kind == Kind::kDocument)) return true;
  }
  return sentence.num_tokens() > 0;
}

ColumnReader::Look ColumnReader::look() {
  if (!std::exchange(looked_ahead_, true)) look_ahead();
  return {conllu(), seen_columns_};
}

bool ColumnReader::next_line(std::string_view& line) {
  if (ahead_position_ < ahead_.size()) {
    line = ahead_[ahead_position_++];
  } else if (!file_.read_line(line)) {
    return false;
  }
  ++line_number_;
  // The last line of a file with CRLF may have lost its LF.
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  require_utf8(line, file_.name(), line_number_);
  return true;
}

void ColumnReader::look_ahead() {
  const auto may_be_token = [](std::string_view line) {
    return !is_blank_line(line) && !is_document_start(line);
  };
  std::string_view line;
  Index bytes = 0;
  while (ahead_.size() < kMaxLinesAhead && bytes < kMaxBytesAhead && file_.read_line(line)) {
    ahead_.emplace_back(line);
    bytes += line.size();
    if (may_be_token(line) && line.front() != '#') return learn_format(line, ahead_.size());
  }
  for (Index i = 0; i < ahead_.size(); ++i) {
    if (may_be_token(ahead_[i]) && !looks_like_comment(ahead_[i])) {
      return learn_format(ahead_[i], i + 1);
    }
  }
}

void ColumnReader::learn_format(std::string_view line, Index line_number) {
  tabs_ = conllu() || line.find('\t') != std::string_view::npos;
  const Index columns = count_columns(line, tabs_);
  seen_columns_ = columns;
  if (format_ == ColumnFormat::kAuto) {
    const bool has_id = parse_conllu_id(line.substr(0, line.find('\t'))) != ConlluId::kNone;
    const bool is_conllu = tabs_ && columns >= kConlluColumns && has_id;
    format_ = is_conllu ? ColumnFormat::kConllu : ColumnFormat::kColumns;
  }
  // In CoNLL-U the line may be a multiword range, which does not describe the words.
  if (conllu()) return;
  columns_ = columns;
  columns_line_ = line_number;
}

ColumnReader::Kind ColumnReader::classify(std::string_view line, bool in_sentence) {
  if (is_blank_line(line)) return Kind::kBlank;
  if (line.front() == '#' && is_comment(line, in_sentence)) return Kind::kComment;
  if (is_document_start(line)) return Kind::kDocument;
  if (columns_ == 0) learn_format(line, line_number_);
  tabs_ ? split(line, '\t', fields_) : split_at_blanks(line, fields_);
  return conllu() ? classify_conllu() : Kind::kToken;
}

ColumnReader::Kind ColumnReader::classify_conllu() const {
  switch (parse_conllu_id(fields_.front())) {
    case ConlluId::kWord:
      return Kind::kToken;
    case ConlluId::kRange:
    case ConlluId::kEmptyNode:
      return Kind::kSkipped;
    case ConlluId::kNone:
      break;
  }
  throw InputError(file_.name(), line_number_, "expected a CoNLL-U word id in column 1, found",
                   fields_.front());
}

bool ColumnReader::is_comment(std::string_view line, bool in_sentence) const {
  if (conllu()) return true;
  if (in_sentence || !looks_like_comment(line)) return false;
  if (comments_ != Comments::kAuto) return comments_ == Comments::kHash;
  if (columns_ == 0) return true;
  const bool tabs = tabs_ || line.find('\t') != std::string_view::npos;
  return count_columns(line, tabs) != columns_;
}

void ColumnReader::add_token(std::string_view line, Sentence& sentence) {
  if (columns_ == 0) {
    columns_ = fields_.size();
    columns_line_ = line_number_;
  }
  if (fields_.size() != columns_) {
    throw InputError(file_.name(), line_number_,
                     fmt::format("expected {} columns, as in line {}, found {}", columns_,
                                 columns_line_, fields_.size()));
  }
  if (sentence.num_tokens() == 0) sentence.clear(line_number_);
  if (!sentence.has_room(line.size(), columns_)) {
    throw InputError(file_.name(), line_number_,
                     fmt::format("expected an empty line: the sentence that begins in line {} is "
                                 "too long",
                                 sentence.first_line()));
  }
  sentence.add_token(fields_, line_number_);
}

}  // namespace trellis::tag
