#include "trellis/tasks/factors/graph_file.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::factors {
namespace {

std::vector<GraphRecord> read(const std::string& text, FactorFeatures& features,
                              bool labelled = false) {
  return read_graphs(InputFile::from_bytes(text, "g.txt"), features, labelled);
}

std::string message_of(const std::string& text, bool labelled = false) {
  FactorFeatures features;
  try {
    read(text, features, labelled);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// Of a line behind a graph of two weathers and three switches.
std::string message_behind(const std::string& line) {
  return message_of(
      "domain weather rain sun snow\n"
      "var w1 weather =rain\n"
      "var w2 weather =sun\n"
      "var u1 switch =on\n"
      "var u2 switch =off\n"
      "var u3 switch =on\n" +
      line + "\n");
}

constexpr const char* kWeather =
    "# two days\n"
    "domain weather rain sun snow   # values\n"
    "domain umbrella switch\n"
    "\n"
    "var w1 weather =rain humid wind:0.5\n"
    "var w2 weather ?\n"
    "var u1\tumbrella  =on\n"
    "table likes w1 u1 | cold:2\n"
    "sequence days w1 w2\n"
    "# a comment does not end the graph\n"
    "pair both w1=rain u1 | dist:3\n"
    "or w2=sun !u1 !u1=off\n"
    "\n"
    "\n"
    "var w1 weather =snow humid\n";

TEST(FactorGraphFile, ReadsVariablesFactorsAndTruth) {
  std::string text = kWeather;
  text.replace(text.find("or w2=sun !u1 !u1=off"), 21, "or w2=sun !u1");
  FactorFeatures features;
  const auto graphs = read(text, features);
  ASSERT_EQ(graphs.size(), 2U);
  const GraphRecord& graph = graphs[0];
  EXPECT_EQ(graph.line, 5U);
  EXPECT_EQ(graph.file, "g.txt");
  EXPECT_EQ(graph.layout.num_variables(), 3U);
  EXPECT_EQ(graph.layout.num_states(), 7U);
  EXPECT_EQ(graph.layout.num_parts(), 7U + 6 + 9 + 1);
  EXPECT_EQ(graph.gold, (std::vector<std::uint32_t>{0, kNoValue, 1}));
  EXPECT_FALSE(graph.labelled());
  EXPECT_TRUE(graphs[1].labelled());
  ASSERT_EQ(graph.factors.size(), 4U);
  EXPECT_EQ(graph.factors[3].line, 12U);
  const auto literals = graph.layout.links(graph.layout.factor(3));
  ASSERT_EQ(literals.size(), 2U);
  EXPECT_EQ(literals[0], (Literal{4, false}));
  EXPECT_EQ(literals[1], (Literal{6, true}));
  // Weights in the order in which they were seen.
  EXPECT_EQ(features.weight_name(0), "var weather=rain bias");
  EXPECT_EQ(features.weight_name(4), "var weather=sun humid");
  EXPECT_EQ(features.weight_name(9), "var umbrella=on bias");
  EXPECT_EQ(features.weight_name(10), "table likes rain,off bias");
  EXPECT_EQ(features.weight_name(21), "table likes snow,on cold");
  EXPECT_EQ(features.weight_name(24), "sequence days rain,snow bias");
  EXPECT_EQ(features.weight_name(features.dimension() - 1), "pair both dist");
  EXPECT_EQ(features.dimension(), 9U + 1 + 12 + 9 + 2);
}

TEST(FactorGraphFile, ALiteralMayNameAValueOfASwitch) {
  FactorFeatures features;
  const auto graphs = read("var a switch\nvar b switch\nor a=off !b=off\n", features);
  const auto literals = graphs[0].layout.links(graphs[0].layout.factor(0));
  EXPECT_EQ(literals[0], (Literal{0, true}));
  EXPECT_EQ(literals[1], (Literal{1, false}));
}

TEST(FactorGraphFile, ReadsHeadsAndTrees) {
  FactorFeatures features;
  const auto graphs = read(
      "var a switch =on\nvar b switch =off\nvar c switch =on\nvar d switch =off\n"
      "head kids a b c\nnext a c | dist:2\nnext ^ a\n"
      "tree 2 one projective 2>1:b 0>1:a 1>2:c 0>2:d\n",
      features);
  const FactorGraphLayout& layout = graphs[0].layout;
  EXPECT_EQ(layout.num_parts(), 4U + 10);
  const auto& tree = layout.tree(layout.factor(1));
  EXPECT_EQ(tree.head, (std::vector<std::uint32_t>{0, 2, 0, 1}));
  EXPECT_EQ(tree.roots, Roots::kOne);
  EXPECT_EQ(tree.crossing, Crossing::kForbidden);
  // switch bias; head: none first next last; next: bias dist
  ASSERT_EQ(features.dimension(), 7U);
  EXPECT_EQ(features.weight_name(4), "head kids last bias");
  EXPECT_EQ(features.weight_name(6), "next kids dist");
  // All of the head's ten scores have a row or are in one, once.
  std::vector<int> rows(layout.num_parts(), 0);
  for (const WeightRow& row : graphs[0].rows) {
    if (row.weight >= 5) continue;
    for (Index k = 0; k < row.size; ++k) ++rows[row.part + k];
  }
  EXPECT_EQ(rows, std::vector<int>(layout.num_parts(), 1));
  const auto& next = graphs[0].rows[graphs[0].rows.size() - 2];  // bias and dist, then '^ a'
  EXPECT_EQ(next.weight, 6U);
  EXPECT_EQ(next.part, FactorGraphLayout::head_part(layout.factor(0), 1, 3));
  EXPECT_EQ(next.value, 2.0);
}

TEST(FactorGraphFile, KnowsOnlyTheNamesOfAModelOnceFrozen) {
  FactorFeatures features;
  read("domain c red blue\nvar x c =red tall\ntable t x\n", features);
  features.freeze();
  const Index dimension = features.dimension();
  const auto graphs =
      read("domain c red blue\nvar x c tall:2 small\nvar y c\ntable new x y\n", features);
  EXPECT_EQ(features.dimension(), dimension);
  ASSERT_EQ(graphs[0].rows.size(), 3U);  // two biases and tall
  EXPECT_EQ(graphs[0].factors[0].type, FactorFeatures::kNone);
  EXPECT_EQ(graphs[0].layout.num_parts(), 4U + 4);
  EXPECT_THROW(read("domain d red blue\nvar x d\n", features), InputError);
  EXPECT_THROW(read("domain c blue red\nvar x c\n", features), InputError);
  EXPECT_THROW(read("var x c\nvar y c\ntable t x y\n", features), InputError);
}

TEST(FactorGraphFile, SaysWhatIsWrongWithALine) {
  EXPECT_EQ(message_of(""), "g.txt: expected a graph ('var NAME DOMAIN'), found none");
  EXPECT_EQ(message_of("domain weather rain sun\n"),
            "g.txt: expected a graph ('var NAME DOMAIN'), found none");
  EXPECT_EQ(message_of("vra x switch\n"),
            "g.txt:1: unknown first word of a line 'vra': did you mean var?");
  EXPECT_EQ(message_of("domain c red\n"), "g.txt:1: the domain 'c' has fewer than two values");
  EXPECT_EQ(message_of("domain c red red\n"), "g.txt:1: the domain 'c' has the value 'red' twice");
  EXPECT_EQ(
      message_of("domain switch a b\n"),
      "g.txt:1: the domain 'switch' is already declared with other values: off or on, a switch");
  EXPECT_EQ(message_of("var x colour\n"),
            "g.txt:1: expected a domain that is declared, found \"colour\"");
  EXPECT_EQ(message_behind("var w1 weather"),
            "g.txt:7: the graph already has a variable 'w1', in line 2");
  EXPECT_EQ(message_behind("var w3 weather =hail"),
            "g.txt:7: expected a value of the domain 'weather', rain, sun or snow, found \"hail\"");
  EXPECT_EQ(message_behind("var a=b weather"),
            "g.txt:7: the name of a variable must be UTF-8 without blanks and '=', and must not "
            "begin with ! # | or ?");
  EXPECT_EQ(message_behind("var x weather warm warm:2"),
            "g.txt:7: expected each attribute once, found twice: \"warm\"");
  EXPECT_EQ(message_behind("var x weather bias"),
            "g.txt:7: the attribute 'bias' is reserved: it is always present");
  for (const char* attribute : {"warm:", "warm:x", ":2", "warm:1e31", "warm:nan", "warm =rain"}) {
    EXPECT_NE(message_behind(std::string("var x weather ") + attribute)
                  .find("g.txt:7: expected an attribute, NAME or NAME:VALUE"),
              std::string::npos)
        << attribute;
  }
  EXPECT_EQ(message_of("var x switch \xff\n"), "g.txt:1: expected UTF-8");
}

TEST(FactorGraphFile, SaysWhatIsWrongWithAFactor) {
  EXPECT_EQ(message_behind("table t"), "g.txt:7: expected 'table NAME VARIABLE …'");
  EXPECT_EQ(message_behind("table t w1 x"),
            "g.txt:7: expected a variable of the graph, found \"x\"");
  EXPECT_EQ(message_behind("table t w1 w1"), "g.txt:7: a factor \"table\" has variable 0 twice");
  EXPECT_EQ(
      message_behind("table t w1 w2\ntable t w1 u1"),
      "g.txt:8: the table 't' is already used for variables of other domains: weather weather");
  EXPECT_EQ(message_behind("sequence s w1 u1"),
            "g.txt:7: expected variables of one domain, 'weather', in a sequence, found \"u1\"");
  EXPECT_EQ(message_behind("sequence s u1 u2"),
            "g.txt:7: expected a domain with values in a sequence, found switches: \"u1\"");
  EXPECT_EQ(message_behind("pair p w1=rain"), "g.txt:7: expected 'pair NAME LITERAL LITERAL'");
  EXPECT_EQ(message_behind("pair p w1=rain !u1"),
            "g.txt:7: expected two literals without '!': a pair is scored if both are on");
  EXPECT_EQ(message_behind("pair p w1 u1"),
            "g.txt:7: expected VARIABLE=VALUE, since 'w1' is not a switch, found \"w1\"");
  EXPECT_EQ(message_behind("head h u1 w1"),
            "g.txt:7: expected a switch, found the variable \"w1\"");
  EXPECT_EQ(message_behind("next u1 u2"),
            "g.txt:7: expected 'next' directly after the head that it refers to");
  EXPECT_EQ(message_behind("head h u1 u2\nor u1\nnext u1 u2"),
            "g.txt:9: expected 'next' directly after the head that it refers to");
  EXPECT_EQ(message_behind("head h u1 u2\nnext u2 u1"),
            "g.txt:8: expected two switches in the order of the head, found \"u1\"");
  EXPECT_EQ(message_behind("head h u1 u2\nnext u1 u3"),
            "g.txt:8: expected a switch of the head, found \"u3\"");
  EXPECT_EQ(message_behind("or"),
            "g.txt:7: expected at least one literal: VARIABLE=VALUE, or a switch");
  EXPECT_EQ(message_behind("budget u1 u2"), "g.txt:7: expected 'budget NUMBER LITERAL …'");
  EXPECT_EQ(message_behind("tree 2 u1 u2"),
            "g.txt:7: expected 'tree WORDS one|any [projective] HEAD>WORD:SWITCH …'");
  EXPECT_EQ(message_behind("tree 1 one 0-1:u1"),
            "g.txt:7: expected an arc HEAD>WORD:SWITCH, found \"0-1:u1\"");
  EXPECT_EQ(message_behind("tree 1 one x>1:u1"),
            "g.txt:7: expected an arc HEAD>WORD:SWITCH with two numbers, found \"x>1:u1\"");
  EXPECT_EQ(message_behind("tree 1 one 0>2:u1"),
            "g.txt:7: a factor \"tree\" of 1 words has no arc from 0 to 2");
  EXPECT_EQ(message_behind("tree 4 one 0>1:u1"),
            "g.txt:7: expected at least one arc to each word of a tree");
}

TEST(FactorGraphFile, RefusesTruthThatAFactorForbids) {
  const std::pair<const char*, const char*> broken[] = {
      {"one-of u1 u3", "one-of: expected exactly one of its literals to hold"},
      {"one-of u2 w1=sun", "one-of: expected exactly one of its literals to hold"},
      {"at-most-one u1 u2 w1=rain", "at-most-one: expected none or one of its literals to hold"},
      {"or u2 !u1", "or: expected one or more of its literals to hold"},
      {"budget 1 u1 u2 u3", "budget: expected no more literals to hold than the budget allows"},
      {"tree 2 one 0>1:u1 1>2:u2 0>2:u3", "tree: expected a dependency tree"}};
  for (const auto& [line, complaint] : broken) {
    EXPECT_EQ(message_behind(line),
              std::string("g.txt:7: the true values violate this ") + complaint);
  }
  EXPECT_EQ(message_behind("budget 2 u1 u2 u3"), "accepted");
  EXPECT_EQ(message_behind("tree 2 any 0>1:u1 1>2:u2 0>2:u3"), "accepted");
  EXPECT_EQ(message_behind("var u4 switch\none-of u1 u3 u4"), "accepted");  // not all is known
}

TEST(FactorGraphFile, AsksForTruthWhereItIsLearnedFrom) {
  EXPECT_EQ(message_of("var a switch =on\nvar b switch\n", true),
            "g.txt:2: expected a true value, =VALUE, of the variable \"b\"");
  EXPECT_EQ(message_of("var a switch =on\nvar b switch ?\n", true),
            "g.txt:2: expected a true value, =VALUE, of the variable \"b\"");
  EXPECT_EQ(message_of("var a switch =on\nvar b switch =off\n", true), "accepted");
}

TEST(FactorGraphFile, RefusesWhatIsTooLarge) {
  std::string text = "domain d";
  for (int k = 0; k < 300; ++k) text += " v" + std::to_string(k);
  text += "\nvar a d\nvar b d\nvar c d\n";
  EXPECT_EQ(message_of(text + "table t a b c\n"),
            "g.txt:5: a table has at most 16777216 joint assignments");
  EXPECT_EQ(message_of(text + "sequence s a b c\n"), "accepted");
  for (int k = 0; k < 200; ++k) text += "table t" + std::to_string(k) + " a b\n";
  EXPECT_EQ(message_of(text),
            "g.txt:191: the graph is too large: it has more than 16777216 states and scores");
}

}  // namespace
}  // namespace trellis::factors
