#include "trellis/tasks/tag/reading/sentence.h"

#include <cassert>

namespace trellis::tag {

void Sentence::copy_column(Index column, std::vector<std::string_view>& out) const {
  out.clear();
  out.reserve(tokens_);
  for (Index t = 0; t < tokens_; ++t) out.push_back(field(t, column));
}

void Sentence::clear(Index first_line) {
  text_.clear();
  fields_.clear();
  lines_.clear();
  tokens_ = 0;
  columns_ = 0;
  first_line_ = first_line;
}

void Sentence::add_token(const std::vector<std::string_view>& fields, Index line) {
  assert(!fields.empty());
  assert(tokens_ == 0 || fields.size() == columns_);
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

}  // namespace trellis::tag
