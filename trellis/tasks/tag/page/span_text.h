// Sentences with what is true and what was predicted below the words, mistakes marked.
//
// Two tracks run below the words: gold above, predicted underneath; a correct span is drawn once. A
// mistake is told by a symbol and by the style of its line, and only then by colour:
//
//   correct         ────   LOC
//   missed          ╌╌╌╌ − LOC      gold, and no predicted span touches it
//   spurious        ┈┈┈┈ + LOC      predicted, and no gold span touches it
//   wrong type      ════ ≠ LOC      the same tokens, another type
//   wrong boundary  ════ ↔ LOC      overlaps a span of the same type
//   both wrong      ════ ≠↔ LOC     overlaps, but neither tokens nor type agree
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

// What became of each span. Both sides are sorted and disjoint, as tag::find_spans makes them.
// Time is linear.
struct SpanComparison {
  std::vector<Verdict> gold;       // never kSpurious
  std::vector<Verdict> predicted;  // never kMissed
};
SpanComparison compare_spans(std::span<const tag::Span> gold, std::span<const tag::Span> predicted);

// A sentence as strings; all three vectors have the same length.
struct ExampleSentence {
  std::string source;  // where it stands, e.g. "line 1204"; may be empty
  std::vector<std::string> tokens;
  std::vector<std::string> gold;
  std::vector<std::string> predicted;
};

// Labels as spans (tag::find_spans), or one tag below each word. Long sentences are cut after
// kMaxTokens tokens, and what is left out is stated.
inline constexpr Index kMaxTokens = 250;
Html span_sentence(const ExampleSentence& sentence);
Html tagged_sentence(const ExampleSentence& sentence);

// How to read them.
Html span_legend();
Html tag_legend();

}  // namespace trellis::report
