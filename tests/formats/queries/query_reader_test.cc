#include "trellis/formats/queries/query_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::rank {
namespace {

std::vector<Query> read(const std::string& text, bool graded = true) {
  QueryReader reader(InputFile::from_bytes(text, "q.txt"), graded);
  std::vector<Query> queries;
  Query query;
  while (reader.read(query)) queries.push_back(query);
  return queries;
}

void expect_refused(const std::string& text, const std::string& saying, bool graded = true) {
  try {
    read(text, graded);
    ADD_FAILURE() << "was read: " << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(saying), std::string::npos) << error.what();
  }
}

TEST(QueryReader, ReadsDocumentsQueryByQuery) {
  const auto queries = read(
      "# a heading\n"
      "2 qid:10 1:0.5 3:-2 #docid = 40626\r\n"
      "0 qid:10 3:1 1:0\n"
      "\n"
      "1.0\tqid:b7\t2:1e-3");
  ASSERT_EQ(queries.size(), 2U);
  EXPECT_EQ(queries[0].id, "10");
  EXPECT_EQ(queries[0].grades, (std::vector<Grade>{2, 0}));
  EXPECT_EQ(queries[0].notes, (std::vector<std::string>{"docid = 40626", ""}));
  EXPECT_EQ(queries[0].lines, (std::vector<Index>{2, 3}));
  ASSERT_EQ(queries[0].document(0).size(), 2U);
  EXPECT_EQ(queries[0].document(0)[1].index, 3U);
  EXPECT_EQ(queries[0].document(0)[1].value, -2.0F);
  ASSERT_EQ(queries[0].document(1).size(), 1U);  // zeros are as good as nothing
  EXPECT_EQ(queries[1].id, "b7");
  EXPECT_EQ(queries[1].num_documents(), 1U);
}

TEST(QueryReader, TakesDocumentsWithoutFeatures) {
  const auto queries = read("1 qid:1\n0 qid:1 2:1\n");
  ASSERT_EQ(queries.size(), 1U);
  EXPECT_TRUE(queries[0].document(0).empty());
}

TEST(QueryReader, NeedsNoGradesWhereNoneAreAskedFor) {
  const auto queries = read("qid:1 1:2\n3 qid:1 1:1\n", false);
  EXPECT_EQ(queries.at(0).grades, (std::vector<Grade>{0, 3}));
  expect_refused("qid:1 1:2\n", "q.txt:1: column 1: expected a grade");
}

TEST(QueryReader, NamesBothLinesOfAQueryInTwoPlaces) {
  expect_refused("1 qid:1 1:2\n0 qid:1 1:3\n0 qid:2 1:1\n2 qid:1 1:1\n",
                 "q.txt:4: expected the documents of a query on consecutive lines, found query 1 "
                 "again, whose last document was in line 2");
}

TEST(QueryReader, RefusesWhatIsNoGrade) {
  for (const char* grade : {"-1", "0.5", "32", "nan", "inf", "x", "1e9"}) {
    expect_refused(std::string(grade) + " qid:1 1:2\n", "expected a grade, a whole number");
  }
}

TEST(QueryReader, RefusesLinesThatAreNotOfTheFormat) {
  expect_refused("1 1:2\n", "column 3: expected the query, qid:…, found \"1:2\"");
  expect_refused("1\n", "q.txt:1: expected the query, qid:…, after the grade");
  expect_refused("1 qid: 1:2\n", "expected the query, qid:…, found");
  expect_refused("1 qid:1 1:nan\n", "column 9: expected a finite number after the colon");
  expect_refused("1 qid:1 1:inf\n", "finite number");
  expect_refused("1 qid:1 1:1e39\n", "expected a value up to");
  expect_refused("1 qid:1 word\n", "column 9: expected index:value, found \"word\"");
  expect_refused("1 qid:1 2:1 word\n", "column 13: expected index:value, found \"word\"");
  expect_refused("1 qid:1 2:1 qid:3\n", "column 13: expected an index");
  expect_refused("1 qid:1 2:1 2:3\n", "expected each index once, found 2 twice");
  expect_refused("1 qid:1 -2:1\n", "column 9: expected an index");
  expect_refused("1 qid:\xff 2:1\n", "UTF-8");
}

}  // namespace
}  // namespace trellis::rank
