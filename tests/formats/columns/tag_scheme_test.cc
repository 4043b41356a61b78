#include "trellis/formats/columns/tag_scheme.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/formats/columns/label_sequences.h"
#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

using testing::for_each_sequence;
using testing::kSpanSchemes;
using testing::label_alphabet;
using Strings = std::vector<std::string>;
using Views = std::vector<std::string_view>;

Views views(const Strings& labels) {
  return Views(labels.begin(), labels.end());
}

std::vector<Span> spans_of(const Views& labels) {
  std::vector<Span> spans;
  find_spans(labels, spans);
  return spans;
}

Strings converted(const Views& labels, TagScheme from, TagScheme to) {
  Strings out;
  convert_tags(labels, from, to, out);
  return out;
}

TagScheme detected(const std::vector<Views>& corpus) {
  SchemeDetector detector;
  for (const Views& labels : corpus) detector.add(labels);
  return detector.scheme();
}

TEST(TagScheme, TagsAreTakenApartAtTheFirstHyphen) {
  EXPECT_EQ(parse_tag("B-geo-loc").position, 'B');
  EXPECT_EQ(parse_tag("B-geo-loc").type, "geo-loc");
  EXPECT_EQ(parse_tag("O").position, 'O');
  EXPECT_EQ(parse_tag("I").position, 'I');
  EXPECT_EQ(parse_tag("I").type, "");
  for (const char* label : {"", "B-", "IN", "X-PER", "O-PER", "b-PER", "-PER"}) {
    EXPECT_EQ(parse_tag(label).position, 0) << label;
  }
}

TEST(TagScheme, SpansOfEachScheme) {
  const std::vector<Span> expected = {{0, 1, "X"}, {1, 3, "X"}, {3, 4, "Y"}, {5, 7, "X"}};
  EXPECT_EQ(spans_of({"I-X", "B-X", "I-X", "I-Y", "O", "I-X", "I-X"}), expected);
  EXPECT_EQ(spans_of({"B-X", "B-X", "I-X", "B-Y", "O", "B-X", "I-X"}), expected);
  EXPECT_EQ(spans_of({"S-X", "B-X", "E-X", "S-Y", "O", "B-X", "E-X"}), expected);
}

TEST(TagScheme, ConvertsByHand) {
  const Strings iob1 = {"I-X", "B-X", "I-X", "I-Y", "O", "I-X", "I-X", "I-X"};
  const Strings iob2 = {"B-X", "B-X", "I-X", "B-Y", "O", "B-X", "I-X", "I-X"};
  const Strings bioes = {"S-X", "B-X", "E-X", "S-Y", "O", "B-X", "I-X", "E-X"};
  EXPECT_EQ(converted(views(iob1), TagScheme::kIob1, TagScheme::kIob2), iob2);
  EXPECT_EQ(converted(views(iob1), TagScheme::kIob1, TagScheme::kBioes), bioes);
  EXPECT_EQ(converted(views(bioes), TagScheme::kBioes, TagScheme::kIob1), iob1);
  EXPECT_EQ(converted(views(bioes), TagScheme::kBioes, TagScheme::kIob2), iob2);
}

TEST(TagScheme, PlainLabelsAreLeftAlone) {
  const Strings tags = {"NN", "B-X", "I-Y", "-LRB-"};
  EXPECT_EQ(converted(views(tags), TagScheme::kPlain, TagScheme::kPlain), tags);
  EXPECT_FALSE(find_fault(views(tags), TagScheme::kPlain));
  EXPECT_THROW(converted(views(tags), TagScheme::kPlain, TagScheme::kIob2), UsageError);
  EXPECT_THROW(converted(views(tags), TagScheme::kIob1, TagScheme::kPlain), UsageError);
}

