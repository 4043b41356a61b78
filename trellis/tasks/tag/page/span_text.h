// Sentences with gold and predicted spans below the words, and marked mistakes.
//
// Two tracks run below the words: gold above predicted; a correct span is drawn once. A symbol and
// a line style mark each mistake; colour repeats them:
//
//   correct         ────   LOC
//   missed          ╌╌╌╌ − LOC      a gold span that no predicted span overlaps
//   spurious        ┈┈┈┈ + LOC      a predicted span that no gold span overlaps
//   wrong type      ════ ≠ LOC      the same tokens, another type
//   wrong boundary  ════ ↔ LOC      overlaps a span of the same type
//   both wrong      ════ ≠↔ LOC     overlaps, but with other tokens and another type
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/columns/tag_scheme.h"
#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

enum class Verdict { kCorrect, kMissed, kSpurious, kWrongType, kWrongBoundary, kBothWrong };

std::string_view to_string(Verdict verdict);  // "correct", "missed", …, "wrong boundary"

// The verdict on each span. The spans of each side are sorted and disjoint, as from
// tag::find_spans. Linear time.
struct SpanComparison {
  std::vector<Verdict> gold;       // never kSpurious
  std::vector<Verdict> predicted;  // never kMissed
};
SpanComparison compare_spans(std::span<const tag::Span> gold, std::span<const tag::Span> predicted);

// A sentence as strings; all three vectors have the same length.
struct ExampleSentence {
  std::string source;  // position, e.g. "line 1204"; may be empty
  std::vector<std::string> tokens;
  std::vector<std::string> gold;
  std::vector<std::string> predicted;
};

// Labels as spans (tag::find_spans), or one tag below each word. Sentences are cut after kMaxTokens
// tokens, and the page says how much is left out.
inline constexpr Index kMaxTokens = 250;
Html span_sentence(const ExampleSentence& sentence);
Html tagged_sentence(const ExampleSentence& sentence);

// The legend.
Html span_legend();
Html tag_legend();

}  // namespace trellis::report
