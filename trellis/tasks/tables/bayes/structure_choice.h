// The arrows of a network: read from a file, or learned from rows without missing values
// (generative/network/structure_learning.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"
#include "trellis/generative/network/network_file.h"
#include "trellis/generative/network/structure_learning.h"
#include "trellis/tasks/tables/bayes/row_data.h"

namespace trellis::bayes {

struct StructureOptions {
  // naive, chow-liu, hill-climbing, or the path of a network (.bif, or plain text)
  std::string structure = "hill-climbing";
  std::optional<Index> max_parents;  // hill-climbing: 8
  int threads = 1;

  bool is_file() const;
  // Throws UsageError if the structure is neither such a word nor a readable file, or if options do
  // not fit together.
  void check() const;
};

// Throws InputError if a value is missing that learning requires, and UsageError if `naive` does
// not have exactly one target. Empty: interrupted.
std::optional<NetworkParents> learn_parents(const RowData& data, const std::vector<Index>& targets,
                                            const StructureOptions& options, Stages& stages,
                                            const TrainEvents& events);

}  // namespace trellis::bayes