// A sequence is legal if and only if it is what the scheme writes for the spans it has: this fixes
// what may follow what without repeating the rules.
TEST(TagScheme, LegalSequencesAreThoseThatSchemesWrite) {
  for (const TagScheme scheme : kSpanSchemes) {
    for_each_sequence(label_alphabet(scheme), 4, [&](const Views& labels, const auto&) {
      Strings written;
      write_spans(spans_of(labels), labels.size(), scheme, written);
      EXPECT_EQ(!find_fault(labels, scheme), views(written) == labels)
          << to_string(scheme) << ' ' << ::testing::PrintToString(labels);
    });
  }
}

TEST(TagScheme, FaultsNameThePair) {
  const auto message = [](const Views& labels, TagScheme scheme) {
    const std::optional<TagFault> fault = find_fault(labels, scheme);
    return fault ? std::to_string(fault->token) + ": " + fault->message : "legal";
  };
  EXPECT_EQ(message({"O", "I-LOC"}, TagScheme::kIob2),
            "1: expected a legal iob2 sequence, found I-LOC after O");
  EXPECT_EQ(message({"B-PER", "I-LOC"}, TagScheme::kIob2),
            "1: expected a legal iob2 sequence, found I-LOC after B-PER");
  EXPECT_EQ(message({"I-LOC"}, TagScheme::kIob2),
            "0: expected a legal iob2 sequence, found I-LOC at the start of a sentence");
  EXPECT_EQ(message({"O", "B-LOC"}, TagScheme::kBioes),
            "1: expected a legal bioes sequence, found B-LOC at the end of a sentence");
  EXPECT_EQ(message({"I-LOC", "O", "B-LOC"}, TagScheme::kIob1),
            "2: expected a legal iob1 sequence, found B-LOC after O");
  EXPECT_EQ(message({"O", "NN"}, TagScheme::kIob1),
            "1: expected O or a label with B-, I- (iob1), found NN");
  EXPECT_EQ(message({"O", ""}, TagScheme::kPlain), "1: expected a label, found an empty column");
}

TEST(TagScheme, ReadTagsReportsFaults) {
  Strings labels;
  Index repaired = 0;
  const TagReading reading{TagScheme::kIob2, TagScheme::kBioes, false};
  const std::optional<TagFault> fault =
      read_tags(Views{"O", "I-X", "O"}, reading, labels, repaired);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->token, 1u);
  EXPECT_TRUE(fault->message.ends_with("; use --repair to read it as conlleval does"));
  const std::optional<TagFault> beyond_repair =
      read_tags(Views{"O", "I-X", "NN"}, reading, labels, repaired);
  EXPECT_EQ(beyond_repair->message.find("--repair"), std::string::npos);
  EXPECT_FALSE(read_tags(Views{"O", "B-X", "O"}, reading, labels, repaired));
  EXPECT_EQ(labels, (Strings{"O", "S-X", "O"}));
  EXPECT_EQ(repaired, 0u);
}

TEST(TagScheme, ReadTagsRepairsOnRequest) {
  Strings labels;
  Index repaired = 0;
  const Views written = {"O", "I-X", "I-Y", "I-Y", "B-Y"};
  EXPECT_FALSE(read_tags(written, {TagScheme::kIob2, TagScheme::kIob2, true}, labels, repaired));
  EXPECT_EQ(labels, (Strings{"O", "B-X", "B-Y", "I-Y", "B-Y"}));
  EXPECT_EQ(repaired, 2u);
  EXPECT_FALSE(read_tags(written, {TagScheme::kIob2, TagScheme::kBioes, true}, labels, repaired));
  EXPECT_EQ(labels, (Strings{"O", "S-X", "B-Y", "E-Y", "S-Y"}));
  EXPECT_EQ(repaired, 4u);
  const Views open = {"B-X", "O", "E-X", "I-Y"};
  EXPECT_FALSE(read_tags(open, {TagScheme::kBioes, TagScheme::kBioes, true}, labels, repaired));
  EXPECT_EQ(labels, (Strings{"S-X", "O", "S-X", "S-Y"}));
}

