#include "trellis/tasks/tag/templates/gazetteer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

std::string positions(const Gazetteer& list, const std::vector<std::string>& words) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& word : words) numbers.push_back(list.word(word));
  std::string found(words.size(), 'x');
  list.find(numbers, found);
  for (char& c : found) c = c == 0 ? '.' : c;
  return found;
}

TEST(Gazetteer, LongestPhraseWins) {
  const Gazetteer list("New York\nNew York City Hall\nYork\nCity\n", "list", false);
  EXPECT_EQ(list.num_phrases(), 4u);
  EXPECT_EQ(positions(list, {"in", "New", "York", "City", "Hall", "."}), ".BIIL.");
  EXPECT_EQ(positions(list, {"New", "York", "City", "Park"}), "BLU.");
  EXPECT_EQ(positions(list, {"York", "New", "Delhi"}), "U..");
}

TEST(Gazetteer, PhrasesDoNotOverlap) {
  const Gazetteer list("a b\nb c\n", "list", false);
  EXPECT_EQ(positions(list, {"a", "b", "c"}), "BL.");
  EXPECT_EQ(positions(list, {"b", "c", "a", "b"}), "BLBL");
}

TEST(Gazetteer, CaseCountsUnlessIgnored) {
  const Gazetteer exact("New York\n", "list", false);
  EXPECT_EQ(positions(exact, {"NEW", "YORK"}), "..");
  const Gazetteer folded("New York\nΑΘΉΝΑ\n", "list", true);
  EXPECT_EQ(positions(folded, {"new", "york"}), "BL");
  EXPECT_EQ(positions(folded, {"αθήνα"}), "U");
}

TEST(Gazetteer, BlanksAndEmptyLinesMeanNothing) {
  const Gazetteer list("\r\n  New \t York  \r\n\n\nParis", "list", false);
  EXPECT_EQ(list.num_phrases(), 2u);
  EXPECT_EQ(positions(list, {"New", "York", "Paris"}), "BLU");
  EXPECT_EQ(normalize_phrases("Paris\n\n New\tYork \nParis\n"), "New York\nParis\n");
}

TEST(Gazetteer, BadListsAreRefused) {
  EXPECT_THROW(Gazetteer("", "list", false), InputError);
  EXPECT_THROW(Gazetteer(" \n\t\n", "list", false), InputError);
  EXPECT_THROW(Gazetteer("ok\nbad \xFF\n", "list", false), InputError);
  std::string long_phrase;
  for (Index i = 0; i <= Gazetteer::kMaxPhraseWords; ++i) long_phrase += "w ";
  try {
    Gazetteer("ok\n" + long_phrase, "list", false);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), "list");
    EXPECT_EQ(error.line(), 2u);
  }
}

TEST(Gazetteer, MissingFilesAreReportedByName) {
  try {
    gazetteer_files("/nonexistent")("cities.txt");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), "/nonexistent/cities.txt");
  }
}

// Greedy search over all phrases, the slow way.
RC_GTEST_PROP(Gazetteer, EqualsExhaustiveSearch, ()) {
  const auto word = rc::gen::elementOf(std::vector<std::string>{"a", "b", "c"});
  const auto phrase = rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(word));
  const auto phrases = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::vector<std::string>>>(rc::gen::resize(4, phrase)));
  const auto sentence = *rc::gen::container<std::vector<std::string>>(word);
  std::string text;
  for (const auto& p : phrases) {
    for (const std::string& w : p) text += w + " ";
    text += "\n";
  }
  std::string expected(sentence.size(), '.');
  for (Index t = 0; t < sentence.size();) {
    Index longest = 0;
    for (const auto& p : phrases) {
      if (p.size() > longest && t + p.size() <= sentence.size() &&
          std::equal(p.begin(), p.end(), sentence.begin() + static_cast<std::ptrdiff_t>(t))) {
        longest = p.size();
      }
    }
    for (Index i = 0; i < longest; ++i) {
      expected[t + i] = longest == 1 ? 'U' : i == 0 ? 'B' : i + 1 == longest ? 'L' : 'I';
    }
    t += std::max<Index>(longest, 1);
  }
  RC_ASSERT(positions(Gazetteer(text, "list", false), sentence) == expected);
}

}  // namespace
}  // namespace trellis::tag
