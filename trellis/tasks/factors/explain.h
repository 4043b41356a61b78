// Why a variable has its value. For each other value: by how much the best assignment is worth more
// than the same with that one changed, which some factor may forbid; and than the best of all
// assignments that have it. And which weights make the difference to the best value that could be
// changed to.
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
  double product = 0;  // with the attribute's value: what it adds to the difference
};

struct VariableExplanation {
  struct Other {
    std::uint32_t value = 0;
    double difference = 0;   // what the found value is worth more, all other variables as they are
    Index forbidden_by = 0;  // the line of a factor; 0: none
    double margin = 0;       // with the best of all else; ∞: no assignment has it
    bool proven = true;      // the margin: a limit may have ended one of its two searches
  };
  Index variable = 0;
  std::uint32_t value = 0;
  std::vector<Other> others;                // in the order of the domain
  std::uint32_t rival = kNoValue;           // the best of those that are allowed, if any
  std::vector<Contribution> contributions;  // against it, or the best of all; the largest first
};

// Of all variables; `best` is an assignment of the graph, as far as a search with the limit knows
// the best.
std::vector<VariableExplanation> explain(const FactorsModel& model, const GraphRecord& graph,
                                         const Decoded& best, Index search_limit = kSearchLimit);

// With at most `top` contributions of each variable.
std::string explain_text(const FactorsModel& model, const GraphRecord& graph,
                         std::span<const VariableExplanation> variables, Index top);
Value explain_record(const FactorsModel& model, const GraphRecord& graph,
                     std::span<const VariableExplanation> variables, Index top);

}  // namespace trellis::factors
