#include "trellis/tasks/tag/templates/macro_lines.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include "tests/tasks/tag/templates/template_sentences.h"
#include "trellis/tasks/tag/templates/template_scanner.h"

namespace trellis::tag {
namespace {

const Rows kRows{{"He", "PRP"}, {"reckons", "VBZ"}, {"the", "DT"}, {"DEFICIT", "NN"}};

// The template that comes with CRF++'s documentation.
TEST(MacroLines, CrfppLinesExpandToTheirText) {
  const Sentence sentence = make_sentence(kRows);
  EXPECT_EQ(names_of("# Unigram\nU00:%x[-2,0]\nU02:%x[0,0]\nU05:%x[-1,0]/%x[0,0]\n"
                     "U22:%x[0,1]/%x[1,1]/%x[2,1]\nU\n\n# Bigram\nB\n",
                     sentence, 1),
            list("U00:_B-1", "U02:reckons", "U05:He/reckons", "U22:VBZ/DT/NN", "U"));
}

TEST(MacroLines, CrfppMarksTheEndWithB) {
  EXPECT_EQ(names_of("U0:%x[-9,0]\nU1:%x[2,0]", make_sentence(kRows), 3),
            list("U0:_B-6", "U1:_B+2"));
}

TEST(MacroLines, EqualIdsAreEqualAttributes) {
  EXPECT_EQ(names_of("U:%x[0,0]\nU:%x[1,0]", make_words({"a", "a"}), 0), list("U:a", "U:a"));
}

TEST(MacroLines, BigramsAreEdges) {
  const FeatureTemplate plain = FeatureTemplate::parse("B\n", "test");
  EXPECT_TRUE(plain.has_plain_transitions());
  const FeatureTemplate features = FeatureTemplate::parse("B01:%x[-1,1]/%x[0,1]", "test");
  EXPECT_FALSE(features.has_plain_transitions());
  EXPECT_EQ(edge_names(features, make_sentence(kRows), 2), list("B01:VBZ/DT"));
}

TEST(MacroLines, StarsAreNodesAndEdges) {
  const Sentence sentence = make_sentence(kRows);
  const FeatureTemplate features = FeatureTemplate::parse("*\n*:Pos-1 L=%x[-1,1] # left", "test");
  EXPECT_TRUE(features.has_plain_transitions());
  EXPECT_EQ(node_names(features, sentence, 1), list("*", "*:Pos-1 L=PRP"));
  EXPECT_EQ(edge_names(features, sentence, 1), list("*:Pos-1 L=PRP"));
}

TEST(MacroLines, WapitiMacrosTestMatchAndLower) {
  const Sentence sentence = make_sentence(kRows);
  EXPECT_EQ(names_of("u:low=%X[ 0,0]\nu:caps=%t[0,0,\"\\u\"]\nu:all=%t[0,0,\"^\\u*$\"]\n"
                     "u:pre=%m[0,0,\"^.?.?\"]\nu:Pre=%M[0,0,\"^.?.?\"]\nu:suf=%m[0,0,\".?.?$\"]\n"
                     "u:num=%m[0,0,\"\\d\"]",
                     sentence, 3),
            list("u:low=deficit", "u:caps=true", "u:all=true", "u:pre=DE", "u:Pre=de", "u:suf=IT",
                 "u:num="));
}

TEST(MacroLines, WapitiFunctionsSeeTheMarkers) {
  const Sentence sentence = make_words({"a"});
  EXPECT_EQ(names_of("u:%x[-1,0]\nu:%X[5,0]\nu:%t[-1,0,\"^_x\"]\nu:%m[-7,0,\".$\"]", sentence, 0),
            list("u:_x-1", "u:_x+#", "u:true", "u:#"));
}

TEST(MacroLines, WapitiPlacesMayBeAbsoluteOrIndirect) {
  const Sentence sentence = make_sentence({{"a", "1"}, {"b", "1"}, {"c", "-2"}});
  EXPECT_EQ(names_of("u:%x[@1,0] %x[@-1,0] %x[@9,0]\nu:%x[*1,0]", sentence, 1),
            list("u:a c _x+#", "u:c"));
}

TEST(MacroLines, AreToldFromOurOwnStatements) {
  for (const char* line : {"U", "U00:%x[0,0]", "u:bias", "Uword%x[0,0]", "B", "b # comment", "*",
                           "*100:%x[0,0]", "uL=%x[0,0]", "U:Wrd X=%x[ 0,0]"}) {
    EXPECT_TRUE(is_macro_line(line)) << line;
  }
  for (const char* line : {"", "boundary drop", "b = column 0", "upper_word = upper(word)",
                           "u=find(column 0, \"%x[a]\")", "node word", " U00:%x[0,0]", "# U"}) {
    EXPECT_FALSE(is_macro_line(line)) << line;
  }
}

TEST(MacroLines, MixWithOurOwnStatements) {
  EXPECT_EQ(names_of("b = column 1\nnode b\nU00:%x[0,0]\nedge", make_sentence(kRows), 0),
            list("b[0]=PRP", "U00:He"));
}

TEST(MacroLines, MistakesAreShownWhereTheyAre) {
  const std::vector<std::tuple<std::string, Index, std::string>> mistakes{
      {"U00:%y[0,0]", 5, "expected a macro"},
      {"U00:%x", 5, "expected a macro"},
      {"U00:%x[0]", 9, "expected \",\""},
      {"U00:%x[a,0]", 8, "expected a row"},
      {"U00:%x[0,-1]", 10, "a column must lie between"},
      {"U00:%x[300,0]", 8, "a row must lie between"},
      {"U00:%x[0,0", 11, "expected \"]\""},
      {"u:%t[0,0]", 9, "expected \",\""},
      {"u:%t[0,0,\"a]", 10, "no closing"},
      {"u:%t[0,0,\"a\\", 10, "no closing"},
      {"u:%t[0,0,\"a**\"]", 11, "must follow something to repeat"},
      {"u:%x[@0,0]", 6, "there is no @0"},
  };
  for (const auto& [text, column, complaint] : mistakes) {
    try {
      FeatureTemplate::parse("\n" + text, "my.txt");
      ADD_FAILURE() << text;
    } catch (const TemplateError& error) {
      EXPECT_EQ(error.line(), 2u);
      EXPECT_EQ(error.column(), column) << error.what();
      EXPECT_TRUE(says(error.what(), complaint));
    }
  }
}

std::string first_match(const std::string& pattern, const std::string& text) {
  re2::StringPiece match;
  const RE2 compiled(*translate_wapiti_pattern(pattern));
  EXPECT_TRUE(compiled.ok()) << pattern;
  if (!compiled.Match(text, 0, text.size(), RE2::UNANCHORED, &match, 1)) return "<none>";
  return match.as_string();
}

TEST(MacroLines, WapitiPatternsAreOfTheirOwnDialect) {
  EXPECT_EQ(first_match("\\d", "a1"), "1");
  EXPECT_EQ(first_match("\\D\\A\\L\\P\\S\\U\\W", "-----a-"), "<none>");
  EXPECT_EQ(first_match("\\D\\A\\L\\P\\S\\U\\W", "a--a-a-"), "a--a-a-");
  EXPECT_EQ(first_match("\\a\\d\\l\\p\\u\\w", "Z9z.Z_Z9z.Z8"), "Z9z.Z8");
  EXPECT_EQ(first_match("a*b", "caab"), "aab");
  EXPECT_EQ(first_match("^a*", "aab"), "");  // the shortest repetition first
  EXPECT_EQ(first_match("ba?", "ba"), "ba");
  EXPECT_EQ(first_match("a+(b|c){2}[d]", "a+(b|c){2}[d]"), "a+(b|c){2}[d]");
  EXPECT_EQ(first_match("a^b$c", "a^b$c"), "a^b$c");
  EXPECT_EQ(first_match("\\.\\\\\\*", "x.\\*"), ".\\*");
  EXPECT_EQ(first_match("^.?.$", "θή"), "θή");
  EXPECT_EQ(first_match("é*$", "éé"), "éé");
  EXPECT_FALSE(translate_wapiti_pattern("*a"));
  EXPECT_FALSE(translate_wapiti_pattern("a?*"));
}

}  // namespace
}  // namespace trellis::tag
