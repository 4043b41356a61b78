#include "trellis/tasks/tables/generative_options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/formats/tables/csv_line.h"
#include "trellis/tasks/tables/value_costs.h"

namespace trellis::generative {
namespace {

TEST(GenerativeOptions, ListsOfEta) {
  EXPECT_EQ(parse_etas("0.1, 1,10"), (std::vector<double>{0.1, 1, 10}));
  for (const char* text : {"", "0", "-1", "1,,2", "x", "inf"}) {
    EXPECT_THROW(parse_etas(text), UsageError) << text;
  }
}

TEST(GenerativeOptions, WorkingSets) {
  EstimatorOptions options;
  options.estimator = Estimator::kMaxMargin;
  EXPECT_EQ(options.margin(1).order, WorkingSets::kTogether);
  options.working_sets = 60;
  options.rounds = 6;
  options.set_steps = 3;
  options.check(false);
  EXPECT_EQ(options.margin(1).order, WorkingSets::kInTurn);
  EXPECT_EQ(options.margin(1).max_iterations, 6 * 60 * 3);
  options.online = true;
  EXPECT_EQ(options.margin(1).order, WorkingSets::kOnline);
  options.iterations = 5;
  EXPECT_THROW(options.check(false), UsageError);
}

TEST(ValueCosts, NaturalOrder) {
  // "a01" and "a1" have the same value; bytes decide.
  const std::vector<std::string> rising = {"",   "1",    "2",     "10", "a", "a01",
                                           "a1", "a1b2", "a1b10", "a2", "b"};
  for (Index i = 0; i < rising.size(); ++i) {
    for (Index j = 0; j < rising.size(); ++j) {
      EXPECT_EQ(natural_less(rising[i], rising[j]), i < j) << rising[i] << " " << rising[j];
    }
  }
}

TEST(ValueCosts, RingsAndTables) {
  const CostTable ring = ring_costs(10);
  EXPECT_EQ(ring.row(0)[9], 1);
  EXPECT_EQ(ring.row(2)[7], 5);
  const std::vector<std::string> values = {"a", "b", "c"};
  const auto read = [&](std::string_view text) {
    return read_costs(InputFile::from_bytes(text, "costs"), values);
  };
  const CostTable table = read("# truth, found\na b 3\nb\ta\t0\na a 0\n\n");
  EXPECT_EQ(table.row(0)[1], 3);
  EXPECT_EQ(table.row(1)[0], 0);
  EXPECT_EQ(table.row(2)[0], 1);
  for (const char* text :
       {"a b\n", "a d 1\n", "a b -1\n", "a b nan\n", "a a 1\n", "a b 1\na b 1\n", "a b 1e999\n"}) {
    EXPECT_THROW(read(text), InputError) << text;
  }
  EXPECT_THROW(value_costs("hammnig", values), UsageError);
}

TEST(CsvLine, QuotesAndCommas) {
  std::vector<std::string> fields;
  split_csv("a,\"b,\"\"c\"\"\",,", fields);
  EXPECT_EQ(fields, (std::vector<std::string>{"a", "b,\"c\"", "", ""}));
  split_csv("", fields);
  EXPECT_EQ(fields, (std::vector<std::string>{""}));
  EXPECT_THROW(split_csv("\"a", fields), UsageError);
  EXPECT_THROW(split_csv("\"a\"b", fields), UsageError);
  for (const char* text : {"plain", "", "a,b", "say \"so\""}) {
    split_csv(csv_field(text) + "," + csv_field(text), fields);
    EXPECT_EQ(fields, (std::vector<std::string>{text, text}));
  }
  EXPECT_TRUE(is_csv_name("a.csv.gz"));
  EXPECT_FALSE(is_csv_name("a.csv.txt"));
}

}  // namespace
}  // namespace trellis::generative
