#include "trellis/topics/words/dictionary.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/topics/words/error_of.h"
#include "tests/topics/words/word_list.h"
#include "trellis/base/error.h"
#include "trellis/topics/words/synonyms.h"
#include "trellis/topics/words/term_list.h"

namespace trellis::topics::dictionary_test {
namespace {

using testing::Edges;
using testing::edges_of;
using testing::input_error_of;
using testing::text_file;
using testing::word_list;
using Strings = std::vector<std::string>;

struct Result {
  Strings pairs;  // "abase lower", by number
  LinkTally tally;
};

template <class Add>
Result links_of(const Strings& vocabulary, const Add& add) {
  const NameList list = word_list(vocabulary);
  WordFinder words(list, {});
  WordGraphBuilder graph(list.size());
  Result result;
  result.tally = add(words, graph);
  for (const auto& [u, v, weight] : edges_of(graph.build())) {
    result.pairs.push_back(vocabulary[u] + " " + vocabulary[v]);
    if (weight != 1) result.pairs.back() += " " + std::to_string(weight);
  }
  return result;
}

Result dictionary(const Strings& vocabulary, std::string_view text,
                  const DictionaryOptions& options = {}) {
  return links_of(vocabulary, [&](WordFinder& words, WordGraphBuilder& graph) {
    return add_dictionary(text_file(text), words, options, graph);
  });
}

Result synonyms(const Strings& vocabulary, std::string_view text, float weight = 1) {
  return links_of(vocabulary, [&](WordFinder& words, WordGraphBuilder& graph) {
    return add_synonyms(text_file(text), words, weight, graph);
  });
}

// Lines as FreeDict has them.
TEST(Dictionary, SensesAndTranslations) {
  const auto [pairs, tally] =
      dictionary({"abaissement", "abasement", "decrease", "lowering", "adversity", "decay"},
                 "abaissement\t1. abasement | 2. decrease, lowering | 3. abatement, curtailment, "
                 "retrenchment | 4. adversity, decay\n");
  EXPECT_EQ(pairs, (Strings{"abaissement abasement", "abaissement decrease", "abaissement lowering",
                            "abaissement adversity", "abaissement decay"}));
  EXPECT_EQ(tally, (LinkTally{.lines = 1, .links = 5, .outside = 3}));
}

TEST(Dictionary, PhrasesAreLeftOutAndCounted) {
  const auto [pairs, tally] = dictionary({"seulement", "only", "seul", "lot", "beaucoup"},
                                         "only\t1. ne ... que, seulement | 2. seul\n"
                                         "both and\ttanto...como\n"
                                         "lot of things\tbeaucoup\n");
  EXPECT_EQ(pairs, (Strings{"seulement only", "only seul"}));
  EXPECT_EQ(tally, (LinkTally{.lines = 3, .links = 2, .phrases = 4}));
}

TEST(Dictionary, BlanksDotsCapitalsRemarksAndNumbers) {
  const auto [pairs, tally] = dictionary(
      {"ago", "temps", "aaron", "aarão", "darne", "steak", "traitement", "treatment", "salary",
       "rognon", "kidney", "qd", "diariamente", "abaisser", "lower", "phishing"},
      " ago\t ... temps ...\n"
      "aaron\tAarão\n"
      "darne\t(fish) steak\n"
      "traitement\t1.  [med] treatment | 2. salary\n"
      "rognon\t1.  [cul] | 2. kidney\n"
      "qd\tdiariamente (quaque die, lower)\n"
      "abaisser\t1. lower,\n"
      "phishing\t3 | 2.5 | 7\n");
  EXPECT_EQ(pairs,
            (Strings{"ago temps", "aaron aarão", "darne steak", "traitement treatment",
                     "traitement salary", "rognon kidney", "qd diariamente", "abaisser lower"}));
  EXPECT_EQ(tally, (LinkTally{.lines = 8, .links = 8}));
}

TEST(Dictionary, TheEntryMayBeItsOwnTranslation) {
  const auto [pairs, tally] = dictionary({"zone", "area"}, "zone\tzone, area\narea\tZone\n");
  EXPECT_EQ(pairs, Strings{"zone area"});
  EXPECT_EQ(tally.links, 2u);  // the graph has it once
}

TEST(Dictionary, LinksHaveTheWeightOfAll) {
  EXPECT_EQ(dictionary({"a1", "b1"}, "a1\tb1\n", {.weight = 0.5F}).pairs,
            Strings{"a1 b1 0.500000"});
  EXPECT_THROW(dictionary({"a1"}, "", {.weight = 0}), UsageError);
  EXPECT_THROW(dictionary({"a1"}, "", {.weight = std::numeric_limits<float>::infinity()}),
               UsageError);
}

TEST(Dictionary, RefusesLinesOfAnotherShapeUnlessTheyAreToBeSkipped) {
  const std::string shape = "expected an entry, a tab and its translations, found ";
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"a1\tb1\na1 b1\n", "words.txt:2: " + shape + "\"a1 b1\""},
           {"rampage\tkingpin\t, s.) cabeça do grupo", "words.txt:1: " + shape},
           {"a1\t", "words.txt:1: " + shape},
           {" \tb1", "words.txt:1: " + shape},
           {"a1\t\xFE", "words.txt:1: expected UTF-8"},
       }) {
    const std::string said = input_error_of([&bytes = text] { dictionary({"a1", "b1"}, bytes); });
    EXPECT_TRUE(said.starts_with(message)) << text << ": " << said;
  }
  const auto [pairs, tally] =
      dictionary({"a1", "b1"}, "a1 b1\na1\tb1\na1\tb1\tc\n#\n", {.other_lines = OtherLines::kSkip});
  EXPECT_EQ(pairs, Strings{"a1 b1"});
  EXPECT_EQ(tally, (LinkTally{.lines = 3, .links = 1, .skipped = 2}));
}

TEST(Synonyms, AreThoseOfTheFirstWord) {
  const auto [pairs, tally] = synonyms({"big", "large", "huge", "small"},
                                       "# thesaurus\n"
                                       "big\tlarge, HUGE (very), very large\n"
                                       "small, little, big\n"
                                       "little, huge, large\n");
  EXPECT_EQ(pairs, (Strings{"big large", "big huge", "big small"}));
  EXPECT_EQ(tally, (LinkTally{.lines = 3, .links = 3, .outside = 2, .phrases = 1}));
  EXPECT_EQ(synonyms({"big", "large"}, "big,large", 2).pairs, Strings{"big large 2.000000"});
  EXPECT_THROW(synonyms({"big"}, "", -1), UsageError);
}

TEST(Synonyms, RefusesLinesOfAnotherShape) {
  for (const char* text :
       {"big", "big,", "big\t", "\tbig", ", big", "big\tlarge\thuge", "big (x)"}) {
    const std::string said = input_error_of([&] { synonyms({"big"}, text); });
    EXPECT_TRUE(said.starts_with(
        "words.txt:1: expected a word and its synonyms, separated by a tab or commas, found "))
        << text << ": " << said;
  }
}

TEST(TermList, RemarksAreRemovedWherePairsClose) {
  const auto without = [](std::string_view text) {
    std::string out;
    remove_remarks(text, out);
    return out;
  };
  EXPECT_EQ(without("a (b (c) d) e"), "a   e");
  EXPECT_EQ(without("a [b, c] d"), "a   d");
  EXPECT_EQ(without("s.) a (b"), "s.) a (b");
  EXPECT_EQ(without("(a [b) c]"), "(a  ");  // what is inside closes first
  EXPECT_EQ(without(""), "");
}

}  // namespace
}  // namespace trellis::topics::dictionary_test
