#include "trellis/tasks/tag/templates/template_parser.h"

#include <gtest/gtest.h>

#include "tests/tasks/tag/templates/template_sentences.h"
#include "trellis/base/error.h"
#include "trellis/tasks/tag/templates/template_scanner.h"

namespace trellis::tag {
namespace {

const std::string kWord = "word = column 0\n";

Names of_word(const std::string& item, const std::string& word) {
  return names_of(kWord + "node " + item, make_words({word}));
}

TEST(TemplateParser, WindowsAreOneAttributePerOffset) {
  const Sentence sentence = make_words({"a", "b", "c", "d", "e"});
  EXPECT_EQ(names_of(kWord + "node word[-2..2]", sentence, 2),
            list("word[-2]=a", "word[-1]=b", "word[0]=c", "word[1]=d", "word[2]=e"));
  EXPECT_EQ(names_of(kWord + "node word", sentence, 2), list("word[0]=c"));
  EXPECT_EQ(names_of(kWord + "node word[+1]", sentence, 2), list("word[1]=d"));
}

TEST(TemplateParser, BoundariesAreMarkedOrDropped) {
  const Sentence sentence = make_words({"a", "b"});
  EXPECT_EQ(names_of(kWord + "node word[-2..2]", sentence, 0),
            list("word[-2]=_B-2", "word[-1]=_B-1", "word[0]=a", "word[1]=b", "word[2]=_E+1"));
  EXPECT_EQ(names_of(kWord + "boundary drop\nnode word[-2..2]", sentence, 0),
            list("word[0]=a", "word[1]=b"));
  EXPECT_EQ(names_of(kWord + "boundary drop; node word[2]; boundary mark; node word[3]", sentence),
            list("word[3]=_E+2"));
}

TEST(TemplateParser, ConjunctionsHoldWhereAllTheirPartsDo) {
  const Sentence sentence = make_sentence({{"in", "IN"}, {"Paris", "NNP"}});
  const std::string names = "w = column 0; pos = column 1\n";
  EXPECT_EQ(names_of(names + "node w[-1] | pos[0] | w[0]", sentence, 1),
            list("w[-1]|pos[0]|w[0]=in|NNP|Paris"));
  EXPECT_EQ(names_of(names + "node w[-1..0] | pos[-1..0]", sentence, 1),
            list("w[-1]|pos[-1]=in|IN", "w[-1]|pos[0]=in|NNP", "w[0]|pos[-1]=Paris|IN",
                 "w[0]|pos[0]=Paris|NNP"));
  EXPECT_EQ(names_of(names + "node starts(w, upper) | pos", sentence, 0), list());
  EXPECT_EQ(names_of(names + "node pos | starts(w, upper) | w", sentence, 1),
            list("pos[0]|starts(w,upper)[0]|w[0]=NNP|Paris"));
}

TEST(TemplateParser, NamesOfOneOwnMakeBagsOfWords) {
  const Sentence sentence = make_words({"a", "b", "a"});
  EXPECT_EQ(names_of(kWord + "boundary drop\nnode \"near\": word[-2..2]", sentence, 1),
            list("near=a", "near=b", "near=a"));
  EXPECT_EQ(names_of("node \"__BOS__\": first; node \"__EOS__\": last", sentence, 0),
            list("__BOS__"));
}

TEST(TemplateParser, ConstantsHoldEverywhere) {
  EXPECT_EQ(names_of("node\nnode \"always\"", make_words({"a", "b"}), 1), list("bias", "always"));
}

TEST(TemplateParser, EdgesAreTransitionsOrDependOnObservations) {
  const FeatureTemplate plain = FeatureTemplate::parse("edge", "test");
  EXPECT_TRUE(plain.has_plain_transitions());
  EXPECT_FALSE(plain.has_edge_attributes());
  const FeatureTemplate both = FeatureTemplate::parse(kWord + "edge; edge word[-1] | word", "test");
  EXPECT_TRUE(both.has_plain_transitions());
  EXPECT_EQ(edge_names(both, make_words({"a", "b"}), 1), list("word[-1]|word[0]=a|b"));
}

TEST(TemplateParser, CaseFunctionsAreUnicode) {
  EXPECT_EQ(of_word("lower(word)", "ΑΘΉΝΑ"), list("lower(word)[0]=αθήνα"));
  EXPECT_EQ(of_word("upper(word)", "αθήνα"), list("upper(word)[0]=ΑΘΉΝΑ"));
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "none"},     {"42", "none"},        {"dog", "lower"},  {"x-ray", "lower"},
      {"Dog", "title"}, {"Αθήνα", "title"},    {"U.S.", "upper"}, {"ΕΛΛΆΔΑ", "upper"},
      {"J.", "single"}, {"McDonald", "mixed"}, {"iPod", "mixed"}};
  for (const auto& [word, expected] : cases) {
    EXPECT_EQ(of_word("case(word)", word), list("case(word)[0]=" + expected)) << word;
  }
}

