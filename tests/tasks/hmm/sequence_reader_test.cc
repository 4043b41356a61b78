#include "trellis/tasks/hmm/sequence_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "small_sequences.h"
#include "trellis/base/error.h"

namespace trellis::hmm {
namespace {

using testing::data_of;

std::vector<FileSequence> read_all(std::string_view text, const ColumnOptions& options = {},
                                   const std::string& name = "f.tsv") {
  SequenceReader reader(InputFile::from_bytes(text, name), options);
  std::vector<FileSequence> all;
  FileSequence one;
  while (reader.read(one)) all.push_back(one);
  return all;
}

std::string complaint(std::string_view text, const ColumnOptions& options = {},
                      const std::string& name = "f.tsv") {
  try {
    data_of(text, {options}, 0, name);
  } catch (const InputError& error) {
    return error.what();
  } catch (const UsageError& error) {
    return std::string("usage: ") + error.what();
  }
  return "";
}

TEST(SequenceReader, ColumnsWithTabsOrBlanks) {
  for (const char* text : {"a x 1\nb y 2\n\n\nc x 1\n", "\na\tx\t1\nb\ty\t2\n\nc\tx\t1"}) {
    const std::vector<FileSequence> all = read_all(text);
    ASSERT_EQ(all.size(), 2);
    EXPECT_EQ(all[0].fields, (std::vector<std::string>{"a", "x", "1", "b", "y", "2"}));
    EXPECT_EQ(all[1].fields, (std::vector<std::string>{"c", "x", "1"}));
  }
  const SequenceData data = data_of("a x 1\nb y 2\n\nc ? 10\n");
  EXPECT_EQ(data.columns, (ColumnNames{{"1", "2"}, "3"}));
  EXPECT_EQ(data.alphabet.states, (std::vector<std::string>{"1", "2", "10"}));  // by value
  EXPECT_EQ(data.sequences[1].observations, (std::vector<std::uint32_t>{2, Hmm::kMissing}));
  EXPECT_EQ(data.sequences[1].states, (std::vector<Label>{2}));
  EXPECT_EQ(data.lines, (std::vector<Index>{1, 4}));
  EXPECT_EQ(data.positions, 3);
}

TEST(SequenceReader, ColumnsCanBeNamed) {
  ColumnOptions options;
  options.state = "1";
  options.observations = {"3"};
  const SequenceData data = data_of("s junk a\nr junk b\n", {options});
  EXPECT_EQ(data.columns, (ColumnNames{{"3"}, "1"}));
  EXPECT_EQ(data.alphabet.states, (std::vector<std::string>{"r", "s"}));
  EXPECT_EQ(data.sequences[0].states, (std::vector<Label>{1, 0}));
  options = {};
  options.state = "none";
  const SequenceData hidden = data_of("a x\nb y\n", {options}, 3);
  EXPECT_EQ(hidden.alphabet.states, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(hidden.alphabet.channels.size(), 2);
  EXPECT_TRUE(hidden.sequences[0].states.empty());
}

TEST(SequenceReader, CsvWithAHeader) {
  ColumnOptions options;
  options.sequence = "day";
  options.state = "weather";
  const std::string text =
      "day,weather,\"what, exactly\"\n1,sun,\"a \"\"b\"\"\"\n1,rain,\n2,sun,c\n\n2,,c\n";
  const std::vector<FileSequence> all = read_all(text, options, "f.csv.gz");
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].id, "1");
  EXPECT_EQ(all[0].fields[2], "a \"b\"");
  EXPECT_EQ(all[1].lines, (std::vector<Index>{4, 6}));
  const SequenceData data = data_of(text, {options}, 0, "f.csv");
  EXPECT_EQ(data.columns, (ColumnNames{{"what, exactly"}, "weather"}));
  EXPECT_EQ(data.sequences[0].observations, (std::vector<std::uint32_t>{0, Hmm::kMissing}));
  EXPECT_EQ(data.sequences[1].states, (std::vector<Label>{1, kNoLabel}));
}

TEST(SequenceReader, AModelFindsItsColumns) {
  const ColumnNames names{{"b", "a"}, "s"};
  SequenceReader reader(InputFile::from_bytes("a,other,b\n1,2,3\n", "f.csv"), {}, names);
  FileSequence one;
  ASSERT_TRUE(reader.read(one));
  EXPECT_EQ(std::vector<Index>(reader.channels().begin(), reader.channels().end()),
            (std::vector<Index>{2, 0}));
  EXPECT_FALSE(reader.state());
  EXPECT_THROW(SequenceReader(InputFile::from_bytes("a,other\n1,2\n", "f.csv"), {}, names),
               InputError);
  SequenceReader narrow(InputFile::from_bytes("x\n", "f.txt"), {}, {{"1"}, "2"});
  ASSERT_TRUE(narrow.read(one));
  EXPECT_FALSE(narrow.state());
}

TEST(SequenceReader, RareValuesBecomeOne) {
  const SequenceData data = data_of("a s\na s\nb s\n<unknown> t\n", {{}, 2});
  EXPECT_EQ(data.alphabet.channels[0].values, (std::vector<std::string>{"a", kUnknownValue}));
  EXPECT_TRUE(data.alphabet.channels[0].has_unknown);
  EXPECT_EQ(data.sequences[0].observations, (std::vector<std::uint32_t>{0, 0, 1, 1}));
  const SequenceNumbers numbers(data.alphabet);
  SequenceReader reader(InputFile::from_bytes("zz s\n? q\n", "f"), {}, data.columns);
  FileSequence one;
  ASSERT_TRUE(reader.read(one));
  const auto numbered = numbers.number(one, reader);
  EXPECT_EQ(numbered.sequence.observations, (std::vector<std::uint32_t>{1, Hmm::kMissing}));
  EXPECT_EQ(numbered.sequence.states, (std::vector<Label>{0, SequenceNumbers::kUnseenState}));
  EXPECT_EQ(numbered.unseen_values, 1);
  EXPECT_EQ(numbered.unseen_states, 1);
}

TEST(SequenceReader, SaysWhereItWentWrong) {
  ColumnOptions options;
  EXPECT_EQ(complaint("a x 1\nb 2\n"), "f.tsv:2: expected 3 columns, found 2");
  EXPECT_EQ(complaint(""), "f.tsv: there is no sequence in it");
  EXPECT_EQ(complaint("a ?\n"), "f.tsv: there is no state in it");
  EXPECT_EQ(complaint("? s\n"), "f.tsv: there is no value in column 1");
  EXPECT_NE(complaint("a\nb\n").find("beside that of the state"), std::string::npos);
  EXPECT_NE(complaint("a \xff\n").find("UTF-8"), std::string::npos);
  options.state = "4";
  EXPECT_EQ(complaint("a x 1\n", options), "f.tsv:1: expected a column 4, found 3 columns");
  options.state = "name";
  EXPECT_NE(complaint("a x 1\n", options).find("called by their numbers"), std::string::npos);
  options = {};
  options.observations = {"3"};
  EXPECT_NE(complaint("a x 1\n", options).find("two things at once"), std::string::npos);
  options = {};
  options.sequence = "day";
  EXPECT_NE(complaint("a x 1\n", options).find("about CSV"), std::string::npos);
  EXPECT_EQ(complaint("day,a,s\n1,x,y\n2,x,y\n1,x,y\n", options, "f.csv"),
            "f.csv:4: the lines of this sequence do not stand together: \"1\"");
  EXPECT_EQ(complaint("day,a,a\n", options, "f.csv"), "f.csv:1: this column is named twice: \"a\"");
  EXPECT_NE(complaint("night,a,s\n", options, "f.csv").find("expected a column day"),
            std::string::npos);
  EXPECT_NE(complaint("day,a,s\n1,\"x,y\n", options, "f.csv").find("f.csv:2: expected a closing"),
            std::string::npos);
}

}  // namespace
}  // namespace trellis::hmm
