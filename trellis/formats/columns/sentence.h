// A sentence of a column file (column_reader.h describes the formats): tokens × columns of text.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::tag {

// Throws InputError with the position of invalid UTF-8 in a line of a file.
void require_utf8(std::string_view line, const std::string& file, Index line_number);

// The fields are views into the sentence's own text; they stay valid when the sentence is moved,
// and copying is forbidden. clear() keeps the memory for reuse.
class Sentence {
 public:
  // Offsets are 32 bits wide; a reader refuses longer sentences.
  static constexpr Index kMaxTextSize = Index{1} << 30;
  static constexpr Index kMaxFields = Index{1} << 28;

  Sentence() = default;
  Sentence(Sentence&&) noexcept = default;
  Sentence& operator=(Sentence&&) noexcept = default;

  Index num_tokens() const { return tokens_; }
  Index num_columns() const { return columns_; }  // 0 if there is no token
  std::string_view field(Index token, Index column) const {
    const Field& f = fields_[token * columns_ + column];
    return std::string_view(text_.data() + f.begin, f.size);
  }
  void copy_column(Index column, std::vector<std::string_view>& out) const {  // out is overwritten
    out.clear();
    for (Index t = 0; t < tokens_; ++t) out.push_back(field(t, column));
  }

  // Lines of the file, for messages. Tokens need not be on consecutive lines: a CoNLL-U file has
  // other lines between them.
  Index first_line() const { return first_line_; }
  Index line(Index token) const { return first_line_ + lines_[token]; }

  // To build a sentence, call clear(), then add its tokens; all must have the same number of
  // fields. `line` 0 means the line after that of the previous token.
  void clear(Index first_line) {
    text_.clear();
    fields_.clear();
    lines_.clear();
    tokens_ = 0;
    columns_ = 0;
    first_line_ = first_line;
  }
  void add_token(const std::vector<std::string_view>& fields, Index line = 0) {
    assert(!fields.empty() && (tokens_ == 0 || fields.size() == columns_));
    assert(line == 0 || line >= first_line_);
    columns_ = fields.size();
    for (const std::string_view field : fields) {
      assert(has_room(field.size(), 1));
      fields_.push_back(
          {static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(field.size())});
      text_.insert(text_.end(), field.begin(), field.end());
    }
    const std::uint32_t next = lines_.empty() ? 0 : lines_.back() + 1;
    lines_.push_back(line == 0 ? next : static_cast<std::uint32_t>(line - first_line_));
    ++tokens_;
  }
  bool has_room(Index text_size, Index num_fields) const {
    return text_size <= kMaxTextSize - text_.size() && num_fields <= kMaxFields - fields_.size();
  }

 private:
  struct Field {
    std::uint32_t begin;
    std::uint32_t size;
  };
  std::vector<char> text_;
  std::vector<Field> fields_;
  std::vector<std::uint32_t> lines_;  // relative to first_line_
  Index tokens_ = 0;
  Index columns_ = 0;
  Index first_line_ = 0;
};

}  // namespace trellis::tag
