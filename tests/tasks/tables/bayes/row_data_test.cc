#include "trellis/tasks/tables/bayes/row_data.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "small_tables.h"
#include "trellis/base/error.h"

namespace trellis::bayes {
namespace {

using testing::rows_of;
using testing::weather_graph;

std::string complaint(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(TableReader, FindsTheDelimiterInTheHeader) {
  for (const char* text :
       {"a,b\nx,y z\n", "a\tb\nx\ty z\n", "a;b\nx;y z\n", "\"a\",b\n\"x\", y z \n"}) {
    TableReader reader(InputFile::from_bytes(text, "t"), Delimiter::kAuto);
    EXPECT_EQ(reader.header(), (std::vector<std::string>{"a", "b"})) << text;
    std::vector<std::string> cells;
    ASSERT_TRUE(reader.read(cells));
    EXPECT_EQ(cells, (std::vector<std::string>{"x", "y z"})) << text;
    EXPECT_FALSE(reader.read(cells));
  }
  TableReader said(InputFile::from_bytes("a,b;c\n", "t"), Delimiter::kSemicolon);
  EXPECT_EQ(said.header(), (std::vector<std::string>{"a,b", "c"}));
  TableReader quoted(InputFile::from_bytes("\"a;;;\",b\n", "t"), Delimiter::kAuto);
  EXPECT_EQ(quoted.header(), (std::vector<std::string>{"a;;;", "b"}));
}

TEST(TableReader, SaysWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"", "t: expected a header with the names of the columns"},
      {"a,,b\n", "t:1: expected a name for every column of the header"},
      {"a,b,a\n", "t:1: expected each column name once, found twice: \"a\""},
      {"a,b\nx,y\n\nx\n", "t:4: expected 2 cells, as in the header, found 1"},
      {"a,b\nx,y,z\n", "t:2: expected 2 cells, as in the header, found 3"},
      {"a,b\n\"x,y\n", "t:2: expected a closing quote before the line ends"},
      {"a\xff,b\n", "t:1: expected a header in UTF-8"},
  };
  for (const auto& [text, said] : faults) {
    EXPECT_EQ(complaint([&, text = text] {
                TableReader reader(InputFile::from_bytes(text, "t"), Delimiter::kAuto);
                std::vector<std::string> cells;
                while (reader.read(cells)) {
                }
              }),
              said);
  }
}

TEST(RowData, NumbersValuesInNaturalOrder) {
  const RowData data = rows_of("size,kind\n10,b\n9,?\n10,a\n,b\n");
  ASSERT_EQ(data.variables.size(), 2u);
  EXPECT_EQ(data.variables[0].values, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(data.variables[1].values, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.missing, 2u);
  const std::vector<std::vector<Label>> expected = {{1, 1}, {0, kNoLabel}, {1, 0}, {kNoLabel, 1}};
  for (Index i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(std::equal(expected[i].begin(), expected[i].end(), data.rows.row(i).begin())) << i;
  }
  EXPECT_EQ(complaint([&] { data.require_values("somebody needs"); }),
            "train.csv:3: expected a value in column 'kind', which somebody needs");
}

TEST(RowData, TakesVariablesAndValuesOfANetwork) {
  const auto graph = weather_graph();
  const RowData data = rows_of(
      "id,rain,season,mood,guests\n1,hail,wet,good,few\n2,much,dry,bad,many\n", {}, graph.get());
  ASSERT_EQ(data.variables.size(), 5u);
  EXPECT_EQ(data.variables[2].values, (std::vector<std::string>{"no", "some", "much", "hail"}));
  EXPECT_EQ(data.added_values, 1u);
  EXPECT_EQ(data.ignored, (std::vector<std::string>{"id"}));
  EXPECT_EQ(data.latent, (std::vector<Index>{4}));
  EXPECT_EQ(data.rows.row(0)[2], 3);
  EXPECT_EQ(data.rows.row(1)[4], kNoLabel);
  EXPECT_EQ(complaint([&] { data.require_values("somebody needs"); }),
            "train.csv: expected a column for the variable 'umbrella', which somebody needs");
}

TEST(RowData, RefusesWhatItCannotUse) {
  const auto graph = weather_graph();
  const std::vector<Index> mood = {3};
  EXPECT_EQ(complaint([] { rows_of("a,b\n"); }), "train.csv: expected rows, found none");
  EXPECT_EQ(complaint([] { rows_of("a,b\nx,?\ny,\n"); }),
            "train.csv: expected values in column 'b', found none");
  EXPECT_EQ(complaint([&] { rows_of("a,b\nx,y\n", {}, graph.get()); }),
            "train.csv:1: no column is a variable of the network");
  EXPECT_EQ(complaint([] {
              rows_of("a,b\nx,y\n", {Delimiter::kAuto, {"c"}});
            }),
            "train.csv:1: --columns names a column that the file does not have: \"c\"");
  EXPECT_EQ(complaint([] { rows_of("a,b\nx,\xff\n"); }).substr(0, 12), "train.csv:2:");
  EXPECT_EQ(complaint([] {
              std::vector<InputFile> files;
              files.push_back(InputFile::from_bytes("a,b\nx,y\n", "one"));
              files.push_back(InputFile::from_bytes("b,a\nx,y\n", "two"));
              read_training_rows(std::move(files), {}, nullptr);
            }),
            "two:1: expected the same columns as in one");
}

TEST(RowNumbers, KnowsWhatItMayMeet) {
  const auto graph = weather_graph();
  const std::vector<Index> hidden = {3};
  const auto number = [&](const std::string& text, UnknownValues unknown, std::vector<Label>& row) {
    TableReader reader(InputFile::from_bytes(text, "t"), Delimiter::kAuto);
    RowNumbers numbers(reader, *graph, hidden, {}, {"id"}, unknown);
    std::vector<std::string> cells;
    while (reader.read(cells)) numbers.number(cells, row);
    return numbers.unknown_values();
  };
  const std::string header = "id,umbrella,rain,season,guests";
  std::vector<Label> row;
  EXPECT_EQ(number(header + "\n7,yes,?,wet,many\n", UnknownValues::kError, row), 0u);
  EXPECT_EQ(row, (std::vector<Label>{1, 1, kNoLabel, kNoLabel, 1}));
  EXPECT_EQ(number(header + ",mood\n7,yes,no,wet,many,mixed\n", UnknownValues::kError, row), 0u);
  EXPECT_EQ(row[3], RowNumbers::kUnseen);
  EXPECT_EQ(number(header + "\n7,yes,hail,wet,many\n", UnknownValues::kMissing, row), 1u);
  EXPECT_EQ(row[2], kNoLabel);
  EXPECT_EQ(
      complaint([&] { number(header + "\n7,yes,hail,wet,many\n", UnknownValues::kError, row); }),
      "t:2: expected a value of column 'rain' seen in training (use --unknown missing to treat "
      "others as missing), found \"hail\"");
  EXPECT_EQ(complaint([&] { number(header + ",hat\n", UnknownValues::kError, row); }),
            "t:1: expected the columns of the model, found \"hat\"");
  EXPECT_EQ(complaint([&] { number("umbrella,rain,season\n", UnknownValues::kError, row); }),
            "t:1: expected a column 'guests', found none (use --hide guests to predict it)");
}

}  // namespace
}  // namespace trellis::bayes
