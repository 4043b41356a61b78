#include "trellis/formats/examples/example_reader.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::classify {
namespace {

std::vector<Example> read_all(std::string_view bytes, ReaderOptions options = {}) {
  ExampleReader reader(InputFile::from_bytes(bytes, "f"), std::move(options));
  std::vector<Example> examples;
  Example example;
  while (reader.read(example)) examples.push_back(example);
  return examples;
}

ReaderOptions unlabelled(const char* columns = nullptr) {
  ReaderOptions options;
  options.labelled = false;
  options.format = InputFormat::kText;
  if (columns != nullptr) options.columns = TextColumns::parse(columns);
  return options;
}

std::string refusal(std::string_view bytes, const ReaderOptions& options = {}) {
  try {
    read_all(bytes, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(ExampleReader, ReadsLabelAndText) {
  const auto examples = read_all("sport\tHe scored  twice\r\nnews\t\n");
  ASSERT_EQ(examples.size(), 2u);
  EXPECT_EQ(examples[0].label, "sport");
  EXPECT_EQ(examples[0].text, "He scored  twice");
  EXPECT_EQ(examples[1].label, "news");
  EXPECT_EQ(examples[1].text, "");
  EXPECT_EQ(examples[1].line, 2u);
}

TEST(ExampleReader, ThreeColumnsAreIdLabelAndText) {
  const auto examples = read_all("17\tsport\tHe scored\n");
  EXPECT_EQ(examples.at(0).id, "17");
  EXPECT_EQ(examples.at(0).label, "sport");
}

TEST(ExampleReader, NamedColumnsMayBeJoinedOrSkipped) {
  ReaderOptions options;
  options.columns = TextColumns::parse("text,skip,label,text");
  const auto examples = read_all("title\t99\tsport\tbody\n", options);
  EXPECT_EQ(examples.at(0).label, "sport");
  EXPECT_EQ(examples.at(0).text, "title body");
}

TEST(ExampleReader, ColumnsWithoutSenseAreRefused) {
  EXPECT_THROW(TextColumns::parse("label"), UsageError);
  EXPECT_THROW(TextColumns::parse("label,label,text"), UsageError);
  EXPECT_THROW(TextColumns::parse("label,words"), UsageError);
  EXPECT_THROW(TextColumns::parse(""), UsageError);
  ReaderOptions options;
  options.columns = TextColumns::parse("text");
  EXPECT_THROW(read_all("a\n", options), UsageError);
}

TEST(ExampleReader, ReadsIndicesInAnyOrder) {
  const auto examples = read_all("# made by hand\n+1 3:0.5 1:2 # the first\n-1\n1.0 7:0 2:1e-3\n");
  ASSERT_EQ(examples.size(), 3u);
  EXPECT_EQ(examples[0].label, "1");
  ASSERT_EQ(examples[0].values.size(), 2u);
  EXPECT_EQ(examples[0].values[0].index, 1u);
  EXPECT_EQ(examples[0].values[0].value, 2);
  EXPECT_EQ(examples[1].label, "-1");
  EXPECT_TRUE(examples[1].values.empty());
  EXPECT_EQ(examples[2].label, "1");
  EXPECT_EQ(examples[2].values.size(), 1u);
}

TEST(ExampleReader, LabelsOfLibsvmFilesNeedNotBeNumbers) {
  EXPECT_EQ(read_all("cat 1:1\n").at(0).label, "cat");
  EXPECT_EQ(read_all("1.5 1:1\n").at(0).label, "1.5");
}

TEST(ExampleReader, PredictionNeedsNoLabels) {
  EXPECT_EQ(read_all("just words\n\nmore\n", unlabelled("label,text")).size(), 3u);
  const auto mixed = read_all("sport\tgoal\n", unlabelled("label,text"));
  EXPECT_EQ(mixed.at(0).text, "goal");
  ReaderOptions libsvm;
  libsvm.labelled = false;
  libsvm.format = InputFormat::kLibsvm;
  EXPECT_FALSE(read_all("1:1 2:1\n", libsvm).at(0).labelled);
}

TEST(ExampleReader, EmptyLinesAtTheEndAreNothing) {
  EXPECT_EQ(read_all("a\tb\n\n\n").size(), 1u);
  EXPECT_EQ(read_all("a 1:1\n \n").size(), 1u);
  EXPECT_EQ(read_all("").size(), 0u);
}

TEST(ExampleReader, SaysWhereAndWhatWasExpected) {
  EXPECT_EQ(refusal("a\tb\n\nc\td\n"), "f:2: expected an example, found an empty line");
  EXPECT_EQ(refusal("a\tb\nc\td\te\n"), "f:2: expected 2 columns (label,text), found 3");
  EXPECT_EQ(refusal("a\tb\n\tc\n"), "f:2: expected a label, found none");
  EXPECT_EQ(refusal("a\tb\xff\n"), "f:1: expected UTF-8, found an invalid byte in column 4");
  EXPECT_EQ(refusal("1 2:1\n1 x:1\n"),
            "f:2: column 3: expected an index of at least 0 before the colon, found \"x:1\"");
  EXPECT_EQ(refusal("1 2:1\n1 -3:1\n"),
            "f:2: column 3: expected an index of at least 0 before the colon, found \"-3:1\"");
  EXPECT_EQ(refusal("1 2:1\n1 4294967296:1\n"),
            "f:2: column 3: expected an index up to 4294967295, found \"4294967296\"");
  EXPECT_EQ(refusal("1 2:1\n1 1:1 3:nan\n"),
            "f:2: column 7: expected a finite number after the colon, found \"3:nan\"");
  EXPECT_EQ(refusal("1 2:1\n1 3:inf\n"),
            "f:2: column 3: expected a finite number after the colon, found \"3:inf\"");
  EXPECT_EQ(refusal("1 2:1\n1 3:1e39\n"),
            "f:2: column 3: expected a value up to 3.4e38, found \"3:1e39\"");
  EXPECT_EQ(refusal("1 2:1\n1 3:\n"),
            "f:2: column 3: expected a finite number after the colon, found \"3:\"");
  EXPECT_EQ(refusal("1 2:1\n1 3\n"), "f:2: column 3: expected index:value, found \"3\"");
  EXPECT_EQ(refusal("1 2:1 2:3\n"), "f:1: expected each index once, found 2 twice");
  EXPECT_EQ(refusal("1 2:0 3:1 2:3\n"), "f:1: expected each index once, found 2 twice");
  EXPECT_EQ(refusal("1 2:1\n2:1\n"), "f:2: expected a label, found none");
  EXPECT_NE(refusal("1 2:1\n1 qid:3 1:1\n").find("f:2: column 3: this is ranking data"),
            std::string::npos);
  EXPECT_NE(refusal("2 qid:3 1:1 2:0.5 # LETOR\n").find("'trellis rank'"), std::string::npos);
  EXPECT_NE(refusal("no tab here\n").find("expected label TAB text"), std::string::npos);
  EXPECT_NE(refusal("a\tb\tc\td\n").find("found 4 columns"), std::string::npos);
}

}  // namespace
}  // namespace trellis::classify
