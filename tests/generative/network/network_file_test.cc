#include "trellis/generative/network/network_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "random_networks.h"
#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/generative/network/bif.h"
#include "trellis/generative/network/estimation.h"
#include "trellis/generative/network/net_file.h"

namespace trellis::network_file_test {
namespace {

using namespace trellis::testing;

NetworkFile bif(const std::string& text) {
  return read_bif(InputFile::from_bytes(text, "a.bif"));
}
NetworkFile net(const std::string& text) {
  return read_net(InputFile::from_bytes(text, "a.net"));
}
template <class Read>
std::string complaint(const Read& read, const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}
std::string bif_complaint(const std::string& text) {
  return complaint(bif, text);
}
std::string net_complaint(const std::string& text) {
  return complaint(net, text);
}

std::vector<double> probabilities(const NetworkFile& file) {
  std::vector<double> p;
  for (const double theta : *file.theta) p.push_back(std::exp(theta));
  return p;
}
void expect_near(const std::vector<double>& p, const std::vector<double>& q) {
  ASSERT_EQ(p.size(), q.size());
  for (Index k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], q[k], 1e-15) << k;
}

const std::string kHead =
    "network n { property about \"anything { at all\"; }\n"
    "variable a { type discrete [ 2 ] { yes, no }; property position = (1, 2) ; }\n"
    "variable b { type discrete[3]{ lo, <=5, \"very high\" }; }  // a comment\n"
    "probability ( a ) { table 0.25, 0.75; }\n";

TEST(Bif, ReadsRowsTablesAndDefaults) {
  const std::vector<double> expected = {0.25, 0.75, 0.5, 0.25, 0.25, 0.125, 0.125, 0.75};
  const NetworkFile rows =
      bif(kHead +
          "probability ( b | a ) { (no) 0.125, 0.125, 0.75; /* over\n lines */\n"
          "(yes) 0.5 0.25 0.25; }");
  EXPECT_EQ(rows.graph->variable(1).values, (std::vector<std::string>{"lo", "<=5", "very high"}));
  EXPECT_EQ(rows.graph->parents(1), std::vector<Index>{0});
  expect_near(probabilities(rows), expected);
  // The variable itself runs slowest.
  expect_near(probabilities(bif(kHead + "probability ( \"b\" \"a\" ) "
                                        "{ table 0.5 0.125 0.25 0.125 0.25 0.75; }")),
              expected);
  expect_near(probabilities(bif(kHead + "probability ( b | a ) "
                                        "{ default 0.5,.25,.25; (no) 0.125,0.125,7.5e-1; }")),
              expected);
}

TEST(Bif, NormalisesWhatIsRounded) {
  const NetworkFile file = bif(kHead + "probability ( b ) { table 0.333, 0.333, 0.333; }");
  expect_near(probabilities(file), {0.25, 0.75, 1.0 / 3, 1.0 / 3, 1.0 / 3});
  const BayesNetwork network = file.network();
  EXPECT_LT(network.missing_mass(), 1e-15);
}

TEST(Bif, SaysWhatIsWrongAndWhere) {
  const std::string b = kHead + "probability ( b | a ) {\n (yes) 0.5, 0.25, 0.25;\n ";
  EXPECT_EQ(bif_complaint(b + "(no) 0.5, 0.2, 0.2; }"),
            "a.bif:7: 'b' given no: the probabilities sum to 0.8999999999999999");
  EXPECT_EQ(bif_complaint(b + "(no) 1.5, -0.25, -0.25; }"),
            "a.bif:7: 'b' given no: -0.25 is not a probability");
  EXPECT_EQ(bif_complaint(b + "}"), "a.bif:5: there are no probabilities of 'b' given no");
  EXPECT_EQ(bif_complaint(b + "(maybe) 1, 0, 0; }"),
            "a.bif:7: expected a value of 'a', found \"maybe\"");
  EXPECT_EQ(bif_complaint(b + "(yes) 1, 0, 0; }"),
            "a.bif:7: these probabilities are already given in line 6");
  EXPECT_EQ(bif_complaint(b + "(no) 1, 0; }"), "a.bif:7: expected a probability, found \";\"");
  EXPECT_EQ(bif_complaint(b + "(no) 1, 0, 0, 0; }"), "a.bif:7: expected ';', found \"0\"");
  EXPECT_EQ(bif_complaint(b + "(no) 1, 0, 0;"),
            "a.bif:7: expected table, default, property, '(' or '}', but the file ends");
  EXPECT_EQ(bif_complaint(kHead), "a.bif: there are no probabilities of \"b\"");
  EXPECT_EQ(bif_complaint(kHead + "probability ( b | c ) { table 1; }"),
            "a.bif:5: expected a parent that is declared above, or ')', found \"c\"");
  EXPECT_EQ(bif_complaint(kHead + "probability ( a ) { table 0.5, 0.5; }"),
            "a.bif:5: there are two tables of \"a\"");
  EXPECT_EQ(bif_complaint(kHead + "variable a { type discrete [ 1 ] { x }; }"),
            "a.bif:5: expected each variable once, found again \"a\"");
  EXPECT_EQ(bif_complaint("variable a { type discrete [ 3 ] { x, y }; }"),
            "a.bif:1: found 2 values, but the type declares \"3\"");
  EXPECT_EQ(bif_complaint("variable a { type discrete [ 2 ] { x, x }; }"),
            "a.bif:1: expected each value once, found twice \"x\"");
  EXPECT_EQ(bif_complaint("variable a { type real; }"),
            "a.bif:1: expected discrete, the only type there is, found \"real\"");
  EXPECT_EQ(bif_complaint("\n/* \n"), "a.bif:2: the comment has no end");
  EXPECT_EQ(bif_complaint("variable \"a"), "a.bif:1: a quote has no end");
  EXPECT_EQ(bif_complaint(""), "a.bif: there is no variable in it");
  EXPECT_EQ(bif_complaint("variable a { type discrete [ 1 ] { x }; }"
                          "variable b { type discrete [ 1 ] { x }; }"
                          "probability ( a | b ) { (x) 1; } probability ( b | a ) { (x) 1; }"),
            "a.bif: the network has a cycle: a -> b -> a");
}

// Numbers with a logarithm of their own come back with the same bits.
TEST(Bif, ReadsWhatItWrites) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const BayesNetwork drawn =
        random_network(random_graph(1 + random.below(6), random), random, trial % 2 == 0);
    const BayesNetwork network =
        estimate(drawn.shared_graph(), draw_rows(drawn, 50, random), trial % 3 == 0 ? 0 : 0.3);
    const std::string text = to_bif(network);
    const NetworkFile file = bif(text);
    EXPECT_EQ(file.graph->all_parents(), network.graph().all_parents());
    ASSERT_EQ(*file.theta, std::vector<double>(network.theta().begin(), network.theta().end()));
    EXPECT_EQ(to_bif(file.network()), text);
  }
}

