#include "trellis/scorers/conlleval.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "trellis/formats/columns/tag_scheme.h"
#include "trellis/scorers/match_counts.h"

namespace trellis::tag {
namespace {

using Strings = std::vector<std::string>;
using Views = std::vector<std::string_view>;

Views views(const Strings& labels) {
  return Views(labels.begin(), labels.end());
}

SpanMetrics measured(const Views& gold, const Views& predicted,
                     ChunkRules rules = ChunkRules::kConllevalBioes) {
  SpanMetrics metrics(rules);
  metrics.add(gold, predicted);
  return metrics;
}

// gold, found, correct
MatchCounts counts(const Views& gold, const Views& predicted,
                   ChunkRules rules = ChunkRules::kConllevalBioes) {
  return measured(gold, predicted, rules).overall();
}

TEST(SpanMetrics, CountsByHand) {
  const Views gold = {"B-NP", "I-NP", "O", "B-VP", "B-NP", "I-NP", "I-NP", "O"};
  const Views found = {"B-NP", "I-NP", "O", "B-NP", "B-NP", "I-NP", "O", "B-PP"};
  EXPECT_EQ(counts(gold, found), (MatchCounts{3, 4, 1}));
  const std::vector<LabelCounts> expected = {
      {"NP", {2, 3, 1}}, {"PP", {0, 1, 0}}, {"VP", {1, 0, 0}}};
  EXPECT_EQ(measured(gold, found).by_type(), expected);
  EXPECT_EQ(measured(gold, found).num_correct_tokens(), 5u);
}

// 5 of 8 tokens; 1 correct of 4 found and of 3; F1 = 2·25·33.3…/58.3… = 28.57
TEST(SpanMetrics, PrintsWhatConllevalPrints) {
  const Views gold = {"B-NP", "I-NP", "O", "B-VP", "B-NP", "I-NP", "I-NP", "O"};
  const Views found = {"B-NP", "I-NP", "O", "B-NP", "B-NP", "I-NP", "O", "B-PP"};
  EXPECT_EQ(measured(gold, found).conlleval(),
            "processed 8 tokens with 3 phrases; found: 4 phrases; correct: 1.\n"
            "accuracy:  62.50%; precision:  25.00%; recall:  33.33%; FB1:  28.57\n"
            "               NP: precision:  33.33%; recall:  50.00%; FB1:  40.00  3\n"
            "               PP: precision:   0.00%; recall:   0.00%; FB1:   0.00  1\n"
            "               VP: precision:   0.00%; recall:   0.00%; FB1:   0.00  0\n");
}

TEST(SpanMetrics, NothingToFindIsZero) {
  EXPECT_EQ(measured({"O", "O"}, {"O", "B-X"}).conlleval(),
            "processed 2 tokens with 0 phrases; found: 1 phrases; correct: 0.\n"
            "accuracy:  50.00%; precision:   0.00%; recall:   0.00%; FB1:   0.00\n"
            "                X: precision:   0.00%; recall:   0.00%; FB1:   0.00  1\n");
  EXPECT_EQ(measured({"O"}, {"O"}).conlleval(),
            "processed 1 tokens with 0 phrases; found: 0 phrases; correct: 0.\n"
            "accuracy: 100.00%; precision:   0.00%; recall:   0.00%; FB1:   0.00\n");
  EXPECT_EQ(SpanMetrics().conlleval(),
            "processed 0 tokens with 0 phrases; found: 0 phrases; correct: 0.\n");
}

TEST(SpanMetrics, NeighboursOfOneTypeInIob1) {
  const Views two = {"I-X", "B-X", "I-X"};
  EXPECT_EQ(counts(two, {"I-X", "B-X", "I-X"}), (MatchCounts{2, 2, 2}));
  EXPECT_EQ(counts(two, {"I-X", "I-X", "I-X"}), (MatchCounts{2, 1, 0}));
  EXPECT_EQ(counts(two, {"B-X", "B-X", "I-X"}), (MatchCounts{2, 2, 2}));
}

TEST(SpanMetrics, AnotherTypeInsideStartsAChunk) {
  EXPECT_EQ(counts({"B-X", "I-Y"}, {"B-X", "B-Y"}), (MatchCounts{2, 2, 2}));
  EXPECT_EQ(counts({"B-X", "I-X"}, {"B-X", "I-Y"}), (MatchCounts{1, 2, 0}));
}

TEST(SpanMetrics, SentencesEndChunks) {
  SpanMetrics metrics;
  for (int i = 0; i < 2; ++i) metrics.add(Views{"I-X"}, Views{"I-X"});
  EXPECT_EQ(metrics.overall(), (MatchCounts{2, 2, 2}));
}

TEST(SpanMetrics, ALongerGuessIsWrong) {
  EXPECT_EQ(counts({"B-X", "O"}, {"B-X", "I-X"}), (MatchCounts{1, 1, 0}));
  EXPECT_EQ(counts({"O", "B-X"}, {"B-X", "I-X"}), (MatchCounts{1, 1, 0}));
}

TEST(SpanMetrics, HyphensBelongToTheType) {
  EXPECT_EQ(measured({"B-geo-loc"}, {"B-geo-loc"}).by_type(),
            (std::vector<LabelCounts>{{"geo-loc", {1, 1, 1}}}));
}

TEST(SpanMetrics, BracketsAreChunksOfOneToken) {
  EXPECT_EQ(counts({"[-X", "]-X", ".-X"}, {"[-X", "]-X", ".-X"}), (MatchCounts{2, 2, 2}));
}

TEST(SpanMetrics, TheOfficialScriptJoinsNeighboursInBioes) {
  const Views gold = {"S-X", "S-X", "B-X", "E-X", "B-X", "E-X"};
  EXPECT_EQ(counts(gold, gold), (MatchCounts{4, 4, 4}));
  EXPECT_EQ(counts(gold, gold, ChunkRules::kConlleval2004), (MatchCounts{1, 1, 1}));
}

TEST(SpanMetrics, ChunksWithoutTypeArePrintedTwice) {
  EXPECT_EQ(measured({"B", "I", "O"}, {"B", "I", "O"}).conlleval(),
            "processed 3 tokens with 1 phrases; found: 1 phrases; correct: 1.\n"
            "accuracy: 100.00%; precision: 100.00%; recall: 100.00%; FB1: 100.00\n"
            "                 : precision: 100.00%; recall: 100.00%; FB1: 100.00  1\n"
            "                 : precision: 100.00%; recall: 100.00%; FB1: 100.00  1\n");
}

TEST(SpanMetrics, PlainTagsHaveNoChunks) {
  const SpanMetrics metrics = measured({"DT", "NN", ":"}, {"DT", "JJ", ":"});
  EXPECT_EQ(metrics.overall(), (MatchCounts{0, 0, 0}));
  EXPECT_EQ(metrics.num_correct_tokens(), 2u);
}

Strings random_labels(Index length, const Strings& alphabet) {
  return *rc::gen::container<Strings>(length, rc::gen::elementOf(alphabet));
}

using SpanSet = std::set<std::tuple<Index, Index, std::string>>;

SpanSet span_set(const Strings& labels) {
  std::vector<Span> spans;
  find_spans(views(labels), spans);
  SpanSet set;
  for (const Span& span : spans) set.emplace(span.begin, span.end, span.type);
  return set;
}

// conlleval never forms spans; forming them and intersecting the sets must come to the same.
RC_GTEST_PROP(SpanMetrics, CountsAreThoseOfSetsOfSpans, ()) {
  const Strings alphabet = {"O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y"};
  const Index length = *rc::gen::inRange<Index>(0, 12);
  const Strings gold = random_labels(length, alphabet);
  const Strings found = random_labels(length, alphabet);
  const SpanSet g = span_set(gold);
  const SpanSet f = span_set(found);
  SpanSet both;
  std::set_intersection(g.begin(), g.end(), f.begin(), f.end(), std::inserter(both, both.end()));
  RC_ASSERT(counts(views(gold), views(found)) == (MatchCounts{g.size(), f.size(), both.size()}));
}

RC_GTEST_PROP(SpanMetrics, BothRulesAgreeWithoutSingles, ()) {
  const Strings alphabet = {"O", "B-X", "I-X", "B-Y", "I-Y", "B", "I"};
  const Index length = *rc::gen::inRange<Index>(0, 12);
  const Strings gold = random_labels(length, alphabet);
  const Strings found = random_labels(length, alphabet);
  RC_ASSERT(measured(views(gold), views(found)).conlleval() ==
            measured(views(gold), views(found), ChunkRules::kConlleval2004).conlleval());
}

RC_GTEST_PROP(SpanMetrics, SpansScoreTheSameInEveryScheme, ()) {
  const Strings alphabet = {"O", "B-X", "I-X", "B-Y", "I-Y"};
  const Index length = *rc::gen::inRange<Index>(0, 12);
  const Strings gold = random_labels(length, alphabet);
  const Strings found = random_labels(length, alphabet);
  const SpanMetrics original = measured(views(gold), views(found));
  for (const TagScheme scheme : {TagScheme::kIob1, TagScheme::kIob2, TagScheme::kBioes}) {
    const auto rewritten = [&](const Strings& labels) {
      std::vector<Span> spans;
      find_spans(views(labels), spans);
      Strings out;
      write_spans(spans, labels.size(), scheme, out);
      return out;
    };
    const Strings g = rewritten(gold);
    const Strings f = rewritten(found);
    RC_ASSERT(measured(views(g), views(f)).overall() == original.overall());
    RC_ASSERT(measured(views(g), views(f)).by_type() == original.by_type());
  }
}

TEST(MatchCounts, PercentagesRoundAsPrintfDoes) {
  EXPECT_EQ(format_percent(0), "  0.00");
  EXPECT_EQ(format_percent(0.125), "  0.12");  // exactly half: to even
  EXPECT_EQ(format_percent(2.675), "  2.67");  // below half, as a double
  EXPECT_EQ(format_percent(percent(1, 3)), " 33.33");
  EXPECT_EQ(format_percent(100), "100.00");
}

}  // namespace
}  // namespace trellis::tag
