// A training of probability tables for any model that has them: its options, its result, and its
// report.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/problem/cost_table.h"
#include "trellis/tasks/tables/discriminative_training.h"
#include "trellis/tasks/tables/generative_options.h"
#include "trellis/tasks/tables/table_estimation.h"

namespace trellis::generative {

struct TableOptions : CheckpointOptions {
  EstimatorOptions estimator;
};

// Combines `digest` with the costs and with the file of the reference model.
std::uint64_t combine_files(std::uint64_t digest, std::span<const CostTable> costs,
                            const EstimatorOptions& options);

struct TableTraining {
  Estimator estimator = Estimator::kMl;
  LearnSummary summary;
  RunSeconds seconds;
  Index parameters = 0;
  double log_likelihood = 0;  // of all known values of the examples; may be −∞
  MissingMass missing;
  std::optional<DiscriminativeResult> discriminative;
  std::vector<EmRun> runs;  // of em
  Index best_run = 0;

  // Stores the course of training and returns θ.
  std::vector<double> keep(EmClimb found);
  std::vector<double> keep(DiscriminativeResult found);

  // Adds the keys of `train --json`.
  void put(Value& record) const;
  // Adds the record for a model file: the same for two runs of one call.
  void put_provenance(const EstimatorOptions& options, Value& training) const;
  // The choice, the likelihood of the examples (in the task's words), and the missing mass.
  std::vector<std::string> notes(const std::string& likelihood, std::string_view task) const;
  // `limit`: EstimatorOptions::limit().
  std::vector<std::string> warnings(std::string_view limit) const;
};

}  // namespace trellis::generative