TEST(Bif, QuotesNamesAndNormalisesWhatIsMissing) {
  const auto graph = std::make_shared<const NetworkGraph>(
      std::vector<NetworkVariable>{{"a b", {"//x", "(", "table"}}, {"c", {"0", "1"}}},
      NetworkParents{{}, {0}});
  std::vector<double> theta;
  for (const double p : {0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5, 0.2, 0.2}) {
    theta.push_back(std::log(p));
  }
  const NetworkFile file = bif(to_bif(BayesNetwork(graph, theta)));
  EXPECT_EQ(file.graph->variable(0).name, "a b");
  EXPECT_EQ(file.graph->variable(0).values, graph->variable(0).values);
  expect_near(probabilities(file), {1.0 / 3, 1.0 / 3, 1.0 / 3, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
  const auto quote = std::make_shared<const NetworkGraph>(
      std::vector<NetworkVariable>{{"a\"b", {"x"}}}, NetworkParents(1));
  EXPECT_THROW(to_bif(BayesNetwork(quote, {0})), UsageError);
}

TEST(Bif, RefusesTablesThatAreTooLarge) {
  std::string text, names;
  for (int v = 0; v < 60; ++v) {
    const std::string name = "x" + std::to_string(v);
    text += "variable " + name + " { type discrete [2] { 0 1 }; }\n";
    names += " " + name;
  }
  EXPECT_NE(bif_complaint(text + "probability (" + names + ") { default 0.5 0.5; }")
                .find("more than 16777216 probabilities"),
            std::string::npos);
}

constexpr const char* kNet =
    "# a network\nvariable a yes no\nvariable b lo mid hi # values\n\nb <- a\n";

TEST(NetFile, ReadsStructureAndTables) {
  const NetworkFile structure = net(kNet);
  EXPECT_FALSE(structure.theta);
  EXPECT_THROW(structure.network(), UsageError);
  EXPECT_EQ(structure.graph->all_parents(), (NetworkParents{{}, {0}}));
  const NetworkFile tables =
      net(std::string(kNet) + "p a : 0.25 0.75\np b | no : 0 0.5 0.5\np b | yes : 1 0 0\n");
  expect_near(probabilities(tables), {0.25, 0.75, 1, 0, 0, 0, 0.5, 0.5});
}

TEST(NetFile, SaysWhatIsWrongAndWhere) {
  const std::string head = kNet;
  EXPECT_EQ(net_complaint(""), "a.net: there is no variable in it");
  EXPECT_EQ(net_complaint("node a"),
            "a.net:1: expected variable, p, or a variable followed by <-, found \"node\"");
  EXPECT_EQ(net_complaint("variable a"), "a.net:1: expected variable NAME VALUE VALUE…");
  EXPECT_EQ(net_complaint("variable a x x"),
            "a.net:1: expected each value once, found twice \"x\"");
  EXPECT_EQ(net_complaint(head + "variable a 0 1"),
            "a.net:6: expected each variable once, found again \"a\"");
  EXPECT_EQ(net_complaint(head + "b <- a"),
            "a.net:6: expected one list of parents, found a second one of \"b\"");
  EXPECT_EQ(net_complaint(head + "a <- c"),
            "a.net:6: expected a variable that is declared above, found \"c\"");
  EXPECT_EQ(net_complaint(head + "a <- b"), "a.net:6: the network has a cycle: a -> b -> a");
  EXPECT_EQ(net_complaint(head + "p a : 0.5 0.6"), "a.net:6: 'a': the probabilities sum to 1.1");
  EXPECT_EQ(net_complaint(head + "p a : 0.5"), "a.net:6: expected 2 probabilities, found 1");
  EXPECT_EQ(net_complaint(head + "p b | maybe : 1 0 0"),
            "a.net:6: expected a value of 'a', found \"maybe\"");
  EXPECT_EQ(net_complaint(head + "p b : 1 0 0"), "a.net:6: expected 1 values of parents, found 0");
  EXPECT_EQ(net_complaint(head + "p a : 0.5 0.5\np a : 0.5 0.5"),
            "a.net:7: these probabilities are already given in line 6");
  EXPECT_EQ(net_complaint(head + "p a : 0.5 0.5"),
            "a.net: row 1 of 2 has no probabilities of \"b\"");
  EXPECT_EQ(net_complaint(head + "p a : 0.5 0.5\na <- b"),
            "a.net:7: the parents of a variable must come before its probabilities");
}

TEST(NetFile, ReadsWhatItWrites) {
  Random random(31);
  for (int trial = 0; trial < 20; ++trial) {
    const BayesNetwork network =
        random_network(random_graph(5, random), random, trial % 2 == 0, trial % 3 == 0 ? 0.2 : 0);
    const NetworkFile read = net(to_net(network));
    EXPECT_EQ(read.graph->all_parents(), network.graph().all_parents());
    const BayesNetwork again = read.network();
    for (Index d = 0; d < network.distributions().num(); ++d) {
      for (Index k = network.distributions().begin(d); k < network.distributions().end(d); ++k) {
        EXPECT_NEAR(std::exp(again.theta()[k]), std::exp(network.theta()[k]) / network.mass(d),
                    1e-12);
      }
    }
    // What was read once has the same bits ever after.
    EXPECT_EQ(to_net(again), to_net(net(to_net(again)).network()));
    const NetworkFile twice = net(to_net(again));
    EXPECT_TRUE(std::equal(twice.theta->begin(), twice.theta->end(), again.theta().begin()));
  }
}

TEST(NetFile, RefusesNamesThatAreNoWords) {
  for (const char* name : {"a b", "a#", "|", ":", "<-", "a\tb"}) {
    const auto graph = std::make_shared<const NetworkGraph>(
        std::vector<NetworkVariable>{{"v", {name, "other"}}}, NetworkParents(1));
    EXPECT_THROW(to_net(BayesNetwork(graph, {std::log(0.5), std::log(0.5)})), UsageError) << name;
  }
}

TEST(NetworkFile, IsReadByItsName) {
  TemporaryDirectory folder;
  EXPECT_EQ(read_network(folder.make("a.bif", kHead + "probability ( b ) { table 1 0 0; }"))
                .graph->num_variables(),
            2u);
  EXPECT_EQ(read_network(folder.make("a.net", kNet)).graph->num_variables(), 2u);
}

}  // namespace
}  // namespace trellis::network_file_test
