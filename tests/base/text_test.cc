#include "trellis/base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

namespace trellis {
namespace {

using Fields = std::vector<std::string_view>;

Fields columns(std::string_view line) {
  Fields fields{"old"};
  split_columns(line, fields);
  return fields;
}

std::string lower(std::string_view word) {
  std::string out = "old";
  to_lower(word, out);
  return out;
}

std::string shape(std::string_view word, bool collapse) {
  std::string out = "old";
  word_shape(word, collapse, out);
  return out;
}

TEST(SplitColumns, SplitsAtRunsOfSpaces) {
  EXPECT_EQ(columns("the DT B-NP"), (Fields{"the", "DT", "B-NP"}));
  EXPECT_EQ(columns("  the   DT "), (Fields{"the", "DT"}));
  EXPECT_EQ(columns("word"), Fields{"word"});
}

TEST(SplitColumns, SplitsAtEachTab) {
  EXPECT_EQ(columns("New York\tNNP\tB-LOC"), (Fields{"New York", "NNP", "B-LOC"}));
  EXPECT_EQ(columns("a\t\tb\t"), (Fields{"a", "", "b", ""}));
}

TEST(SplitColumns, BlankLinesHaveNoFields) {
  EXPECT_EQ(columns(""), Fields{});
  EXPECT_EQ(columns("   "), Fields{});
  EXPECT_EQ(columns(" \t "), Fields{});
}

TEST(Split, KeepsEmptyFields) {
  Fields fields{"old"};
  split(",a,,b", ',', fields);
  EXPECT_EQ(fields, (Fields{"", "a", "", "b"}));
  split("", ',', fields);
  EXPECT_EQ(fields, Fields{""});
}

TEST(Trim, RemovesBlanksAtBothEnds) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim("ab"), "ab");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(ParseDouble, AcceptsWholeDecimalNumbers) {
  EXPECT_EQ(parse_double("1.5"), 1.5);
  EXPECT_EQ(parse_double("-2e3"), -2000.0);
  EXPECT_EQ(parse_double("+.5"), 0.5);
  EXPECT_EQ(parse_double("7."), 7.0);
  EXPECT_EQ(parse_double("0"), 0.0);
  EXPECT_EQ(parse_double("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(ParseDouble, RefusesEverythingElse) {
  for (const char* text : {"", " 1", "1 ", "1x", "x", "-", "+", "+-1", "--1", "1e", "1,5", "0x10",
                           "inf", "-inf", "nan", "infinity", "1e309", "-1e999999999999999999999"}) {
    EXPECT_EQ(parse_double(text), std::nullopt) << text;
  }
}

TEST(ParseDouble, UnderflowIsZero) {
  for (const char* text : {"1e-400", "0.1e-400", "1e-99999999999999999999", "123e-400"}) {
    EXPECT_EQ(parse_double(text), 0.0) << text;
  }
  EXPECT_TRUE(std::signbit(*parse_double("-1e-400")));
  EXPECT_EQ(parse_double("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(parse_double("1" + std::string(400, '0') + "e-50"), std::nullopt);
  EXPECT_EQ(parse_double("0." + std::string(400, '0') + "1e900"), std::nullopt);
}

TEST(ParseDouble, ReadsWhatIsPrintedExactly) {
  rc::check([](double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    RC_ASSERT(parse_double(text) == value);
  });
}

TEST(ParseInteger, AcceptsWholeNumbersInRange) {
  EXPECT_EQ(parse_integer("42"), 42);
  EXPECT_EQ(parse_integer("-7"), -7);
  EXPECT_EQ(parse_integer("+7"), 7);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<long long>::max());
  for (const char* text :
       {"", "4.0", "9223372036854775808", "1e3", " 1", "1 ", "+", "+-1", "0x1"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(AppendUtf8, WritesOneToFourBytes) {
  std::string text = "=";
  for (const char32_t code : {U'a', U'é', U'日', U'𝔘'}) append_utf8(code, text);
  EXPECT_EQ(text, "=aé日𝔘");
}

TEST(FindInvalidUtf8, FindsTheFirstBadByte) {
  const Index none = std::string_view::npos;
  EXPECT_EQ(find_invalid_utf8(""), none);
  EXPECT_EQ(find_invalid_utf8("plain ASCII that is longer than a word"), none);
  EXPECT_EQ(find_invalid_utf8("Ελλάδα, 日本, 𝔘"), none);
  EXPECT_EQ(find_invalid_utf8("12345678\xFF"), 8u);
  EXPECT_EQ(find_invalid_utf8("é\x80"), 2u);
}

// The boundaries of Unicode table 3-7.
TEST(FindInvalidUtf8, FollowsTheTableOfWellFormedSequences) {
  for (const char* good : {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(find_invalid_utf8(good), std::string_view::npos);
  }
  for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF",
                          "\xED\xA0\x80", "\xED\xBF\xBF", "\xE2\x82", "\xF0\x8F\xBF\xBF",
                          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF0\x90\x80", "\xFE", "\xFF"}) {
    EXPECT_EQ(find_invalid_utf8(bad), 0u);
  }
}

TEST(ToLower, MapsByCodePoint) {
  EXPECT_EQ(lower("London-2"), "london-2");
  EXPECT_EQ(lower("ΑΘΗΝΑ Ärger ЖУК"), "αθηνα ärger жук");
  EXPECT_EQ(lower("日本𐐀"), "日本𐐨");
  EXPECT_EQ(lower("A\xFF"
                  "B"),
            "a\xFF"
            "b");
  EXPECT_EQ(lower(""), "");
}

TEST(WordShape, ReplacesCharactersByTheirClass) {
  EXPECT_EQ(shape("London", false), "Xxxxxx");
  EXPECT_EQ(shape("London", true), "Xx");
  EXPECT_EQ(shape("F-16/A2", false), "X-dd/Xd");
  EXPECT_EQ(shape("1,234.56", true), "d,d.d");
  EXPECT_EQ(shape("--!!", true), "-!");
  EXPECT_EQ(shape("McDonald's", true), "XxXx'x");
  EXPECT_EQ(shape("", true), "");
}

TEST(WordShape, KnowsAllScripts) {
  EXPECT_EQ(shape("Αθήνα", false), "Xxxxx");
  EXPECT_EQ(shape("٣٤ЖУк", true), "dXx");
  EXPECT_EQ(shape("日本", false), "日本");
  EXPECT_EQ(shape("日日本", true), "日本");
  EXPECT_EQ(shape("ǅ", false), "X");  // a title-case letter
  EXPECT_EQ(shape("a\xFF\xFF", true), "x\xFF");
}

TEST(Affixes, CountCharactersNotBytes) {
  EXPECT_EQ(utf8_prefix("Αθήνα", 2), "Αθ");
  EXPECT_EQ(utf8_suffix("Αθήνα", 2), "να");
  EXPECT_EQ(utf8_prefix("ab", 5), "ab");
  EXPECT_EQ(utf8_suffix("ab", 5), "ab");
  EXPECT_EQ(utf8_prefix("ab", 0), "");
  EXPECT_EQ(utf8_suffix("ab", 0), "");
  EXPECT_EQ(utf8_suffix("日本𝔘x", 2), "𝔘x");
  EXPECT_EQ(utf8_length("日本𝔘x"), 4u);
  EXPECT_EQ(utf8_length("a\xFFé\x80"), 4u);
}

TEST(Affixes, PrefixAndSuffixSplitAWordAnywhere) {
  rc::check([](const std::vector<std::uint32_t>& codes) {
    const char* alphabet[] = {"a", "Z", "é", "ή", "日", "𝔘", "7"};
    std::string word;
    for (const std::uint32_t code : codes) word += alphabet[code % 7];
    RC_ASSERT(utf8_length(word) == codes.size());
    for (Index k = 0; k <= codes.size(); ++k) {
      const std::string_view prefix = utf8_prefix(word, k);
      RC_ASSERT(utf8_length(prefix) == k);
      RC_ASSERT(std::string(prefix).append(utf8_suffix(word, codes.size() - k)) == word);
    }
  });
}

// A suffix begins where a reader from the front would begin a character, for any bytes.
TEST(Affixes, AnyBytesAreHandled) {
  rc::check([](const std::string& bytes) {
    for (Index k = 0; k <= bytes.size(); ++k) {
      RC_ASSERT(bytes.starts_with(utf8_prefix(bytes, k)));
      RC_ASSERT(bytes.ends_with(utf8_suffix(bytes, k)));
    }
    RC_ASSERT(utf8_prefix(bytes, utf8_length(bytes)) == bytes);
    RC_ASSERT(utf8_suffix(bytes, bytes.size()) == bytes);
  });
}

TEST(FoldLetters, LeavesAccentsAndCaseOut) {
  const auto folded = [](std::string_view word) {
    std::u32string out = U"old";
    fold_letters(word, out);
    return out;
  };
  EXPECT_EQ(folded("Élève"), U"eleve");
  EXPECT_EQ(folded("e\u0301le\u0300ve"), U"eleve");
  EXPECT_EQ(folded("Québec"), U"quebec");
  EXPECT_EQ(folded("Cœur"), U"coeur");
  EXPECT_EQ(folded("Straße"), U"strasse");
  EXPECT_EQ(folded("Łódź"), U"lodz");
  EXPECT_EQ(folded("aujourd’hui"), U"aujourd'hui");
  EXPECT_EQ(folded("Привет"), U"привет");
  EXPECT_EQ(folded("1,000.5%"), U"1,000.5%");
  EXPECT_EQ(folded("a\xff"), U"a\uFFFD");
  EXPECT_EQ(folded(""), U"");
}

TEST(FoldLetters, IsDoneOnce) {
  rc::check("folding what is folded changes nothing", [](const std::string& bytes) {
    std::u32string once, twice;
    fold_letters(bytes, once);
    std::string text;
    for (const char32_t code : once) append_utf8(code, text);
    fold_letters(text, twice);
    RC_ASSERT(once == twice);
  });
}

TEST(Letters, AreThoseOfAnyScript) {
  EXPECT_TRUE(is_letter(U'a'));
  EXPECT_TRUE(is_letter(U'я'));
  EXPECT_FALSE(is_letter(U'1'));
  EXPECT_FALSE(is_letter(U'.'));
  EXPECT_TRUE(is_digit(U'7'));
  EXPECT_TRUE(is_digit(U'٣'));
  EXPECT_FALSE(is_digit(U'x'));
}

TEST(Text, PunctuationAndSpacesAreThoseOfUnicode) {
  using namespace std::string_view_literals;
  for (const char32_t code : U"%&*#@_/-.,'\"!?§¶«」"sv) {
    EXPECT_TRUE(is_punctuation(code)) << static_cast<unsigned>(code);
  }
  for (const char32_t code : U"`$+<=>^|~€°×™\u2212\u00ADa1 "sv) {
    EXPECT_FALSE(is_punctuation(code)) << static_cast<unsigned>(code);
  }
  for (const char32_t code : {U' ', U'\u00A0', U'\u3000'}) EXPECT_TRUE(is_space_separator(code));
  for (const char32_t code : {U'\t', U'\n', U'a', U'\u200B'}) {
    EXPECT_FALSE(is_space_separator(code));
  }
}

TEST(Text, LowerCaseInContextIsThatOfWords) {
  std::string lower;
  to_lower_in_context("Strasse 7", lower);
  EXPECT_EQ(lower, "strasse 7");
  to_lower_in_context("ΣΟΦΟΣ", lower);
  EXPECT_EQ(lower, "σοφος");
  to_lower_in_context("İÉ\U00010400", lower);
  EXPECT_EQ(lower, "i\u0307é\U00010428");
  to_lower_in_context("", lower);
  EXPECT_EQ(lower, "");
}

TEST(Text, CodePointsOfBytesThatAreNoUtf8AreReplacements) {
  std::u32string out;
  decode_utf8("aé\U0001F600", out);
  EXPECT_EQ(out, U"aé\U0001F600");
  decode_utf8("a\xFF\xC3", out);
  EXPECT_EQ(out, U"a\uFFFD\uFFFD");
}

}  // namespace
}  // namespace trellis
