#include "trellis/scorers/ud_alignment.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::parse {
namespace {

using UdWord = UdTreebank::Word;
using UdWords = std::span<const UdWord>;

void require_same_text(const UdTreebank& gold, const UdTreebank& system) {
  const std::u32string& a = gold.characters();
  const std::u32string& b = system.characters();
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_a == a.end() && in_b == b.end()) return;
  constexpr Index kShown = 20;
  const auto at = static_cast<Index>(in_a - a.begin());
  const auto shown = [&](const std::u32string& text) {
    std::string out;
    for (const char32_t character : text.substr(at, kShown)) append_utf8(character, out);
    return out.empty() ? std::string("the end") : out;
  };
  throw InputError(system.name(), system.line_of(at),
                   fmt::format("expected the text of {}:{}, which goes on otherwise, found",
                               gold.name(), gold.line_of(at)),
                   shown(b));
}

class Aligner {
 public:
  Aligner(UdWords gold, UdWords system) : gold_(gold), system_(system) {}

  std::vector<AlignedWords> align() {
    while (g_ < gold_.size() && s_ < system_.size()) {
      const UdWord& gold = gold_[g_];
      const UdWord& system = system_[s_];
      if (gold.in_multiword || system.in_multiword) {
        align_multiword_span();
      } else if (gold.span == system.span) {
        pairs_.push_back({g_++, s_++});
      } else if (gold.span.begin <= system.span.begin) {
        ++g_;
      } else {
        ++s_;
      }
    }
    return std::move(pairs_);
  }

 private:
  // No word of this side is left that has a part within the span that ends at `end`.
  static bool beyond(UdWords words, Index i, Index end) {
    if (i >= words.size()) return true;
    return words[i].in_multiword ? words[i].span.begin >= end : words[i].span.end > end;
  }

  // The least span from here on that cuts no multiword token; g_ and s_ move behind its words.
  void align_multiword_span() {
    const bool of_gold = gold_[g_].in_multiword;
    Index end = of_gold ? gold_[g_].span.end : system_[s_].span.end;
    if (of_gold) {
      if (!system_[s_].in_multiword && system_[s_].span.begin < gold_[g_].span.begin) ++s_;
    } else if (gold_[g_].span.begin < system_[s_].span.begin) {
      ++g_;
    }
    const Index first_gold = g_;
    const Index first_system = s_;
    while (!beyond(gold_, g_, end) || !beyond(system_, s_, end)) {
      const bool gold_next = g_ < gold_.size() && (s_ >= system_.size() ||
                                                   gold_[g_].span.begin <= system_[s_].span.begin);
      const UdWord& next = gold_next ? gold_[g_++] : system_[s_++];
      if (next.in_multiword) end = std::max(end, next.span.end);
    }
    align_by_forms(first_gold, first_system);
  }

  // The words from these on up to g_ and s_.
  void align_by_forms(Index first_gold, Index first_system) {
    const Index rows = g_ - first_gold;
    const Index columns = s_ - first_system;
    const auto lower = [](UdWords words) {
      std::vector<std::string> out(words.size());
      for (Index i = 0; i < words.size(); ++i) to_lower_in_context(words[i].form, out[i]);
      return out;
    };
    const std::vector<std::string> a = lower(gold_.subspan(first_gold, rows));
    const std::vector<std::string> b = lower(system_.subspan(first_system, columns));
    // The longest common subsequence of the words from i and from j on.
    lengths_.assign((rows + 1) * (columns + 1), 0);
    const auto length = [&](Index i, Index j) -> std::uint32_t& {
      return lengths_[i * (columns + 1) + j];
    };
    for (Index i = rows; i-- > 0;) {
      for (Index j = columns; j-- > 0;) {
        length(i, j) =
            a[i] == b[j] ? 1 + length(i + 1, j + 1) : std::max(length(i + 1, j), length(i, j + 1));
      }
    }
    for (Index i = 0, j = 0; i < rows && j < columns;) {
      if (a[i] == b[j]) {
        pairs_.push_back({first_gold + i++, first_system + j++});
      } else if (length(i, j) == length(i + 1, j)) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  UdWords gold_;
  UdWords system_;
  Index g_ = 0;
  Index s_ = 0;
  std::vector<std::uint32_t> lengths_;
  std::vector<AlignedWords> pairs_;
};

}  // namespace

std::vector<AlignedWords> align_words(const UdTreebank& gold, const UdTreebank& system) {
  require_same_text(gold, system);
  return Aligner(gold.words(), system.words()).align();
}

}  // namespace trellis::parse
