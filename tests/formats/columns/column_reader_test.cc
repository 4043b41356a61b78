#include "trellis/formats/columns/column_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

using Rows = std::vector<std::vector<std::string>>;

ColumnReader reader_of(std::string_view text, ColumnOptions options = {}) {
  return ColumnReader(InputFile::from_bytes(text, "corpus"), options);
}

Rows rows(const Sentence& sentence) {
  Rows out(sentence.num_tokens());
  for (Index t = 0; t < sentence.num_tokens(); ++t) {
    for (Index c = 0; c < sentence.num_columns(); ++c) out[t].emplace_back(sentence.field(t, c));
  }
  return out;
}

std::vector<Rows> read_all(std::string_view text, ColumnOptions options = {}) {
  ColumnReader reader = reader_of(text, options);
  std::vector<Rows> sentences;
  Sentence sentence;
  while (reader.read(sentence)) sentences.push_back(rows(sentence));
  return sentences;
}

std::string error_of(std::string_view text, ColumnOptions options = {}) {
  try {
    read_all(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// What predict would write if it wrote the input back, with a mark behind each token.
std::string echo(std::string_view text, std::string_view mark, ColumnOptions options = {}) {
  ColumnReader reader = reader_of(text, options);
  Sentence sentence;
  SourceLines lines;
  std::string out;
  for (bool more = true; more;) {
    more = reader.read(sentence, lines);
    for (Index i = 0; i < lines.size(); ++i) {
      out += lines[i].text;
      if (lines[i].token != SourceLines::kNoToken) out += mark;
      out += '\n';
    }
  }
  return out;
}

TEST(ColumnReader, BlankLinesEndSentences) {
  const std::vector<Rows> expected = {{{"a", "X"}, {"b", "Y"}}, {{"c", "Z"}}};
  EXPECT_EQ(read_all("a X\nb Y\n\nc Z\n"), expected);
  EXPECT_EQ(read_all("\n\na X\nb Y\n \t \n\n\nc Z\n\n\n"), expected);
  EXPECT_EQ(read_all("a X\nb Y\n\nc Z"), expected);
}

TEST(ColumnReader, ReadsCarriageReturns) {
  const std::vector<Rows> expected = {{{"a", "X"}}, {{"b", "Y"}}};
  EXPECT_EQ(read_all("a X\r\n\r\nb Y\r\n"), expected);
  EXPECT_EQ(read_all("a\tX\r\n\r\nb\tY\r"), expected);
}

TEST(ColumnReader, AFileWithoutTokensHasNoSentences) {
  EXPECT_TRUE(read_all("").empty());
  EXPECT_TRUE(read_all("\n \n\n").empty());
  EXPECT_TRUE(read_all("# a comment\n#\n\n").empty());
  EXPECT_TRUE(read_all("-DOCSTART- -X- O O\n\n").empty());
}

TEST(ColumnReader, RunsOfBlanksSeparate) {
  const std::vector<Rows> expected = {{{"a", "b", "c"}, {"d", "e", "f"}}};
  EXPECT_EQ(read_all("a  b   c\n d\te f \n"), expected);
}

TEST(ColumnReader, EachTabSeparatesAndBlanksBelongToFields) {
  const std::vector<Rows> expected = {{{"New York", "", "B-LOC"}, {"is", " ", "O"}}};
  EXPECT_EQ(read_all("New York\t\tB-LOC\nis\t \tO\n"), expected);
}

TEST(ColumnReader, UnequalColumnsAreRefusedWithBothLines) {
  EXPECT_EQ(error_of("a b c\n\nd e\n"), "corpus:3: expected 3 columns, as in line 1, found 2");
  EXPECT_EQ(error_of("\n# x\na\tb\nc\td\te\n"),
            "corpus:4: expected 2 columns, as in line 3, found 3");
  EXPECT_EQ(error_of("a\tb\nc d\n"), "corpus:2: expected 2 columns, as in line 1, found 1");
}

TEST(ColumnReader, InvalidUtf8IsRefusedWithItsLine) {
  EXPECT_EQ(error_of("a b\nc\xC3 d\n"),
            "corpus:2: expected UTF-8, found an invalid sequence at byte 2");
  EXPECT_EQ(error_of("# \xFF\na b\n"),
            "corpus:1: expected UTF-8, found an invalid sequence at byte 3");
  const std::vector<Rows> expected = {{{"Αθήνα", "B-LOC"}}};
  EXPECT_EQ(read_all("\xEF\xBB\xBFΑθήνα B-LOC\n"), expected);
}

TEST(ColumnReader, TokensKnowTheirLines) {
  ColumnReader reader = reader_of("# sentence one\na X\nb Y\n\n\nc Z\n");
  EXPECT_EQ(reader.num_columns(), 0u);
  Sentence sentence;
  ASSERT_TRUE(reader.read(sentence));
  EXPECT_EQ(reader.num_columns(), 2u);
  EXPECT_EQ(sentence.first_line(), 2u);
  EXPECT_EQ(sentence.line(1), 3u);
  ASSERT_TRUE(reader.read(sentence));
  EXPECT_EQ(sentence.line(0), 6u);
  EXPECT_FALSE(reader.read(sentence));
  EXPECT_FALSE(reader.read(sentence));
}

TEST(ColumnReader, FieldsSurviveAMove) {
  ColumnReader reader = reader_of("a X\n");
  Sentence first;
  ASSERT_TRUE(reader.read(first));
  const std::string_view field = first.field(0, 1);
  const Sentence second = std::move(first);
  EXPECT_EQ(second.field(0, 1).data(), field.data());
  std::vector<std::string_view> column;
  second.copy_column(0, column);
  EXPECT_EQ(column, std::vector<std::string_view>{"a"});
}

TEST(ColumnReader, ANumberSignIsATokenOfChunkData) {
  // One sentence of CoNLL-2000's test set begins with it.
  const std::vector<Rows> expected = {{{"#", "#", "B-NP"}, {"5", "CD", "I-NP"}},
                                      {{"#", "#", "O"}, {"#", "#", "O"}}};
  EXPECT_EQ(read_all("# # B-NP\n5 CD I-NP\n\n# # O\n# # O\n"), expected);
  EXPECT_EQ(read_all("#\t#\tB-NP\n5\tCD\tI-NP\n\n#\t#\tO\n#\t#\tO\n"), expected);
}

TEST(ColumnReader, HashtagsAreTokens) {
  const std::vector<Rows> expected = {{{"#trellis", "O"}, {"rocks", "O"}}};
  EXPECT_EQ(read_all("#trellis O\nrocks O\n"), expected);
  EXPECT_EQ(read_all("#trellis O\nrocks O\n", {ColumnFormat::kColumns, Comments::kHash}), expected);
  const std::vector<Rows> only = {{{"#trellis", "O"}, {"#crf", "O"}}};
  EXPECT_EQ(read_all("#trellis O\n#crf O\n"), only);
}

TEST(ColumnReader, CommentsAreToldFromTokensByTheirColumns) {
  const std::vector<Rows> expected = {{{"a", "X", "O"}}, {{"b", "Y", "O"}}};
  EXPECT_EQ(read_all("# id = 1\n#\na X O\n\n# id = 2\nb Y O\n"), expected);
  EXPECT_EQ(read_all("# three words\na\tX\tO\n\n# two\nb\tY\tO\n"), expected);
  // A tab in a comment splits it at tabs, though the file is separated by blanks.
  EXPECT_EQ(read_all("# 1\ten\na X O\n\n# 2\ten\nb Y O\n"), expected);
}

TEST(ColumnReader, CommentsAreFoundWhereTheOptionSaysSo) {
  const std::string_view text = "# two words\na X O\n# # O\n";
  const std::vector<Rows> without = {{{"a", "X", "O"}, {"#", "#", "O"}}};
  EXPECT_EQ(read_all(text, {ColumnFormat::kAuto, Comments::kHash}), without);
  const std::vector<Rows> with = {{{"#", "two", "words"}, {"a", "X", "O"}, {"#", "#", "O"}}};
  EXPECT_EQ(read_all(text, {ColumnFormat::kAuto, Comments::kNone}), with);
  EXPECT_EQ(error_of("a X\n# in a sentence\n"),
            "corpus:2: expected 2 columns, as in line 1, found 4");
}

TEST(ColumnReader, LongHeadersDoNotHideTheTokens) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "# a line of a long header\n";
  text += "a X\n";
  const std::vector<Rows> expected = {{{"a", "X"}}};
  EXPECT_EQ(read_all(text), expected);
}

TEST(ColumnReader, DocumentLinesAreNoSentences) {
  const std::vector<Rows> expected = {{{"a", "X", "O"}}, {{"b", "Y", "O"}}};
  EXPECT_EQ(read_all("-DOCSTART- -X- O O\n\na X O\n\n-DOCSTART-\n\nb Y O\n"), expected);
  EXPECT_EQ(read_all("a X O\n-DOCSTART- O\nb Y O\n"), expected);
  const std::vector<Rows> word = {{{"-DOCSTART-S", "X"}}};
  EXPECT_EQ(read_all("-DOCSTART-S X\n"), word);
}

constexpr std::string_view kConllu =
    "# sent_id = 1\n"
    "#text without a blank\n"
    "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_\n"
    "2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_\n"
    "# 9 words are not in the way of being a comment\n"
    "2.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\t#\t#\tSYM\t_\t_\t0\troot\t_\t_\n"
    "\n";

TEST(ColumnReader, ConlluIsRecognisedAndItsWordsAreRead) {
  for (const ColumnFormat format : {ColumnFormat::kAuto, ColumnFormat::kConllu}) {
    ColumnReader reader = reader_of(kConllu, {format, Comments::kNone});
    Sentence sentence;
    ASSERT_TRUE(reader.read(sentence));
    EXPECT_TRUE(reader.conllu());
    std::vector<std::string_view> forms;
    sentence.copy_column(1, forms);
    EXPECT_EQ(forms, (std::vector<std::string_view>{"de", "le", "#"}));
    EXPECT_EQ(sentence.line(0), 4u);
    EXPECT_EQ(sentence.line(2), 8u);
    EXPECT_FALSE(reader.read(sentence));
  }
}

TEST(ColumnReader, ConlluRefusesWhatIsNoId) {
  const std::string text = std::string(kConllu) + "x\t_\t_\t_\t_\t_\t_\t_\t_\t_\n";
  EXPECT_EQ(error_of(text), "corpus:10: expected a CoNLL-U word id in column 1, found \"x\"");
  EXPECT_EQ(error_of("a b\n", {ColumnFormat::kConllu, Comments::kAuto}),
            "corpus:1: expected a CoNLL-U word id in column 1, found \"a b\"");
}

TEST(ColumnReader, TenColumnsWithoutIdsAreOrdinary) {
  ColumnReader reader = reader_of("a\tb\tc\td\te\tf\tg\th\ti\tj\n");
  Sentence sentence;
  ASSERT_TRUE(reader.read(sentence));
  EXPECT_FALSE(reader.conllu());
}

TEST(ColumnReader, EveryLineCanBeWrittenBack) {
  EXPECT_EQ(echo("\n# c d\n-DOCSTART- O\n\na  X\n\n\nb X\n-DOCSTART-\n#\n\n", "!"),
            "\n# c d\n-DOCSTART- O\n\na  X!\n\n\nb X!\n-DOCSTART-\n#\n\n");
  EXPECT_EQ(echo(kConllu, ""), kConllu);
}

RC_GTEST_PROP(ColumnReader, EchoIsTheInput, ()) {
  const auto line = rc::gen::element<std::string>("", " ", "a b", "# b", "\n# x y", "\n#", "c  d ",
                                                  "-DOCSTART- O", "#t u");
  std::string text;
  for (const std::string& l : *rc::gen::container<std::vector<std::string>>(line)) text += l + "\n";
  RC_ASSERT(echo(text, "") == text);
}

RC_GTEST_PROP(ColumnReader, WrittenSentencesAreReadAgain, ()) {
  const bool tabs = *rc::gen::arbitrary<bool>();
  const auto word = rc::gen::nonEmpty(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab#-:\\\""))));
  const Index columns = *rc::gen::inRange<Index>(1, 5);
  // Behind an "x" no line is a comment or the start of a document.
  const auto row = rc::gen::container<std::vector<std::string>>(columns, word);
  const auto sentence = rc::gen::nonEmpty(rc::gen::container<Rows>(row));
  auto sentences = *rc::gen::resize(12, rc::gen::container<std::vector<Rows>>(sentence));
  std::string text;
  for (Rows& s : sentences) {
    for (std::vector<std::string>& r : s) {
      r[0] = "x" + r[0];
      for (Index c = 0; c < columns; ++c) text += (c == 0 ? "" : tabs ? "\t" : " ") + r[c];
      text += '\n';
    }
    text += '\n';
  }
  RC_ASSERT(read_all(text) == sentences);
}

TEST(ColumnReader, ALookTellsTheFormatAndLosesNothing) {
  const std::string conllu = "# text = it\n1-2\tit's" + std::string(8, '\t') + "\n1\tit" +
                             std::string(8, '\t') + "\n2\t's" + std::string(8, '\t') + "\n\n";
  for (const auto& [text, is_conllu, columns, tokens] :
       {std::tuple(std::string_view(conllu), true, Index{10}, Index{2}),
        std::tuple(std::string_view("# a longer comment\na X O\n\n"), false, Index{3}, Index{1}),
        std::tuple(std::string_view("\n\n"), false, Index{0}, Index{0})}) {
    ColumnReader reader = reader_of(text);
    for (int time = 0; time < 2; ++time) {
      const ColumnReader::Look look = reader.look();
      EXPECT_EQ(look.conllu, is_conllu) << text;
      EXPECT_EQ(look.columns, columns) << text;
    }
    Sentence sentence;
    EXPECT_EQ(reader.read(sentence), tokens > 0);
    EXPECT_EQ(sentence.num_tokens(), tokens);
  }
}

}  // namespace
}  // namespace trellis::tag
