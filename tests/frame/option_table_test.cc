#include "trellis/frame/option_table.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::frame {
namespace {

enum class Method { kGibbs, kCvb0 };
constexpr auto names_of(Method) {
  return Names{"method", "gibbs", "cvb0"};
}

struct Settings {
  int order = 1;
  Index count = 5;
  double share = 0.5;
  std::string file;
  std::optional<double> tolerance;
  std::vector<Index> columns;
  std::vector<std::string> files;
  std::map<std::string, double> weights;
  bool tagger = false, boundaries = true;
  std::optional<bool> agree;
  Method method = Method::kGibbs;
  std::optional<Method> other;
};

void describe(OptionTable& table, Settings& settings) {
  table.option("files", settings.files, "Files").required();
  table.group("Model");
  table.option("--order", settings.order, "Order").between(1, 4);
  table.option("--count", settings.count, "Number of folds").needs("tagger");
  table.option("--share", settings.share, "Fraction");
  table.option("--file", settings.file, "File").excludes("share", "the file has it");
  table.option("--tolerance", settings.tolerance, "Tolerance").only_with("method", {"cvb0"});
  table.option("--columns", settings.columns, "Columns");
  table.option("--weight", settings.weights, "Weights");
  table.flag("--tagger", settings.tagger, "Train a tagger");
  table.unsetting_flag("--no-boundaries", settings.boundaries, "Use no boundaries");
  table.flag("--agree,!--no-agree", settings.agree, "Agree");
  table.option("--method", settings.method, "Method");
  table.option("--other", settings.other, "Other method");
}

class OptionTableTest : public testing::Test {
 protected:
  OptionTableTest() { describe(table_, settings_); }
  std::string complaint(const std::string& name, const Value& value) {
    try {
      table_.set(name, value);
      table_.check();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  }
  std::string value(std::string_view name) const { return table_.at(name).value(); }

  Settings settings_;
  OptionTable table_;
};

TEST_F(OptionTableTest, NamesAndGroupsAreRead) {
  EXPECT_TRUE(table_.at("files").facts().by_place);
  EXPECT_EQ(table_.at("files").flag(), "files");
  EXPECT_EQ(table_.at("order").flag(), "--order");
  EXPECT_EQ(table_.at("order").facts().group, "Model");
  EXPECT_EQ(table_.at("agree").facts().off, "no-agree");
  EXPECT_TRUE(table_.at("agree").is_flag());
  EXPECT_FALSE(table_.at("order").is_flag());
}

TEST_F(OptionTableTest, EveryKindOfVariableIsSet) {
  table_.set("order", 2);
  table_.set("count", 7);
  table_.set("share", 0.25);
  table_.set("file", "a.txt");
  table_.set("tolerance", 1e-3);
  table_.set("columns", std::vector<Index>{0, 2});
  table_.set("files", "one.txt");  // one value for several
  table_.set("weight", Value::record({{"O", 0.5}}));
  table_.set("tagger", true);
  table_.set("no-boundaries", true);
  table_.set("agree", false);
  table_.set("method", "cvb0");
  table_.set("other", "gibbs");
  EXPECT_EQ(settings_.order, 2);
  EXPECT_EQ(settings_.count, 7U);
  EXPECT_EQ(settings_.share, 0.25);
  EXPECT_EQ(settings_.file, "a.txt");
  EXPECT_EQ(settings_.tolerance, 1e-3);
  EXPECT_EQ(settings_.columns, (std::vector<Index>{0, 2}));
  EXPECT_EQ(settings_.files, std::vector<std::string>{"one.txt"});
  EXPECT_EQ(settings_.weights.at("O"), 0.5);
  EXPECT_TRUE(settings_.tagger);
  EXPECT_FALSE(settings_.boundaries);
  EXPECT_EQ(settings_.agree, false);
  EXPECT_EQ(settings_.method, Method::kCvb0);
  EXPECT_EQ(settings_.other, Method::kGibbs);
}

TEST_F(OptionTableTest, ValuesAreWrittenAsTheCommandLineHasThem) {
  EXPECT_EQ(value("order"), "1");
  EXPECT_EQ(value("share"), "0.5");
  EXPECT_EQ(value("tolerance"), "");
  EXPECT_EQ(value("method"), "gibbs");
  EXPECT_EQ(value("other"), "");
  EXPECT_EQ(value("no-boundaries"), "false");
  table_.set("columns", std::vector<Index>{0, 2});
  table_.set("weight", Value::record({{"O", 0.5}}));
  EXPECT_EQ(value("columns"), "0,2");
  EXPECT_EQ(value("weight"), "O=0.5");
}

TEST_F(OptionTableTest, WhatIsGivenIsKnownAlsoIfItIsTheDefault) {
  EXPECT_FALSE(table_.given("order"));
  table_.set("order", 1);
  EXPECT_TRUE(table_.given("order"));
  table_.set("tagger", false);  // a flag that is off
  EXPECT_FALSE(table_.given("tagger"));
  EXPECT_TRUE(table_.any_given({"tagger", "order"}));
}

TEST_F(OptionTableTest, WrongValuesAreRefusedWithTheName) {
  table_.set("files", "f");
  EXPECT_EQ(complaint("order", 5), "--order: expected 1 to 4, found 5");
  EXPECT_EQ(complaint("method", "gibs"), "--method: did you mean gibbs?");
  EXPECT_TRUE(complaint("order", "two").starts_with("--order: "));
  EXPECT_TRUE(complaint("count", -1).starts_with("--count: "));
  EXPECT_EQ(complaint("ordr", 1), "there is no option 'ordr': did you mean order?");
}

TEST_F(OptionTableTest, OptionsThatDoNotFitTogetherAreRefused) {
  EXPECT_EQ(complaint("order", 1), "files is required");
  table_.set("files", "f");
  EXPECT_EQ(complaint("count", 5), "--count requires --tagger");  // the default, but given
  EXPECT_EQ(complaint("tagger", true), "none");
  EXPECT_EQ(complaint("tolerance", 0.1), "--tolerance requires --method cvb0");
  EXPECT_EQ(complaint("method", "cvb0"), "none");
  EXPECT_EQ(complaint("share", 0.1), "none");
  EXPECT_EQ(complaint("file", "x"), "--file cannot be combined with --share: the file has it");
}

}  // namespace
}  // namespace trellis::frame
