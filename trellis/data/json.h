// JSON (RFC 8259) of values: the only place, with json.cc, that knows it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trellis/data/value.h"

namespace trellis {

// Bytes that are not UTF-8, which JSON cannot have: a ValueError, or U+FFFD in their place.
enum class InvalidText { kRefuse, kReplace };

// In one line, the fields of each record sorted by name: equal values are equal texts. Numbers have
// the fewest digits that read back as the same number; infinities and NaN are null.
std::string to_json(const Value& value, InvalidText invalid = InvalidText::kRefuse);
// As to_json(), but the fields in their own order.
std::string to_ordered_json(const Value& value, InvalidText invalid = InvalidText::kRefuse);

// Nothing where the text is not JSON, or nests deeper than kMaxJsonNesting. The fields of a record
// are sorted by name; of two of the same name the last counts.
inline constexpr int kMaxJsonNesting = 512;
std::optional<Value> parse_json(std::string_view text);

}  // namespace trellis