TEST(TemplateParser, ShapesKeepOrCollapseRuns) {
  EXPECT_EQ(of_word("shape(word)", "Trell-42"), list("shape(word)[0]=Xxxxx-dd"));
  EXPECT_EQ(of_word("short_shape(word)", "Trell-42"), list("short_shape(word)[0]=Xx-d"));
  EXPECT_EQ(of_word("shape(word)", "Αθήνα"), list("shape(word)[0]=Xxxxx"));
}

TEST(TemplateParser, AffixesCountCharactersAndNeedThem) {
  EXPECT_EQ(of_word("prefix(word, 1..4)", "Αθή"),
            list("prefix(word,1)[0]=Α", "prefix(word,2)[0]=Αθ", "prefix(word,3)[0]=Αθή"));
  EXPECT_EQ(of_word("suffix(word, 2)", "Αθήνα"), list("suffix(word,2)[0]=να"));
  EXPECT_EQ(of_word("suffix(word, 2)", "α"), list());
  EXPECT_EQ(of_word("lower(prefix(word, 1..2))", "AB"),
            list("lower(prefix(word,1))[0]=a", "lower(prefix(word,2))[0]=ab"));
  EXPECT_EQ(of_word("length(word)", "Αθήνα"), list("length(word)[0]=5"));
}

TEST(TemplateParser, PatternsMatchFindTestAndReplace) {
  EXPECT_EQ(of_word("match(word, \"^[0-9]+$\")", "42"), list("match(word,\"^[0-9]+$\")[0]"));
  EXPECT_EQ(of_word("match(word, \"^[0-9]+$\")", "42nd"), list());
  EXPECT_EQ(of_word("find(word, \"[0-9]+\")", "a17b4"), list("find(word,\"[0-9]+\")[0]=17"));
  EXPECT_EQ(of_word("find(word, \"-(.*)$\")", "x-ray"), list("find(word,\"-(.*)$\")[0]=ray"));
  EXPECT_EQ(of_word("find(word, \"(a)|b\")", "b"), list());
  EXPECT_EQ(of_word("test(word, \"\\d\")", "a1"), list("test(word,\"\\d\")[0]=true"));
  EXPECT_EQ(of_word("test(word, \"\\d\")", "a"), list("test(word,\"\\d\")[0]=false"));
  EXPECT_EQ(of_word("replace(word, \"[0-9]\", \"0\")", "1,234"),
            list("replace(word,\"[0-9]\",\"0\")[0]=0,000"));
  EXPECT_EQ(of_word("replace(word, \"(.)(.)\", \"\\2\\1\")", "abcd"),
            list("replace(word,\"(.)(.)\",\"\\2\\1\")[0]=badc"));
  EXPECT_EQ(of_word("replace(word, \"--\", \"-\")", "a----b-"),
            list("replace(word,\"--\",\"-\")[0]=a--b-"));
  EXPECT_EQ(of_word("match(word, \"\\p{Greek}\")", "aθ"), list("match(word,\"\\p{Greek}\")[0]"));
  EXPECT_EQ(of_word("match(word, \"\\\"\")", "\""), list("match(word,\"\"\")[0]"));
}

