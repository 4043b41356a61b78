// Which subsets of documents a ranker learns from.
#include "trellis/tasks/rank/subsets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "tests/tasks/rank/small_queries.h"
#include "trellis/base/error.h"

namespace trellis::rank {
namespace {

using testing::graded;

std::vector<Grade> all_grades(const std::vector<Query>& queries) {
  std::vector<Grade> grades;
  for (const Query& query : queries) {
    grades.insert(grades.end(), query.grades.begin(), query.grades.end());
  }
  return grades;
}

RankedLists draw(const std::vector<Query>& queries, const SubsetOptions& options) {
  return draw_subsets(queries, options, "train");
}

TEST(Subsets, HaveEveryGradeOfTheirQueryTheBestFirst) {
  const std::vector<Query> queries = {graded("a", {0, 0, 1, 0, 2, 0, 0, 1}),
                                      graded("b", {0, 3, 0, 0, 0, 0, 0, 0, 0, 0})};
  const std::vector<Grade> grades = all_grades(queries);
  for (const Index size : std::vector<Index>{0, 2, 3, 4, 6}) {
    SubsetOptions options;
    options.size = size;
    options.fraction = 3;
    const RankedLists lists = draw(queries, options);
    for (Index i = 0; i < lists.size(); ++i) {
      const auto list = lists[i];
      const bool first = list[0] < 8;
      std::set<Grade> found;
      for (Index k = 0; k < list.size(); ++k) {
        EXPECT_EQ(list[k] < 8, first);
        found.insert(grades[list[k]]);
        if (k > 0) {
          EXPECT_GE(grades[list[k - 1]], grades[list[k]]);
        }
      }
      EXPECT_EQ(found, first ? (std::set<Grade>{0, 1, 2}) : (std::set<Grade>{0, 3}));
      EXPECT_EQ(std::set<std::uint32_t>(list.begin(), list.end()).size(), list.size());
      // Four grades occur; a query with more grades than M has as many documents drawn.
      EXPECT_EQ(list.size(), std::max<Index>(size == 0 ? 4 : size, first ? 3 : 2));
    }
  }
}

// Against enumeration: all subsets of four documents with every grade come equally often.
TEST(Subsets, AreUniformAmongThoseWithEveryGrade) {
  const std::vector<Query> queries = {graded("a", {0, 0, 0, 0, 1, 1, 2})};
  SubsetOptions options;
  options.size = 4;
  options.fraction = 1000;
  const RankedLists lists = draw(queries, options);
  std::map<std::set<std::uint32_t>, double> counts;
  for (Index i = 0; i < lists.size(); ++i) {
    const auto list = lists[i];
    ++counts[std::set<std::uint32_t>(list.begin(), list.end())];
  }
  // One of grade 2, and of the others (1, 2) or (2, 1): 2·6 + 1·4.
  ASSERT_EQ(counts.size(), 16U);
  const double expected = static_cast<double>(lists.size()) / 16;
  double chi_squared = 0;
  for (const auto& [subset, count] : counts) {
    chi_squared += (count - expected) * (count - expected) / expected;
  }
  EXPECT_LT(chi_squared, 37.7);  // 15 degrees of freedom, 0.1 %
}

TEST(Subsets, AreAsManyAsAskedFor) {
  const std::vector<Query> queries = {graded("a", {0, 0, 1, 0, 2, 0, 0, 1, 2, 1}),
                                      graded("b", {1, 1, 1, 1}), graded("c", {1, 0})};
  SubsetOptions options;  // M = 3
  const RankedLists lists = draw(queries, options);
  EXPECT_EQ(lists.size(), 12U + 2);  // 0.4 · 10 · 3, none of one grade, round(0.4 · 2 · 2)
}

TEST(Subsets, DependOnSeedAndQueryAlone) {
  const std::vector<Query> one = {graded("a", {0, 0, 1, 0, 2, 0, 0, 1, 2, 1})};
  std::vector<Query> two = one;
  two.push_back(graded("b", {1, 0, 1, 0, 2}));
  SubsetOptions options;
  const RankedLists first = draw(one, options);
  const RankedLists both = draw(two, options);
  ASSERT_GT(both.size(), first.size());
  EXPECT_TRUE(std::equal(first.documents.begin(), first.documents.end(), both.documents.begin()));
  // More of them begin with the same ones.
  options.fraction = 2;
  const RankedLists more = draw(one, options);
  EXPECT_TRUE(std::equal(first.documents.begin(), first.documents.end(), more.documents.begin()));
  options.seed = 2;
  EXPECT_NE(draw(one, options).documents, more.documents);
}

TEST(Subsets, AllPairsAreThoseOfTwoGrades) {
  const std::vector<Query> queries = {graded("a", {0, 0, 1, 2})};
  SubsetOptions options;
  options.all = true;
  options.size = 2;
  EXPECT_EQ(draw(queries, options).size(), 5U);  // of 6 pairs, one ties
  options.size = 3;
  EXPECT_EQ(draw(queries, options).size(), 2U);  // one of each grade
  options.size = 4;
  EXPECT_THROW(draw(queries, options), UsageError);
}

TEST(Subsets, TiedDocumentsShareTheMeanOfTheirPositions) {
  const std::vector<Query> queries = {graded("a", {0, 2, 0, 2, 1})};
  SubsetOptions options;
  options.size = 5;
  const RankedLists level = draw(queries, options);
  EXPECT_EQ(level.c.at(level.positions[0]), (std::vector<double>{3.5, 3.5, 2, 0.5, 0.5}));
  options.ties = Ties::kSample;
  const RankedLists sample = draw(queries, options);
  EXPECT_EQ(sample.c.at(sample.positions[0]), (std::vector<double>{4, 3, 2, 1, 0}));
}

TEST(Subsets, PositionWeightsNeverRise) {
  for (const Position position :
       {Position::kLinear, Position::kLog, Position::kReciprocal, Position::kRoot}) {
    const auto c = position_weights(position, 7);
    EXPECT_TRUE(std::is_sorted(c.rbegin(), c.rend()));
    EXPECT_EQ(parse_named<Position>(to_string(position)), position);
  }
  EXPECT_EQ(position_weights(Position::kLinear, 3), (std::vector<double>{2, 1, 0}));
}

TEST(Subsets, RefuseWhatCannotBe) {
  const std::vector<Query> queries = {graded("a", {0, 1})};
  SubsetOptions options;
  options.size = 1;
  EXPECT_THROW(draw(queries, options), UsageError);
  options.size = 0;
  options.fraction = 0;
  EXPECT_THROW(draw(queries, options), UsageError);
  EXPECT_THROW(draw({graded("a", {1, 1}), graded("b", {0})}, SubsetOptions()), InputError);
  EXPECT_THROW(parse_named<Position>("j"), UsageError);
  EXPECT_THROW(parse_named<Ties>("none"), UsageError);
}

}  // namespace
}  // namespace trellis::rank
