// How many variables have their true values. Variables with an unknown truth do not count.
//
//   accuracy      the share of correct variables, over all graphs together, in percent
//   exact         the share of graphs without a mistake, in percent
//   Hamming loss  the share of wrong variables, as a fraction; mean: the mean over graphs of the
//                 share in each graph
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/factors/graph_file.h"

namespace trellis::factors {

struct VariableCounts {
  Index total = 0;
  Index right = 0;

  double accuracy() const;  // in percent; 100 if there are none
  void add(const VariableCounts& more);
};

class FactorsScores {
 public:
  struct DomainRow {
    std::string name;
    VariableCounts all;
    std::vector<std::string> values;
    std::vector<VariableCounts> by_value;  // variables with this true value
    std::vector<Index> found;              // predictions of the value, if the truth is known
  };

  // Copies the names of the domains.
  explicit FactorsScores(const Domains& domains);

  // Takes a value for each variable.
  void add(const GraphRecord& graph, std::span<const std::uint32_t> found);

  Index graphs() const { return graphs_; }
  const VariableCounts& variables() const { return all_; }
  double exact() const;         // in percent
  double hamming_loss() const;  // a fraction
  double mean_hamming_loss() const;
  const std::vector<DomainRow>& domains() const { return domains_; }

  // Keys accuracy exact hamming_loss mean_hamming_loss graphs variables right per_domain.
  Value record() const;
  std::string to_text() const;

 private:
  std::vector<DomainRow> domains_;
  VariableCounts all_;
  Index graphs_ = 0;  // with a known truth
  Index right_graphs_ = 0;
  double sum_of_losses_ = 0;
};

}  // namespace trellis::factors