TEST(TemplateParser, CharacterTestsKnowTheirClasses) {
  EXPECT_EQ(of_word("has(word, digit)", "a1"), list("has(word,digit)[0]"));
  EXPECT_EQ(of_word("has(word, digit)", "a"), list());
  EXPECT_EQ(of_word("all(word, upper)", "ΕΛΛΆΔΑ"), list("all(word,upper)[0]"));
  EXPECT_EQ(of_word("all(word, upper)", "ΕΛΛΆδΑ"), list());
  EXPECT_EQ(of_word("all(word, upper)", ""), list());
  EXPECT_EQ(of_word("all(word, punctuation)", "—“%"), list("all(word,punctuation)[0]"));
  EXPECT_EQ(of_word("all(word, letter)", "日本"), list("all(word,letter)[0]"));
  EXPECT_EQ(of_word("all(word, alnum)", "a1é"), list("all(word,alnum)[0]"));
  EXPECT_EQ(of_word("starts(word, lower)", "éA"), list("starts(word,lower)[0]"));
  EXPECT_EQ(of_word("ends(word, upper)", "éÀ"), list("ends(word,upper)[0]"));
  EXPECT_EQ(of_word("contains(word, \"-\")", "x-ray"), list("contains(word,\"-\")[0]"));
  EXPECT_EQ(of_word("contains(word, \"-\")", "xray"), list());
}

// What may have no value inside the sentence has none outside, even where boundaries are marked.
TEST(TemplateParser, TestsDoNotHoldOutsideTheSentence) {
  EXPECT_EQ(of_word("match(word, \"\")[-1]", "a"), list());
  EXPECT_EQ(of_word("prefix(word, 1)[1]", "a"), list());
  EXPECT_EQ(of_word("lower(find(word, \"a\"))[1]", "a"), list());
  EXPECT_EQ(of_word("test(word, \"a\")[1]", "a"), list("test(word,\"a\")[1]=_E+1"));
}

TEST(TemplateParser, ListsGiveThePositionInThePhrase) {
  const auto features = FeatureTemplate::parse(
      kWord + "node in(word, \"c\", ignore_case)[0] ; node in(word, \"c\")[-1]", "test",
      [](const std::string& path) {
        EXPECT_EQ(path, "c");
        return std::string("New York\n");
      });
  const Sentence sentence = make_words({"NEW", "York", "New", "York"});
  EXPECT_EQ(node_names(features, sentence, 0), list("in(word,\"c\",ignore_case)[0]=B"));
  EXPECT_EQ(node_names(features, sentence, 1), list("in(word,\"c\",ignore_case)[0]=L"));
  EXPECT_EQ(node_names(features, sentence, 3),
            list("in(word,\"c\",ignore_case)[0]=L", "in(word,\"c\")[-1]=B"));
}

TEST(TemplateParser, AbsolutePlacesCountFromTheEnds) {
  const Sentence sentence = make_words({"a", "b", "c"});
  EXPECT_EQ(
      names_of(kWord + "node word[@1]; node word[@-1]; node word[@4]; node word[@-4]", sentence, 1),
      list("word[@1]=a", "word[@-1]=c", "word[@4]=_E+1", "word[@-4]=_B-1"));
}

TEST(TemplateParser, PointersFollowTheNumberInAColumn) {
  const std::string text = kWord + "head = column 1\nnode word[head]";
  const Sentence sentence = make_sentence({{"a", "2"}, {"b", "-1"}, {"c", "+9"}, {"d", "x"}});
  EXPECT_EQ(names_of(text, sentence, 0), list("word[head]=c"));
  EXPECT_EQ(names_of(text, sentence, 1), list("word[head]=a"));
  EXPECT_EQ(names_of(text, sentence, 2), list("word[head]=_E+8"));
  EXPECT_EQ(names_of(text, sentence, 3), list());
  const Sentence far = make_sentence({{"a", "9223372036854775807"}});
  EXPECT_EQ(names_of(text, far, 0), list("word[head]=_E+#"));
}

