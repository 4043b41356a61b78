#include "trellis/formats/columns/item_reader.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/formats/columns/sentence.h"

namespace trellis::tag {
namespace {

constexpr std::string_view kWeight = "@weight:";

bool is_escape(std::string_view text, Index i) {
  return text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ':' || text[i + 1] == '\\');
}

// The first colon that is not escaped, or the size of the text.
Index find_colon(std::string_view text) {
  for (Index i = 0; i < text.size(); ++i) {
    if (text[i] == ':') return i;
    if (is_escape(text, i)) ++i;
  }
  return text.size();
}

// `text` itself where it has no escapes; else its meaning, kept in `storage`.
std::string_view unescape(std::string_view text, std::string& storage) {
  if (text.find('\\') == std::string_view::npos) return text;
  storage.clear();
  for (Index i = 0; i < text.size(); ++i) {
    if (is_escape(text, i)) ++i;
    storage += text[i];
  }
  return storage;
}

// Takes the next field off the front of `line`; runs of tabs separate fields.
bool take_field(std::string_view& line, std::string_view& field) {
  line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
  if (line.empty()) return false;
  field = line.substr(0, line.find('\t'));
  line.remove_prefix(field.size());
  return true;
}

}  // namespace

void ItemSentence::clear() {
  text_.clear();
  labels_.clear();
  item_begin_.assign(1, 0);
  items_.clear();
  lines_.clear();
  weight_ = 1;
}

void ItemSentence::add_token(std::string_view label, Index line) {
  labels_.push_back(store(label));
  lines_.push_back(line);
  item_begin_.push_back(items_.size());
}

void ItemSentence::add_item(std::string_view name, double value) {
  assert(!labels_.empty());
  items_.push_back({store(name), value});
  ++item_begin_.back();
}

ItemSentence::Slice ItemSentence::store(std::string_view text) {
  const Slice slice{text_.size(), text.size()};
  text_ += text;
  return slice;
}

ItemReader::ItemReader(InputFile file) : file_(std::move(file)) {}

bool ItemReader::read(ItemSentence& sentence) {
  sentence.clear();
  std::string_view line;
  while (file_.read_line(line)) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) {
      if (sentence.num_tokens() > 0) return true;
      sentence.clear();  // a weight holds up to the empty line
      continue;
    }
    require_utf8(line, file_.name(), file_.line_number());
    read_token(line, sentence);
  }
  return sentence.num_tokens() > 0;
}

void ItemReader::read_token(std::string_view line, ItemSentence& sentence) {
  std::string_view field;
  if (line.front() != '\t') {
    do {
      if (!take_field(line, field)) return;
    } while (read_weight(field, sentence));
  }
  sentence.add_token(unescape(field, unescaped_), file_.line_number());
  while (take_field(line, field)) read_item(field, sentence);
}

bool ItemReader::read_weight(std::string_view field, ItemSentence& sentence) {
  if (!field.starts_with(kWeight)) return false;
  const double weight = parse_value(field.substr(kWeight.size()), field);
  if (!(weight > 0)) {
    throw InputError(file_.name(), file_.line_number(), "expected a weight above 0, found", field);
  }
  sentence.set_weight(weight);
  return true;
}

void ItemReader::read_item(std::string_view field, ItemSentence& sentence) {
  const Index colon = find_colon(field);
  const std::string_view text = field.substr(std::min(colon + 1, field.size()));
  const double value = text.empty() ? 1 : parse_value(text, field);
  sentence.add_item(unescape(field.substr(0, colon), unescaped_), value);
}

double ItemReader::parse_value(std::string_view text, std::string_view field) const {
  const std::optional<double> value = parse_double(text);
  if (!value || !std::isfinite(*value)) {
    throw InputError(file_.name(), file_.line_number(),
                     "expected name:number (a colon in the name is written \\:), found", field);
  }
  return *value;
}

}  // namespace trellis::tag
