// Trains on files of factor graphs.
//
//   files → graphs, features → GraphModel over a structure → fit() → FactorsModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w), λ = 1/(C n), over graphs; the cost is the number of
// wrong variables. The inference (inference.h) is a separate choice, and determines the possible
// learners and losses:
//
//   exact, relaxed        best outputs: losses with β = ∞, with a certificate (from upper bounds if
//                         a search for the best assignment reaches its limit)
//   beliefs, reweighted   sums: losses with a finite β, without a certificate
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
Able able();  // of any inference

struct TrainOptions {
  TrainingOptions training;
  std::optional<Inference> inference;  // default: exact if the loss allows it, else reweighted
  Index search_limit = kSearchLimit;   // for exact inference
};

// The planned training. Reads no data; throws UsageError for options that do not fit together.
struct Plan {
  Inference inference = Inference::kExact;
  LearnerChoice choice;
};
Plan plan(const TrainOptions& options, bool has_dev);

// Graphs of one or several files, all with known true values.
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
  double lambda = 0;                 // 0: not regularised by λ
  std::optional<FactorsScores> dev;  // if there is a dev set
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
};

struct Trained {
  std::optional<FactorsModel> model;  // empty if interrupted
  TrainResult result;
};

// `dev` must use the features of `data`; empty: none. After writing the model, the caller removes
// the checkpoint: result.learned.stages->discard().
Trained train(const FactorsData& data, std::span<const GraphRecord> dev,
              const TrainOptions& options, const TrainEvents& events = {});

struct TrainFiles {
  std::vector<std::string> files;
  std::vector<std::string> dev;  // may be empty
};
// Checks the options before it reads anything. Throws InputError for invalid files.
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::factors
