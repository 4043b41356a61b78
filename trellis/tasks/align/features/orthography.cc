#include "trellis/tasks/align/features/orthography.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "trellis/base/text.h"

namespace trellis::align {
namespace {

constexpr Index kStem = 4;

Index common_prefix(const std::u32string& a, const std::u32string& b) {
  const Index most = std::min(a.size(), b.size());
  Index n = 0;
  while (n < most && a[n] == b[n]) ++n;
  return n;
}

Index common_suffix(const std::u32string& a, const std::u32string& b) {
  const Index most = std::min(a.size(), b.size());
  Index n = 0;
  while (n < most && a[a.size() - 1 - n] == b[b.size() - 1 - n]) ++n;
  return n;
}

// The length of the longest common subsequence. Both have at most kLongest letters.
Index common_subsequence(const std::u32string& a, const std::u32string& b) {
  std::array<std::uint8_t, WordForm::kLongest + 1> row{};  // by letters of b, for a prefix of a
  for (const char32_t letter : a) {
    std::uint8_t diagonal = 0;
    for (Index j = 1; j <= b.size(); ++j) {
      const std::uint8_t above = row[j];
      row[j] = letter == b[j - 1] ? static_cast<std::uint8_t>(diagonal + 1)
                                  : std::max(above, row[j - 1]);
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

void WordForm::assign(std::string_view word) {
  text = word;
  fold_letters(word, letters);
  kind = WordKind::kPunctuation;
  if (std::any_of(letters.begin(), letters.end(), is_letter)) {
    kind = WordKind::kWord;
  } else if (std::any_of(letters.begin(), letters.end(), is_digit)) {
    kind = WordKind::kNumber;
  }
}

bool same_letters(const WordForm& a, const WordForm& b) {
  return !a.letters.empty() && a.letters == b.letters;
}

bool same_number(const WordForm& a, const WordForm& b) {
  if (a.kind != WordKind::kNumber || b.kind != WordKind::kNumber) return false;
  const auto next_digit = [](const std::u32string& letters, Index from) {
    while (from < letters.size() && !is_digit(letters[from])) ++from;
    return from;
  };
  Index i = next_digit(a.letters, 0), j = next_digit(b.letters, 0);
  while (i < a.letters.size() && j < b.letters.size() && a.letters[i] == b.letters[j]) {
    i = next_digit(a.letters, i + 1);
    j = next_digit(b.letters, j + 1);
  }
  return i == a.letters.size() && j == b.letters.size();
}

Resemblance Resemblance::of(const WordForm& a, const WordForm& b) {
  Resemblance found;
  found.exact = a.text == b.text;
  found.folded = same_letters(a, b);
  found.number = same_number(a, b);
  if (a.kind != WordKind::kWord || b.kind != WordKind::kWord) return found;
  if (found.folded) {
    found.stem = a.letters.size() >= kStem;
    found.prefix = found.suffix = 1;
    found.subsequence = found.stem ? 1 : 0;
    return found;
  }
  const Index longer = std::max(a.letters.size(), b.letters.size());
  if (longer > WordForm::kLongest) return found;
  const Index prefix = common_prefix(a.letters, b.letters);
  found.stem = prefix >= kStem;
  found.prefix = static_cast<double>(prefix) / static_cast<double>(longer);
  found.suffix =
      static_cast<double>(common_suffix(a.letters, b.letters)) / static_cast<double>(longer);
  if (std::min(a.letters.size(), b.letters.size()) >= kStem) {
    found.subsequence =
        static_cast<double>(common_subsequence(a.letters, b.letters)) / static_cast<double>(longer);
  }
  return found;
}

}  // namespace trellis::align
