#include "trellis/formats/treebank/treebank_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/formats/treebank/head_check.h"

namespace trellis::parse {
namespace {

constexpr std::array<std::string_view, 17> kUniversalTags = {
    "ADJ",  "ADP",  "ADV",   "AUX",   "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"};

constexpr std::array<std::string_view, kTreebankColumns> kConlluColumns = {
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};
constexpr std::array<std::string_view, kTreebankColumns> kConllxColumns = {
    "ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"};

// Columns, from 0.
constexpr Index kId = 0;
constexpr Index kForm = 1;
constexpr Index kCoarse = 3;
constexpr Index kHead = 6;
constexpr Index kLabel = 7;
constexpr Index kNinth = 8;
constexpr Index kTenth = 9;

bool is_blank_line(std::string_view line) {
  return trim(line).empty();
}

// A number without a sign and without zeros in front: there is one way to write it, as scorers that
// compare texts expect.
std::optional<std::uint32_t> parse_number(std::string_view text) {
  constexpr Index kMostDigits = 9;
  if (text.empty() || text.size() > kMostDigits || (text.size() > 1 && text[0] == '0')) return {};
  std::uint32_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {};
    number = 10 * number + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

struct Id {
  enum class Kind { kNone, kWord, kMultiword, kEmptyNode };
  Kind kind = Kind::kNone;
  std::uint32_t first = 0;   // 3 of "3", "3-4" and "3.1"
  std::uint32_t second = 0;  // 4 of "3-4", 1 of "3.1"
};

Id parse_id(std::string_view text) {
  const Index mark = std::min(text.find_first_of("-."), text.size());
  const auto first = parse_number(text.substr(0, mark));
  if (!first) return {};
  if (mark == text.size()) return {Id::Kind::kWord, *first, 0};
  const auto second = parse_number(text.substr(mark + 1));
  if (!second) return {};
  return {text[mark] == '-' ? Id::Kind::kMultiword : Id::Kind::kEmptyNode, *first, *second};
}

// The line from a field of it on.
std::string_view columns_from(std::string_view line, std::string_view field) {
  return line.substr(static_cast<Index>(field.data() - line.data()));
}

void set(std::string& column, std::string_view field) {
  column.assign(field == "_" ? std::string_view() : field);
}

TreebankFormat format_of(const std::vector<std::string_view>& fields) {
  const auto is = [](bool conllu) {
    return conllu ? TreebankFormat::kConllu : TreebankFormat::kConllx;
  };
  if (fields.size() < kTreebankColumns) return TreebankFormat::kConllx;
  const Id::Kind kind = parse_id(fields[kId]).kind;
  if (kind == Id::Kind::kMultiword || kind == Id::Kind::kEmptyNode) return TreebankFormat::kConllu;
  if (fields[kNinth] != "_") return is(!parse_number(fields[kNinth]));
  const bool universal = std::find(kUniversalTags.begin(), kUniversalTags.end(), fields[kCoarse]) !=
                         kUniversalTags.end();
  return is(universal || fields[kCoarse] == "_");
}

}  // namespace

TreebankReader::TreebankReader(InputFile file, const TreebankOptions& options)
    : file_(std::move(file)), options_(options) {}

bool TreebankReader::read(Sentence& sentence) {
  look();
  begin(sentence);
  std::string_view line;
  while (next_line(line)) {
    const bool inside =
        !sentence.words.empty() || !sentence.empty_nodes.empty() || !sentence.multiwords.empty();
    if (is_blank_line(line)) {
      if (!inside) continue;
      end(sentence);
      return true;
    }
    if (line.front() == '#') {
      if (inside) refuse("expected a word or an empty line, found a comment:", line);
      sentence.comments.emplace_back(line);
      continue;
    }
    if (!inside) sentence.line = file_.line_number();
    add_line(line, sentence);
  }
  if (sentence.line == 0) return false;
  end(sentence);
  return true;
}

TreebankFormat TreebankReader::format() {
  look();
  return *options_.format;
}

Index TreebankReader::num_columns() {
  look();
  return columns_;
}

bool TreebankReader::next_line(std::string_view& line) {
  if (std::exchange(ahead_, false)) {
    line = first_line_;
    return true;
  }
  if (!file_.read_line(line)) return false;
  // The last line of a file with CRLF may have lost its LF.
  while (line.ends_with('\r')) line.remove_suffix(1);
  const Index invalid = find_invalid_utf8(line);
  if (invalid != std::string_view::npos) {
    refuse(fmt::format("expected UTF-8, found an invalid sequence at byte {}", invalid + 1));
  }
  return true;
}

void TreebankReader::look() {
  if (std::exchange(looked_, true)) return;
  std::string_view line;
  while (next_line(line)) {
    if (is_blank_line(line)) continue;
    first_line_.assign(line);
    ahead_ = true;
    learn_format(first_line_);
    return;
  }
  if (!options_.format) options_.format = TreebankFormat::kConllu;
}

void TreebankReader::learn_format(std::string_view line) {
  const bool comment = line.front() == '#';
  split(line, '\t', fields_);
  if (!options_.format) {
    options_.format = comment ? TreebankFormat::kConllu : format_of(fields_);
  }
  // A comment before CoNLL-X does not show the number of columns; its first word does.
  columns_ = kTreebankColumns;
  if (*options_.format != TreebankFormat::kConllx) return;
  columns_ = comment ? 0 : fields_.size();
}

void TreebankReader::begin(Sentence& sentence) {
  sentence.words.clear();
  sentence.comments.clear();
  sentence.multiwords.clear();
  sentence.empty_nodes.clear();
  sentence.line = 0;
  multiword_line_ = 0;
}

void TreebankReader::add_line(std::string_view line, Sentence& sentence) {
  split(line, '\t', fields_);
  check_columns();
  const Id id = parse_id(fields_[kId]);
  if (id.kind == Id::Kind::kMultiword && *options_.format == TreebankFormat::kConllu) {
    return add_multiword(line, sentence);
  }
  if (id.kind == Id::Kind::kEmptyNode && *options_.format == TreebankFormat::kConllu) {
    return add_empty_node(line, sentence);
  }
  const Index expected = sentence.size() + 1;
  if (id.kind != Id::Kind::kWord || id.first != expected) {
    const bool of_conllu = id.kind == Id::Kind::kMultiword || id.kind == Id::Kind::kEmptyNode;
    refuse(fmt::format("expected the id {}{}, found", expected,
                       of_conllu ? " (CoNLL-X files contain only lines of words)" : ""),
           fields_[kId]);
  }
  add_word(sentence);
}

void TreebankReader::add_word(Sentence& sentence) {
  if (sentence.size() == options_.max_words) {
    refuse(
        fmt::format("expected an empty line: the sentence that begins in line {} has more than "
                    "{} words",
                    sentence.line, options_.max_words));
  }
  const auto column = [&](Index c) { return c < columns_ ? fields_[c] : std::string_view("_"); };
  Word& word = sentence.words.emplace_back();
  word.form.assign(column(kForm));
  set(word.lemma, column(kForm + 1));
  set(word.coarse, column(kCoarse));
  set(word.fine, column(kCoarse + 1));
  set(word.features, column(kCoarse + 2));
  set(word.label, column(kLabel));
  set(word.ninth, column(kNinth));
  set(word.tenth, column(kTenth));
  word.line = static_cast<std::uint32_t>(file_.line_number() - sentence.line);
  if (column(kHead) == "_") return;
  const auto head = parse_number(column(kHead));
  if (!head) {
    refuse("expected a head in column 7 (the number of a word, 0 for the root, or _), found",
           column(kHead));
  }
  word.head = *head;
}

void TreebankReader::add_multiword(std::string_view line, Sentence& sentence) {
  const Id id = parse_id(fields_[kId]);
  const Index next = sentence.size() + 1;
  if (id.first != next) {
    refuse(
        fmt::format("expected a multiword token that begins with the next word, {}, found", next),
        fields_[kId]);
  }
  if (id.second < id.first) {
    refuse("expected a multiword token whose last word is not before its first, found",
           fields_[kId]);
  }
  if (!sentence.multiwords.empty() && sentence.multiwords.back().last >= next) {
    refuse(fmt::format("expected a word of the multiword token of line {}, found another one:",
                       multiword_line_),
           fields_[kId]);
  }
  sentence.multiwords.push_back({id.first, id.second, std::string(fields_[kForm]),
                                 std::string(columns_from(line, fields_[kForm + 1]))});
  multiword_line_ = file_.line_number();
}

void TreebankReader::add_empty_node(std::string_view line, Sentence& sentence) {
  const Id id = parse_id(fields_[kId]);
  const auto after = static_cast<std::uint32_t>(sentence.size());
  const bool another = !sentence.empty_nodes.empty() && sentence.empty_nodes.back().after == after;
  const std::uint32_t number = another ? sentence.empty_nodes.back().number + 1 : 1;
  // The line of a multiword token stands right before its first word.
  const bool too_late =
      !sentence.multiwords.empty() && sentence.multiwords.back().first == after + 1;
  if (too_late) refuse(fmt::format("expected the id {}, found", after + 1), fields_[kId]);
  if (id.first != after || id.second != number) {
    refuse(fmt::format("expected the id {}, or {}.{} for an empty node, found", after + 1, after,
                       number),
           fields_[kId]);
  }
  sentence.empty_nodes.push_back({after, number, std::string(columns_from(line, fields_[kForm]))});
}

void TreebankReader::end(const Sentence& sentence) const {
  if (sentence.words.empty()) {
    throw InputError(file_.name(), sentence.line, "expected a word in the sentence, found none");
  }
  if (!sentence.multiwords.empty() && sentence.multiwords.back().last > sentence.size()) {
    const MultiwordToken& token = sentence.multiwords.back();
    throw InputError(file_.name(), multiword_line_,
                     fmt::format("expected a multiword token within the sentence, whose last word "
                                 "is {}, found",
                                 sentence.size()),
                     fmt::format("{}-{}", token.first, token.last));
  }
  check_heads(sentence, options_.heads, file_.name());
}

void TreebankReader::check_columns() {
  const bool conllx = *options_.format == TreebankFormat::kConllx;
  if (columns_ == 0) columns_ = fields_.size();
  const bool known = !conllx || columns_ == 6 || columns_ == 8 || columns_ == kTreebankColumns;
  if (!known || fields_.size() != columns_) {
    refuse(fmt::format("expected {} columns separated by tabs, found {}",
                       known ? std::to_string(columns_) : "6, 8 or 10", fields_.size()));
  }
  const auto& names = conllx ? kConllxColumns : kConlluColumns;
  for (Index c = 0; c < columns_; ++c) {
    if (!trim(fields_[c]).empty()) continue;
    refuse(fmt::format("expected {} in column {} ({}), found nothing",
                       c == kForm ? "a word" : "a value or _", c + 1, names[c]));
  }
}

void TreebankReader::refuse(const std::string& message, std::string_view token) const {
  throw InputError(file_.name(), file_.line_number(), message, token);
}

std::vector<Sentence> read_treebank(InputFile file, const TreebankOptions& options) {
  TreebankReader reader(std::move(file), options);
  std::vector<Sentence> sentences;
  while (reader.read(sentences.emplace_back())) continue;
  sentences.pop_back();
  return sentences;
}

}  // namespace trellis::parse
