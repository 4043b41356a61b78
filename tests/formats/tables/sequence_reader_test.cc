#include "trellis/formats/tables/sequence_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::hmm {
namespace {

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
    read_all(text, options, name);
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

TEST(SequenceReader, SaysWhereItWentWrong) {
  ColumnOptions options;
  EXPECT_EQ(complaint("a x 1\nb 2\n"), "f.tsv:2: expected 3 columns, found 2");
  EXPECT_NE(complaint("a\nb\n").find("in addition to the column of states"), std::string::npos);
  EXPECT_NE(complaint("a \xff\n").find("UTF-8"), std::string::npos);
  options.state = "4";
  EXPECT_EQ(complaint("a x 1\n", options), "f.tsv:1: expected a column 4, found 3 columns");
  options.state = "name";
  EXPECT_NE(complaint("a x 1\n", options).find("are given by numbers"), std::string::npos);
  options = {};
  options.observations = {"3"};
  EXPECT_NE(complaint("a x 1\n", options).find("is used twice"), std::string::npos);
  options = {};
  options.sequence = "day";
  EXPECT_NE(complaint("a x 1\n", options).find("requires CSV"), std::string::npos);
  EXPECT_EQ(complaint("day,a,s\n1,x,y\n2,x,y\n1,x,y\n", options, "f.csv"),
            "f.csv:4: expected the lines of a sequence together, found again \"1\"");
  EXPECT_EQ(complaint("day,a,a\n", options, "f.csv"),
            "f.csv:1: expected each column name once, found twice: \"a\"");
  EXPECT_NE(complaint("night,a,s\n", options, "f.csv").find("expected a column day"),
            std::string::npos);
  EXPECT_NE(complaint("day,a,s\n1,\"x,y\n", options, "f.csv").find("f.csv:2: expected a closing"),
            std::string::npos);
}

}  // namespace
}  // namespace trellis::hmm