TEST(TemplateParser, CommentsBlankLinesAndLineEndsMeanNothing) {
  EXPECT_EQ(
      names_of("\xEF\xBB\xBF# a template\r\n\r\n  word = column 0 # words\r\n\tnode word;;\r\n",
               make_words({"a"})),
      list("word[0]=a"));
  EXPECT_EQ(of_word("match(word, \"#\") # a comment", "#1"), list("match(word,\"#\")[0]"));
}

TEST(TemplateParser, NamesMayBeThoseOfFunctions) {
  EXPECT_EQ(names_of(kWord + "shape = shape(word)\nnode shape", make_words({"Ab"})),
            list("shape[0]=Xx"));
}

struct Mistake {
  std::string text;
  Index line;
  Index column;
  std::string complaint;
};

TEST(TemplateParser, MistakesAreShownWhereTheyAre) {
  const std::vector<Mistake> mistakes{
      {"nodes word", 1, 1, "expected node, edge, boundary or a definition, found \"nodes\""},
      {"\n\n  ( ", 3, 3, "expected node, edge, boundary or a definition, found \"(\""},
      {"node word", 1, 6, "\"word\" is not defined"},
      {"node low(column 0)", 1, 6, "there is no function \"low\""},
      {"node column", 1, 12, "expected a column, found the end of the line"},
      {"node column -1", 1, 13, "a column must lie between 0 and 65535"},
      {"node column 99999999999999999999", 1, 13, "this number is too large"},
      {"node column 0[", 1, 15, "expected an expression, found the end of the line"},
      {"node column 0[1", 1, 16, "expected \"]\", found the end of the line"},
      {"node column 0[2..1]", 1, 18, "the end of a range must not be below its start: 1..2"},
      {"node column 0[256]", 1, 15, "an offset must lie between -255 and 255"},
      {"node column 0[@0]", 1, 16, "there is no @0"},
      {"node column 0[first]", 1, 15, "this function is a test: it has no text"},
      {"node column 0 |", 1, 16, "expected an expression, found the end of the line"},
      {"node column 0 column 1", 1, 15, "expected \";\", found \"column\""},
      {"node lower(column 0", 1, 20, "expected \")\", found the end of the line"},
      {"node lower(column 0, 1)", 1, 20, "expected \")\", found \",\""},
      {"node prefix(column 0)", 1, 21, "expected \",\", found \")\""},
      {"node prefix(column 0, 0)", 1, 23, "a length must lie between 1 and 64"},
      {"node prefix(column 0, x)", 1, 23, "expected a length, found \"x\""},
      {"node match(column 0, abc)", 1, 22, "expected a pattern in quotes, found \"abc\""},
      {"node match(column 0, \"abc)", 1, 22, "this text has no closing \""},
      {"node match(column 0, \"(\")", 1, 22, "this pattern is not valid: missing )"},
      {"node match(column 0, \"(?=a)\")", 1, 22, "this pattern is not valid: "},
      {"node replace(column 0, \"a.\", \"\\1\")", 1, 30, "this replacement is not valid"},
      {"node has(column 0, vowel)", 1, 20, "expected letter, upper, lower, digit, alnum"},
      {"node in(column 0, \"\")", 1, 19, "the list has no name"},
      {"node in(column 0, \"x\")", 1, 19, "lists of phrases cannot be read in this template"},
      {"node in(column 0, \"x\", case)", 1, 24, "expected ignore_case, found \"case\""},
      {"node lower(has(column 0, digit))", 1, 12, "this function is a test: it has no text"},
      {"node lower(first)", 1, 12, "this function is a test: it has no text"},
      {"node \"\": column 0", 1, 6, "an attribute must have a name"},
      {"edge \"name\"", 1, 6, "plain transitions have no name: write edge"},
      {"boundary maybe", 1, 10, "expected mark or drop, found \"maybe\""},
      {"a = column 0\nnode a\na = column 1", 3, 1, "\"a\" is already defined"},
      {"first = column 0", 1, 1, "\"first\" cannot be defined"},
      {"a = prefix(column 0, 1..2)", 1, 5, "a definition must be one expression, not a range"},
      {"node column 0\nnode column 0[-1..1]", 2, 6, "this repeats line 1"},
      {"node %", 1, 6, "\"%\" has no meaning here"},
      {"node column 0 é", 1, 15, "\"é\" has no meaning here"},
      {"node \"Αθήνα\": column x", 1, 22, "expected a column, found \"x\""},
  };
  for (const Mistake& mistake : mistakes) {
    try {
      FeatureTemplate::parse(mistake.text, "my.txt");
      ADD_FAILURE() << mistake.text;
    } catch (const TemplateError& error) {
      EXPECT_EQ(error.file(), "my.txt");
      EXPECT_EQ(error.line(), mistake.line) << mistake.text;
      EXPECT_EQ(error.column(), mistake.column) << error.what();
      EXPECT_TRUE(says(error.what(), mistake.complaint));
    }
  }
}

