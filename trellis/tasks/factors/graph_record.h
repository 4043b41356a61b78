// A factor graph as a file has it: its layout, the names and lines that messages speak of, the true
// values, and which weights score which parts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/tasks/factors/factor_features.h"

namespace trellis::factors {

// An attribute's share of the scores of a run of parts p, part … part + size − 1:
//   F[weight + (p − part), p] = value,   or with one weight for all of them   F[weight, p] = value.
struct WeightRow {
  std::uint32_t part = 0;
  std::uint32_t size = 0;
  Index weight = 0;
  double value = 0;
  bool tied = false;
};

struct GraphVariable {
  std::string name;
  std::uint32_t domain = 0;
  Index line = 0;
};

struct GraphFactor {
  std::uint32_t type = FactorFeatures::kNone;  // kNone: hard, or not known to the model
  Index line = 0;
};

struct GraphRecord {
  std::string file;
  Index line = 0;  // the first
  std::vector<GraphVariable> variables;
  std::vector<std::uint32_t> gold;  // a value for each; kNoValue: unknown
  std::vector<GraphFactor> factors;
  FactorGraphLayout layout;
  std::vector<WeightRow> rows;

  bool labelled() const;  // all true values are known
  // Throws InputError, with its line, for a factor that forbids the true values of its variables,
  // all of which are known.
  void check_gold() const;
};

}  // namespace trellis::factors
