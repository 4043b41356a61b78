// A sentence as it stands in a column file: tokens × columns of text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::tag {

// The fields are views into `text`; moving a sentence keeps them valid, copying is forbidden.
class Sentence {
 public:
  Sentence() = default;
  Sentence(Sentence&&) noexcept = default;
  Sentence& operator=(Sentence&&) noexcept = default;

  Index num_tokens() const { return tokens_; }
  Index num_columns() const { return tokens_ == 0 ? 0 : fields_.size() / tokens_; }
  std::string_view field(Index token, Index column) const {
    const Field& f = fields_[token * num_columns() + column];
    return std::string_view(text_.data() + f.begin, f.size);
  }
  Index first_line() const { return first_line_; }  // of the file, for messages

  // Building: begin a sentence, then add its lines; all must have the same number of fields.
  void clear(Index first_line);
  void add_token(const std::vector<std::string_view>& fields);

 private:
  struct Field {
    std::uint32_t begin;
    std::uint32_t size;
  };
  std::vector<char> text_;
  std::vector<Field> fields_;
  Index tokens_ = 0;
  Index first_line_ = 0;
};

}  // namespace trellis::tag
