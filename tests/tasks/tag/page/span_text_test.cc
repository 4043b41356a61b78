#include "trellis/tasks/tag/page/span_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/well_formed.h"

namespace trellis::report::span_text_test {
namespace {

using Spans = std::vector<tag::Span>;
using Verdicts = std::vector<Verdict>;

std::string checked(const Html& html) {
  EXPECT_EQ(find_markup_fault(html.markup()), "");
  return html.markup();
}

TEST(CompareSpans, NamesEachKindOfMistake) {
  const Spans gold = {{0, 1, "LOC"}, {2, 3, "PER"}, {4, 6, "ORG"}, {7, 9, "ORG"}, {12, 13, "LOC"}};
  const Spans found = {
      {0, 1, "LOC"}, {2, 3, "ORG"}, {5, 6, "ORG"}, {8, 10, "LOC"}, {14, 15, "PER"}};
  const SpanComparison comparison = compare_spans(gold, found);
  EXPECT_EQ(comparison.gold,
            (Verdicts{Verdict::kCorrect, Verdict::kWrongType, Verdict::kWrongBoundary,
                      Verdict::kBothWrong, Verdict::kMissed}));
  EXPECT_EQ(comparison.predicted,
            (Verdicts{Verdict::kCorrect, Verdict::kWrongType, Verdict::kWrongBoundary,
                      Verdict::kBothWrong, Verdict::kSpurious}));
}

TEST(CompareSpans, TheSameTypeCountsMoreThanAnotherThatTouches) {
  const Spans gold = {{0, 6, "ORG"}};
  const Spans found = {{0, 2, "LOC"}, {3, 5, "ORG"}};
  const SpanComparison comparison = compare_spans(gold, found);
  EXPECT_EQ(comparison.gold, (Verdicts{Verdict::kWrongBoundary}));
  EXPECT_EQ(comparison.predicted, (Verdicts{Verdict::kBothWrong, Verdict::kWrongBoundary}));
}

TEST(CompareSpans, NothingIsComparedWithNothing) {
  const SpanComparison comparison = compare_spans({}, {});
  EXPECT_TRUE(comparison.gold.empty());
  EXPECT_TRUE(comparison.predicted.empty());
}

Spans random_spans() {
  static constexpr std::array<std::string_view, 2> kTypes = {"A", "B"};
  Spans spans;
  Index at = 0;
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
    const Index begin = at + *rc::gen::inRange<Index>(0, 3);
    at = begin + *rc::gen::inRange<Index>(1, 4);
    spans.push_back({begin, at, kTypes[*rc::gen::inRange<Index>(0, 2)]});
  }
  return spans;
}

// The definitions of span_text.h, word by word.
Verdict verdict_by_definition(const tag::Span& span, const Spans& others, Verdict untouched) {
  const auto any = [&](auto holds) { return std::any_of(others.begin(), others.end(), holds); };
  const auto touches = [&](const tag::Span& o) { return o.begin < span.end && span.begin < o.end; };
  if (any([&](const tag::Span& o) { return o == span; })) return Verdict::kCorrect;
  if (any([&](const tag::Span& o) { return o.begin == span.begin && o.end == span.end; })) {
    return Verdict::kWrongType;
  }
  if (any([&](const tag::Span& o) { return touches(o) && o.type == span.type; })) {
    return Verdict::kWrongBoundary;
  }
  return any(touches) ? Verdict::kBothWrong : untouched;
}

RC_GTEST_PROP(CompareSpans, EqualsItsDefinition, ()) {
  const Spans gold = random_spans(), found = random_spans();
  const SpanComparison comparison = compare_spans(gold, found);
  for (Index i = 0; i < gold.size(); ++i) {
    RC_ASSERT(comparison.gold[i] == verdict_by_definition(gold[i], found, Verdict::kMissed));
  }
  for (Index i = 0; i < found.size(); ++i) {
    RC_ASSERT(comparison.predicted[i] == verdict_by_definition(found[i], gold, Verdict::kSpurious));
  }
}

TEST(SpanSentence, SaysInWordsWhatIsWrong) {
  const ExampleSentence sentence = {"line 7",
                                    {"Kofi", "Annan", "left", "Bonn", "on", "Friday"},
                                    {"B-PER", "I-PER", "O", "B-LOC", "O", "O"},
                                    {"B-PER", "O", "O", "B-ORG", "O", "B-MISC"}};
  const std::string shown = visible_text(checked(span_sentence(sentence)));
  for (const char* expected :
       {"line 7 · 1 spurious, 1 wrong type, 1 wrong boundary", "Kofi", "[wrong boundary gold: PER]",
        "[wrong type gold: LOC]", "[wrong type predicted: ≠ORG]", "[spurious predicted: +MISC]"}) {
    EXPECT_NE(shown.find(expected), std::string::npos) << expected << "\nin " << shown;
  }
}

TEST(SpanSentence, ACorrectSpanIsDrawnOnce) {
  const ExampleSentence sentence = {"", {"in", "Bonn"}, {"O", "B-LOC"}, {"O", "B-LOC"}};
  const std::string markup = checked(span_sentence(sentence));
  EXPECT_EQ(count_of(visible_text(markup), "LOC"), 1);
  EXPECT_NE(visible_text(markup).find("all correct"), std::string::npos);
  EXPECT_EQ(markup.find("class=\"predicted"), std::string::npos);
}

TEST(SpanSentence, ALabelPushesWordsApartOnlyWhereAnotherIsInItsWay) {
  const std::string roomy = checked(
      span_sentence({"", {"at", "six", "sharp"}, {"O", "B-TIME", "O"}, {"O", "B-TIME", "O"}}));
  EXPECT_EQ(count_of(roomy, " free"), 1);
  const std::string tight =
      checked(span_sentence({"", {"a", "b"}, {"B-PERSON", "B-CITY"}, {"B-PERSON", "B-CITY"}}));
  EXPECT_EQ(count_of(tight, " free"), 0);
}

TEST(SpanSentence, HostileTokensAreShownAsTheyAre) {
  const ExampleSentence sentence = {"<i>",
                                    {"</script><b>", "", "\" onclick=\"", "\xFF\xFE"},
                                    {"B-<b>", "O", "O", "O"},
                                    {"O", "O", "B-&", "O"}};
  const std::string markup = checked(span_sentence(sentence));
  EXPECT_EQ(markup.find("<b>"), std::string::npos);
  EXPECT_NE(visible_text(markup).find("</script><b>"), std::string::npos);
}

TEST(SpanSentence, LongSentencesAreCutAndSayIt) {
  const Index n = kMaxTokens + 37;
  ExampleSentence sentence{"", std::vector<std::string>(n, "w"), std::vector<std::string>(n, "I-X"),
                           std::vector<std::string>(n, "O")};
  sentence.gold[0] = "B-X";
  EXPECT_NE(visible_text(checked(span_sentence(sentence))).find("… 37 more tokens"),
            std::string::npos);
  EXPECT_NE(visible_text(checked(tagged_sentence(sentence))).find("… 37 more tokens"),
            std::string::npos);
}

TEST(SpanSentence, NoTokensAreASentenceToo) {
  checked(span_sentence({}));
  checked(tagged_sentence({}));
}

TEST(TaggedSentence, ShowsTheGoldTagBesideAWrongOne) {
  const ExampleSentence sentence = {"line 3", {"old", "man"}, {"NN", "VB"}, {"NN", "NN"}};
  const std::string shown = visible_text(checked(tagged_sentence(sentence)));
  EXPECT_NE(shown.find("line 3 · 1 wrong tag"), std::string::npos);
  EXPECT_NE(shown.find("[correct gold: NN]"), std::string::npos);
  EXPECT_NE(shown.find("[wrong gold: VB]"), std::string::npos);
  EXPECT_NE(shown.find("[wrong predicted: ≠NN]"), std::string::npos);
}

TEST(SpanLegend, ShowsEverySymbol) {
  const std::string shown = visible_text(checked(span_legend()));
  for (const char* symbol : {"−", "+", "≠", "↔", "≠↔"}) {
    EXPECT_NE(shown.find(symbol), std::string::npos) << symbol;
  }
  checked(tag_legend());
}

}  // namespace
}  // namespace trellis::report::span_text_test