TEST(TagScheme, RepairRefusesWhatIsNoTag) {
  Strings labels;
  Index repaired = 0;
  for (const TagScheme from : kSpanSchemes) {
    EXPECT_TRUE(read_tags(Views{"O", "NN"}, {from, from, true}, labels, repaired));
  }
  const TagReading plain{TagScheme::kPlain, TagScheme::kPlain, true};
  EXPECT_TRUE(read_tags(Views{"NN", ""}, plain, labels, repaired));
  EXPECT_EQ(repaired, 0u);
}

TEST(TagScheme, DetectsTheScheme) {
  EXPECT_EQ(detected({{"DT", "NN"}, {"O", "B-X"}}), TagScheme::kPlain);
  EXPECT_EQ(detected({{"O", "O"}}), TagScheme::kPlain);
  EXPECT_EQ(detected({}), TagScheme::kPlain);
  EXPECT_EQ(detected({{"O", "I-X", "I-X"}, {"I-Y", "B-Y"}}), TagScheme::kIob1);
  EXPECT_EQ(detected({{"O", "B-X", "I-X"}, {"B-Y", "B-Y"}}), TagScheme::kIob2);
  EXPECT_EQ(detected({{"O", "B-X", "E-X"}}), TagScheme::kBioes);
  EXPECT_EQ(detected({{"O", "B-X", "I-X"}, {"S-X"}}), TagScheme::kBioes);
  EXPECT_EQ(detected({{"B", "I", "O"}}), TagScheme::kIob2);
}

TEST(TagScheme, DetectionGoesWithTheMajority) {
  EXPECT_EQ(detected({{"B-X", "I-X"}, {"B-X", "O"}, {"I-X"}}), TagScheme::kIob2);
  EXPECT_EQ(detected({{"I-X", "I-X"}, {"I-X", "O"}, {"B-X"}}), TagScheme::kIob1);
}

// Types of any length, with hyphens; spans of any length, touching or not.
Strings random_legal(TagScheme scheme) {
  std::vector<Span> spans;
  const Strings types = {"X", "Y", "geo-loc", ""};
  Index t = 0;
  for (const auto& step : *rc::gen::container<std::vector<std::pair<unsigned, unsigned>>>(
           rc::gen::pair(rc::gen::inRange(0u, 3u), rc::gen::inRange(0u, 16u)))) {
    const Index begin = t + step.first;
    t = begin + 1 + step.second / 4;
    spans.push_back({begin, t, types[step.second % 4]});
  }
  Strings labels;
  write_spans(spans, t + *rc::gen::inRange<Index>(0, 3), scheme, labels);
  return labels;
}

RC_GTEST_PROP(TagScheme, ConversionToBioesAndBackIsTheIdentity, ()) {
  const Strings labels = random_legal(TagScheme::kIob2);
  const Strings bioes = converted(views(labels), TagScheme::kIob2, TagScheme::kBioes);
  RC_ASSERT(!find_fault(views(bioes), TagScheme::kBioes));
  RC_ASSERT(converted(views(bioes), TagScheme::kBioes, TagScheme::kIob2) == labels);
}

RC_GTEST_PROP(TagScheme, ConversionPreservesSpans, ()) {
  const TagScheme from = *rc::gen::elementOf(std::vector(kSpanSchemes, kSpanSchemes + 3));
  const TagScheme to = *rc::gen::elementOf(std::vector(kSpanSchemes, kSpanSchemes + 3));
  const Strings labels = random_legal(from);
  RC_ASSERT(!find_fault(views(labels), from));
  const Strings other = converted(views(labels), from, to);
  RC_ASSERT(!find_fault(views(other), to));
  RC_ASSERT(spans_of(views(other)) == spans_of(views(labels)));
}

RC_GTEST_PROP(TagScheme, DetectionFindsTheSchemeOfLegalSequences, ()) {
  const TagScheme scheme = *rc::gen::elementOf(std::vector(kSpanSchemes, kSpanSchemes + 3));
  const Strings labels = random_legal(scheme);
  RC_PRE(!spans_of(views(labels)).empty());
  RC_ASSERT(detected({views(labels)}) == scheme);
}

}  // namespace
}  // namespace trellis::tag
