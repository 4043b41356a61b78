#include "trellis/tasks/tables/hmm/sequence_data.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "small_sequences.h"
#include "trellis/base/error.h"
#include "trellis/formats/tables/sequence_reader.h"

namespace trellis::hmm {
namespace {

using testing::data_of;

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

TEST(SequenceData, ValuesAreNumbered) {
  const SequenceData data = data_of("a x 1\nb y 2\n\nc ? 10\n");
  EXPECT_EQ(data.columns, (ColumnNames{{"1", "2"}, "3"}));
  EXPECT_EQ(data.alphabet.states, (std::vector<std::string>{"1", "2", "10"}));  // by value
  EXPECT_EQ(data.sequences[1].observations, (std::vector<std::uint32_t>{2, Hmm::kMissing}));
  EXPECT_EQ(data.sequences[1].states, (std::vector<Label>{2}));
  EXPECT_EQ(data.lines, (std::vector<Index>{1, 4}));
  EXPECT_EQ(data.positions, 3);
}

TEST(SequenceData, ColumnsCanBeNamed) {
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

TEST(SequenceData, OfCsvHasTheHeadersNames) {
  ColumnOptions options;
  options.sequence = "day";
  options.state = "weather";
  const std::string text =
      "day,weather,\"what, exactly\"\n1,sun,\"a \"\"b\"\"\"\n1,rain,\n2,sun,c\n\n2,,c\n";
  const SequenceData data = data_of(text, {options}, 0, "f.csv");
  EXPECT_EQ(data.columns, (ColumnNames{{"what, exactly"}, "weather"}));
  EXPECT_EQ(data.sequences[0].observations, (std::vector<std::uint32_t>{0, Hmm::kMissing}));
  EXPECT_EQ(data.sequences[1].states, (std::vector<Label>{1, kNoLabel}));
}

TEST(SequenceData, RareValuesBecomeOne) {
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

TEST(SequenceData, SaysWhereItWentWrong) {
  EXPECT_EQ(complaint(""), "f.tsv: expected sequences, found none");
  EXPECT_EQ(complaint("a ?\n"), "f.tsv: expected states, found none");
  EXPECT_EQ(complaint("? s\n"), "f.tsv: expected values in column 1, found none");
}

}  // namespace
}  // namespace trellis::hmm
