// Explains the value of a variable. For each other value: the score of the best assignment minus
// that of the same assignment with this value (which a factor may forbid), and minus that of the
// best assignment with this value; and the weights that make the difference to the best allowed
// change.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/factors/factors_model.h"
#include "trellis/tasks/factors/graph_decoder.h"
#include "trellis/tasks/factors/graph_file.h"

namespace trellis::factors {

struct Contribution {
  Index weight = 0;    // its number
  double product = 0;  // weight times attribute value: its part of the difference
};

struct VariableExplanation {
  struct Other {
    std::uint32_t value = 0;
    double difference = 0;   // loss of score if only this variable changes
    Index forbidden_by = 0;  // line of the factor that forbids the change; 0: none
    double margin = 0;       // loss of score if all others may change; ∞: impossible
    bool proven = true;      // for the margin: false if a limit ended one of two searches
  };
  Index variable = 0;
  std::uint32_t value = 0;
  std::vector<Other> others;                // in the order of the domain
  std::uint32_t rival = kNoValue;           // the best allowed value, if any
  std::vector<Contribution> contributions;  // against `rival`, or the best value; largest first
};

// Explains all variables; `best` is the best assignment of the graph that a search with this limit
// found.
std::vector<VariableExplanation> explain(const FactorsModel& model, const GraphRecord& graph,
                                         const Decoded& best, Index search_limit = kSearchLimit);

// With at most `top` contributions for each variable.
std::string explain_text(const FactorsModel& model, const GraphRecord& graph,
                         std::span<const VariableExplanation> variables, Index top);
Value explain_record(const FactorsModel& model, const GraphRecord& graph,
                     std::span<const VariableExplanation> variables, Index top);

}  // namespace trellis::factors
