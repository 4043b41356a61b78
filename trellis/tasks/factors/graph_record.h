// A factor graph as read from a file: its layout, names and lines for messages, true values, and
// the weights of each part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/tasks/factors/factor_features.h"

namespace trellis::factors {

// The part of one attribute in the scores of parts p = part … part + size − 1:
//   F[weight + (p − part), p] = value,   or with one shared weight   F[weight, p] = value.
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
  std::uint32_t type = FactorFeatures::kNone;  // kNone: hard, or unknown to the model
  Index line = 0;
};

struct GraphRecord {
  std::string file;
  Index line = 0;  // the first one
  std::vector<GraphVariable> variables;
  std::vector<std::uint32_t> gold;  // one per variable; kNoValue: unknown
  std::vector<GraphFactor> factors;
  FactorGraphLayout layout;
  std::vector<WeightRow> rows;

  bool labelled() const;  // whether all true values are known
  // Throws InputError with the line of a factor that forbids the true values of its variables, if
  // all of these are known.
  void check_gold() const;
};

}  // namespace trellis::factors
