#include "trellis/tasks/factors/graph_model.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/problem/oracle_conformance.h"
#include "tests/tasks/factors/enumerated_graph.h"
#include "trellis/fit/fit.h"

namespace trellis::factors {
namespace {

using Model = GraphModel<testing::EnumeratedGraph>;

// Factors of every kind, and a graph without any.
constexpr const char* kGraphs =
    "domain weather rain sun snow\n"
    "domain umbrella switch\n"
    "var w1 weather =rain humid wind:0.5\n"
    "var w2 weather =sun humid:-1\n"
    "var u1 umbrella =on\n"
    "var u2 umbrella =off wind\n"
    "var a switch =on\n"
    "var b switch =off\n"
    "var c switch =on\n"
    "var d switch =off\n"
    "table likes w1 u1 | cold:2\n"
    "table likes w2 u2\n"
    "sequence days w1 w2 | warm:0.5\n"
    "pair both w1=rain u1 | dist:3\n"
    "head kids a b c | many\n"
    "next a c | dist:2\n"
    "next ^ a\n"
    "next c $\n"
    "tree 2 one 2>1:b 0>1:a 1>2:c 0>2:d\n"
    "one-of w2=sun w1=sun\n"
    "budget 3 u1 u2 a b c\n"
    "\n"
    "var w weather =snow humid\n"
    "var s switch =off\n";

struct Graphs {
  Graphs() : graphs(read_graphs(InputFile::from_bytes(kGraphs, "g.txt"), features, true)) {}
  FactorFeatures features;
  std::vector<GraphRecord> graphs;
};

TEST(FactorGraphModel, IsAPartModelOfItsStructure) {
  constexpr Able kAble = able_of<Model>();
  EXPECT_TRUE(kAble.hinge && kAble.linear_costs);
  EXPECT_FALSE(kAble.sums || kAble.projects);
}

TEST(FactorGraphModel, CostsAreWrongVariables) {
  const Graphs data;
  const Model model(data.graphs, data.features.dimension());
  for (Index i = 0; i < data.graphs.size(); ++i) {
    const auto structure = model.structure(i);
    std::vector<double> p(structure.num_parts(), 0.0);
    model.add_costs(i, 1, p);
    ASSERT_GT(structure.outputs().size(), 1U);
    for (const auto& y : structure.outputs()) {
      double wrong = 0;
      for (Index v = 0; v < y.size(); ++v) wrong += y[v] != model.gold(i)[v] ? 1 : 0;
      EXPECT_EQ(structure.score(p, y) - structure.score(p, model.gold(i)), wrong);
    }
  }
}

TEST(FactorGraphModel, ScoresAndFeaturesAreTransposes) {
  const Graphs data;
  const Model model(data.graphs, data.features.dimension());
  Random random(3);
  const std::vector<double> w = testing::random_weights(model.dimension(), 1, random);
  for (Index i = 0; i < model.num_examples(); ++i) {
    std::vector<double> s(model.structure(i).num_parts());
    model.scores(i, w, s);
    const std::vector<double> z = testing::random_weights(s.size(), 1, random);
    double forward = 0;
    for (Index p = 0; p < s.size(); ++p) forward += s[p] * z[p];
    Model::Workspace workspace;
    SparseVector slope;
    model.features(i, z, 1, workspace, slope);
    EXPECT_NEAR(slope.dot(w), forward, 1e-9);
  }
}

// By hand: which weights an assignment has.
TEST(FactorGraphModel, ScoresAnAssignmentByTheAttributesOfItsParts) {
  const Graphs data;
  const Model model(data.graphs, data.features.dimension());
  std::vector<double> w(model.dimension());
  const auto weight = [&](const std::string& name) -> double& {
    for (Index k = 0; k < w.size(); ++k) {
      if (data.features.weight_name(k) == name) return w[k];
    }
    throw UsageError(name);
  };
  const std::vector<std::pair<std::string, double>> seen = {{"var weather=rain wind", 0.5},
                                                            {"var weather=sun humid", -1},
                                                            {"var weather=rain humid", 1},
                                                            {"var umbrella=on bias", 1},
                                                            {"var umbrella=on wind", 0},
                                                            {"var switch=on bias", 2},
                                                            {"table likes rain,on cold", 2},
                                                            {"table likes sun,off bias", 1},
                                                            {"table likes sun,off cold", 0},
                                                            {"sequence days rain,sun warm", 0.5},
                                                            {"sequence days rain,rain warm", 0},
                                                            {"pair both dist", 3},
                                                            {"head kids first many", 1},
                                                            {"head kids next many", 1},
                                                            {"head kids last bias", 1},
                                                            {"head kids none bias", 0},
                                                            {"next kids dist", 2},
                                                            {"next kids bias", 3}};
  for (const auto& [name, value] : seen) {
    std::fill(w.begin(), w.end(), 0.0);
    weight(name) = 1;
    std::vector<double> s(model.structure(0).num_parts());
    model.scores(0, w, s);
    EXPECT_EQ(model.structure(0).score(s, model.gold(0)), value) << name;
  }
}

TEST(FactorGraphModel, MakesOraclesThatTouchAndLieBelow) {
  const Graphs data;
  const Model model(data.graphs, data.features.dimension());
  const HingeProblem<Model> problem(model);
  testing::expect_touching(problem, 7);
  testing::expect_minorant(problem, 8);
}

}  // namespace
}  // namespace trellis::factors
