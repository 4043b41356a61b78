#include "trellis/topics/words/term_list.h"

#include <algorithm>
#include <utility>

#include "trellis/base/text.h"
#include "trellis/base/types.h"

namespace trellis::topics {
namespace {

// "2. c" → "c". A number that is not followed by a full stop and a blank is part of the text.
std::string_view without_sense_number(std::string_view sense) {
  sense = trim(sense);
  Index digits = 0;
  while (digits < sense.size() && sense[digits] >= '0' && sense[digits] <= '9') ++digits;
  const std::string_view rest = sense.substr(digits);
  const bool numbered = digits > 0 && rest.starts_with('.') && (rest.size() == 1 || rest[1] == ' ');
  return numbered ? rest.substr(1) : sense;
}

// Calls put(part) for each part of the text between separators.
template <class Put>
void for_each_part(std::string_view text, char separator, const Put& put) {
  for (Index at = 0; at <= text.size();) {
    const Index end = std::min(text.find(separator, at), text.size());
    put(text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

void remove_remarks(std::string_view text, std::string& out) {
  out.clear();
  std::vector<std::pair<char, Index>> open;  // what closes it, and where it stands in `out`
  for (const char c : text) {
    if (!open.empty() && c == open.back().first) {
      out.resize(open.back().second);
      out += ' ';
      open.pop_back();
      continue;
    }
    if (c == '(') open.emplace_back(')', out.size());
    if (c == '[') open.emplace_back(']', out.size());
    out += c;
  }
}

void split_terms(std::string_view text, std::vector<std::string_view>& terms) {
  for_each_part(text, ',', [&](std::string_view term) {
    term = trim(term);
    if (!term.empty()) terms.push_back(term);
  });
}

void split_senses(std::string_view text, std::vector<std::string_view>& terms) {
  for_each_part(text, '|',
                [&](std::string_view sense) { split_terms(without_sense_number(sense), terms); });
}

}  // namespace trellis::topics
