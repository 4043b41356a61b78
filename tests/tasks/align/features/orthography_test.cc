#include "trellis/tasks/align/features/orthography.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace trellis::align {
namespace {

WordForm form(std::string_view word) {
  WordForm made;
  made.assign(word);
  return made;
}

Resemblance alike(std::string_view a, std::string_view b) {
  return Resemblance::of(form(a), form(b));
}

TEST(WordForm, TellsWordsNumbersAndPunctuation) {
  EXPECT_EQ(form("l'été").kind, WordKind::kWord);
  EXPECT_EQ(form("C-31").kind, WordKind::kWord);
  EXPECT_EQ(form("1,000").kind, WordKind::kNumber);
  EXPECT_EQ(form("$5").kind, WordKind::kNumber);
  EXPECT_EQ(form("...").kind, WordKind::kPunctuation);
  EXPECT_EQ(form("«").kind, WordKind::kPunctuation);
  EXPECT_TRUE(form("été").is_short());
  EXPECT_FALSE(form("élan").is_short());
  EXPECT_FALSE(form("12").is_short());
}

TEST(Resemblance, OfEqualWords) {
  const Resemblance same = alike("nation", "nation");
  EXPECT_TRUE(same.exact && same.folded && same.stem);
  EXPECT_EQ(same.prefix, 1);
  EXPECT_EQ(same.suffix, 1);
  EXPECT_EQ(same.subsequence, 1);
  const Resemblance folded = alike("Quebec", "québec");
  EXPECT_FALSE(folded.exact);
  EXPECT_TRUE(folded.folded);
  EXPECT_EQ(folded.subsequence, 1);
  const Resemblance brief = alike("on", "on");
  EXPECT_TRUE(brief.exact && brief.folded);
  EXPECT_FALSE(brief.stem);
  EXPECT_EQ(brief.subsequence, 0);
}

TEST(Resemblance, OfWordsThatAreAlike) {
  const Resemblance some = alike("government", "gouvernement");
  EXPECT_FALSE(some.exact || some.folded || some.stem);
  EXPECT_DOUBLE_EQ(some.prefix, 2.0 / 12);
  EXPECT_DOUBLE_EQ(some.suffix, 4.0 / 12);
  EXPECT_DOUBLE_EQ(some.subsequence, 10.0 / 12);
  EXPECT_TRUE(alike("parliament", "Parlement").prefix > 0.3);
  EXPECT_TRUE(alike("commission", "committee").stem);
  EXPECT_EQ(alike("cat", "chat").subsequence, 0);
}

TEST(Resemblance, OfNumbersAndPunctuation) {
  EXPECT_TRUE(alike("1,000", "1000").number);
  EXPECT_TRUE(alike("2.5", "2,5").number);
  EXPECT_FALSE(alike("1,000", "100").number);
  EXPECT_FALSE(alike("100", "1,000").number);
  EXPECT_FALSE(alike("a1", "1").number);
  EXPECT_EQ(alike("1000", "1000").subsequence, 0);
  EXPECT_TRUE(alike(".", ".").exact);
  EXPECT_EQ(alike(".", ".").prefix, 0);
}

TEST(Resemblance, OfWordsBeyondAllMeasure) {
  const std::string one(100'000, 'a'), other = one + "b";
  EXPECT_EQ(alike(one, other).subsequence, 0);
  EXPECT_EQ(alike(one, one).subsequence, 1);
}

// The longest common subsequence by its definition.
Index longest(std::u32string_view a, std::u32string_view b) {
  if (a.empty() || b.empty()) return 0;
  if (a[0] == b[0]) return 1 + longest(a.substr(1), b.substr(1));
  return std::max(longest(a.substr(1), b), longest(a, b.substr(1)));
}

RC_GTEST_PROP(Resemblance, IsSymmetricAndWhatItIsDefinedToBe, ()) {
  const auto word = rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 10), [](std::size_t length) {
    return rc::gen::container<std::string>(length, rc::gen::elementOf(std::string("abcd1.")));
  });
  const std::string a = *word, b = *word;
  const Resemblance one = alike(a, b), other = alike(b, a);
  RC_ASSERT(one.exact == other.exact);
  RC_ASSERT(one.folded == other.folded);
  RC_ASSERT(one.number == other.number);
  RC_ASSERT(one.stem == other.stem);
  RC_ASSERT(one.prefix == other.prefix);
  RC_ASSERT(one.suffix == other.suffix);
  RC_ASSERT(one.subsequence == other.subsequence);
  const WordForm x = form(a), y = form(b);
  if (x.kind == WordKind::kWord && y.kind == WordKind::kWord && x.letters.size() >= 4 &&
      y.letters.size() >= 4) {
    RC_ASSERT(one.subsequence ==
              static_cast<double>(longest(x.letters, y.letters)) /
                  static_cast<double>(std::max(x.letters.size(), y.letters.size())));
  } else {
    RC_ASSERT(one.subsequence == 0);
  }
}

}  // namespace
}  // namespace trellis::align
