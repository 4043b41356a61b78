// Training on factor graphs: from files to a model.
//
//   files → graphs, features → GraphModel over a structure → fit() → FactorsModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w), λ = 1/(C n), over graphs; the cost is the number of
// wrong variables. How outputs are found or summed over is a choice of its own (inference.h), and
// which learners and losses there are goes with it:
//
//   exact, relaxed        best outputs: losses with β = ∞, with a certificate; where a search for
//                         the best assignment reaches its limit, one from upper bounds
//   beliefs, reweighted   sums: losses with a finite β, without one
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/factors/factors_model.h"
#include "trellis/tasks/factors/factors_scores.h"
#include "trellis/tasks/factors/graph_file.h"
#include "trellis/tasks/factors/inference.h"

namespace trellis::factors {

const TaskDefaults& defaults(Inference inference = Inference::kExact);
Able able(Inference inference);
Able able();  // with one or the other

struct TrainOptions {
  TrainingOptions training;
  std::optional<Inference> inference;  // none: exact where the loss allows, else reweighted
  Index search_limit = kSearchLimit;   // of exact inference
};

// What will be done. Reads no data; throws UsageError for what does not go together.
struct Plan {
  Inference inference = Inference::kExact;
  LearnerChoice choice;
};
Plan plan(const TrainOptions& options, bool has_dev);

// Graphs of one or several files, all of whose true values are known.
struct FactorsData {
  FactorFeatures features;
  std::vector<GraphRecord> graphs;
};

struct TrainResult {
  Learned learned;
  Inference inference = Inference::kExact;
  Index graphs = 0;
  Index variables = 0;
  Index factors = 0;
  Index weights = 0;
  double lambda = 0;                 // 0: something else holds the weights
  std::optional<FactorsScores> dev;  // where there is one
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
};

struct Trained {
  std::optional<FactorsModel> model;  // none where training was interrupted
  TrainResult result;
};

// `dev` is of the features of `data`; empty: none. The checkpoint is left until the caller has
// written the model: result.learned.stages->discard().
Trained train(const FactorsData& data, std::span<const GraphRecord> dev,
              const TrainOptions& options, const TrainEvents& events = {});

struct TrainFiles {
  std::vector<std::string> files;
  std::vector<std::string> dev;  // may be empty
};
// Nothing is read before it is known that the options fit together. Throws InputError for what is
// wrong with the files.
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::factors