TEST(TemplateParser, TheCaretStandsUnderTheMistake) {
  try {
    FeatureTemplate::parse("edge\n\tnode \"Αθήνα\": lower(column 0 [0]", "my.txt");
    FAIL();
  } catch (const TemplateError& error) {
    EXPECT_STREQ(error.what(),
                 "my.txt:2: column 31: expected \")\", found \"[\"\n"
                 "   node \"Αθήνα\": lower(column 0 [0]\n"
                 "                                ^");
  }
}

TEST(TemplateParser, LongLinesAreShownInPart) {
  const std::string line = "node " + std::string(5000, ' ') + "%" + std::string(5000, 'x');
  try {
    FeatureTemplate::parse(line, "my.txt");
    FAIL();
  } catch (const TemplateError& error) {
    EXPECT_EQ(error.column(), 5006u);
    EXPECT_LT(std::string(error.what()).size(), 400u);
  }
}

TEST(TemplateParser, HostilePatternsAreRefusedOrFast) {
  const auto parse = [](const std::string& pattern) {
    return FeatureTemplate::parse("node match(column 0, \"" + pattern + "\")", "test");
  };
  EXPECT_THROW(parse("((((a{100}){100}){100}){100})"), TemplateError);
  EXPECT_THROW(parse("(\\pL{500}){2}"), TemplateError);
  EXPECT_THROW(parse(std::string(2000, 'a')), TemplateError);
  EXPECT_THROW(parse(std::string(999, '(')), TemplateError);
  // Exponential for a backtracking matcher.
  const FeatureTemplate nested = parse("^(a|a)*(a*)*$");
  const Sentence sentence = make_words({std::string(100000, 'a') + "b"});
  EXPECT_EQ(node_names(nested, sentence, 0), list());
}

TEST(TemplateParser, HostileTemplatesAreRefused) {
  const auto refused = [](const std::string& text) {
    EXPECT_THROW(FeatureTemplate::parse(text, "test"), InputError);
  };
  refused(kWord + "node word[-255..255] | word[-255..255] | word[-255..255]");
  refused(kWord + "node prefix(prefix(prefix(prefix(word, 1..64), 1..64), 1..64), 1..64)");
  std::string deep = "node ";
  for (int i = 0; i < 100000; ++i) deep += "lower(";
  refused(deep);
  std::string wide = kWord + "node word";
  for (int i = 0; i < 50000; ++i) wide += "|word[" + std::to_string(i % 100) + "]";
  refused(wide);
  std::string patterns = kWord;
  for (int i = 0; i < 300; ++i) patterns += "node match(word, \"" + std::to_string(i) + "\")\n";
  refused(patterns);
  refused(std::string(kMaxTemplateBytes + 1, '#'));
  refused("node \"\xFF\"");
}

TEST(TemplateParser, TheReferenceIsTrueOfItsExamples) {
  const std::string reference(template_reference());
  for (const std::string function :
       {"lower", "upper", "shape", "short_shape", "case", "prefix", "suffix", "length", "find",
        "replace", "test", "match", "contains", "has", "all", "starts", "ends", "in"}) {
    EXPECT_TRUE(says(reference, function + "(e"));
  }
}

}  // namespace
}  // namespace trellis::tag
