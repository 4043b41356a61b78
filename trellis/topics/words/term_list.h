// The terms of a dictionary's or thesaurus's column: the texts between commas, without remarks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trellis::topics {

// The text without parts in parentheses or brackets, "(fish) steak" → "  steak"; unpaired ones
// stay. `out` is overwritten.
void remove_remarks(std::string_view text, std::string& out);

// Appends the terms between commas, without blanks around them; those of nothing are left out.
void split_terms(std::string_view text, std::vector<std::string_view>& terms);

// Appends the terms of "1. a, b | 2. c": senses are parted by '|' and may be numbered.
void split_senses(std::string_view text, std::vector<std::string_view>& terms);

}  // namespace trellis::topics
