// A training of probability tables as users meet it, whoever has the tables: what it is told, what
// it came to, and what it says of that.
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
#include "trellis/tasks/generative/discriminative_training.h"
#include "trellis/tasks/generative/generative_options.h"
#include "trellis/tasks/generative/table_estimation.h"

namespace trellis::generative {

struct TableOptions {
  EstimatorOptions estimator;
  std::string checkpoint = {};
  bool resume = false;
  double save_every = 300;
};

// The stages of a run of that identity; says so where there is nothing to resume.
std::shared_ptr<Stages> make_stages(const TableOptions& options, const std::string& identity,
                                    const TrainEvents& events);

// `digest` with the costs, and with the file of the model that tables are held to.
std::uint64_t combine_files(std::uint64_t digest, std::span<const CostTable> costs,
                            const EstimatorOptions& options);

struct TableTraining {
  Estimator estimator = Estimator::kMl;
  LearnSummary summary;
  RunSeconds seconds;
  Index parameters = 0;
  double log_likelihood = 0;  // of all that the examples have; −∞ is possible
  MissingMass missing;
  std::optional<DiscriminativeResult> discriminative;
  std::vector<EmRun> runs;  // of em
  Index best_run = 0;

  // Keeps how it went, and returns θ.
  std::vector<double> keep(EmClimb found);
  std::vector<double> keep(DiscriminativeResult found);

  // What `train --json` says.
  void put(Value& record) const;
  // What a model says: nothing that differs between two runs of the same call.
  void put_provenance(const EstimatorOptions& options, Value& training) const;
  // What was chosen, how likely the examples are (in the task's words) and what mass is missing.
  std::vector<std::string> notes(const std::string& likelihood, std::string_view task) const;
  // `limit`: EstimatorOptions::limit().
  std::vector<std::string> warnings(std::string_view limit) const;
};

}  // namespace trellis::generative
