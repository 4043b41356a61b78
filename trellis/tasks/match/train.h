// Training a matcher: from graphs or pairs of shapes to a model file.
//
//   files → edge features → graphs → oracle → learner → model
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w) (Petterson 2011, 5.4). With the MAP estimator L_i is
// the negative log-likelihood of the true matching among all that cover the smaller side; with the
// max-margin estimator the margin loss with the share of wrong nodes for cost.
//
// λ is given, or chosen from several by the Hamming error on held-out data or in cross-validation;
// of equally good ones the largest.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/tasks/match/match_data.h"
#include "trellis/tasks/match/match_model.h"
#include "trellis/tasks/match/match_scores.h"

namespace trellis::match {

enum class Learner { kAutomatic, kBmrm, kBcfw, kLbfgs, kSgd };

std::string_view to_string(Learner learner);
Learner parse_learner(std::string_view name);  // throws UsageError

// What makes the root mean square of features 1 over the training edges, while weights are learned.
enum class Normalize {
  kAutomatic,  // common for shapes, whose bins have one unit; each for graphs
  kEach,       // a number for each feature
  kCommon,     // one for all
  kNone,
};

std::string_view to_string(Normalize normalize);
Normalize parse_normalize(std::string_view name);  // throws UsageError

struct TrainOptions {
  std::vector<std::string> files;  // graph files, or lists of pairs
  bool pairs = false;              // they are lists of pairs
  std::vector<std::string>
      dev;            // chooses λ where there are several, and is tested on; may be empty
  std::string model;  // where the model goes; empty: nowhere

  Estimator estimator = Estimator::kMaxMargin;
  Cover cover = Cover::kPerfect;
  ContextOptions contexts;
  Normalize normalize = Normalize::kAutomatic;
  std::vector<double> lambdas;  // several: one is chosen; empty: a grid, or 1e-3
  // Of cross-validation. 0: none, unless there are 5 examples or more of max-margin, and neither λ
  // nor a dev set: then 5.
  Index folds = 0;

  Learner learner = Learner::kAutomatic;  // bmrm for max-margin, lbfgs for MAP, sgd with draws
  Index draws = 0;                        // MAP: draws for a gradient; 0: exact sums
  Index epochs = 0;                       // at most; 0: the learner's own default
  double gap = 0;  // stop when the certified relative gap is below this; 0: the default
  double eta = 0;  // sgd: learning rate; 0: chosen
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores

  std::string checkpoint;  // where the state goes on an interruption; empty: nowhere
  bool resume = false;     // continue from `checkpoint`
};

struct TrainEvents {
  std::function<void(const std::string& message)> on_phase;
  std::function<void(const EpochRecord& record)> on_epoch;
  std::stop_token stop;
};

// How well a λ does on held-out data.
struct LambdaFigure {
  double lambda = 0;
  double hamming = 0;  // in percent
};

// What a run by draws says of them, at the weights that it returns; zeros without draws.
struct DrawFigures {
  Index draws = 0;            // of a gradient
  double acceptance = 0;      // accepted draws of those tried, of all examples together
  double gradient_norm = 0;   // of the estimated objective
  double gradient_error = 0;  // its standard error: √(Σ_k Var g_k)
};

struct TrainResult {
  LearnSummary summary;
  bool interrupted = false;  // then there is a checkpoint, and no model was written
  Learner learner = Learner::kAutomatic;
  Index examples = 0;
  Index nodes = 0;  // of the smaller sides
  Index edges = 0;
  Index weights = 0;
  double lambda = 0;
  std::vector<LambdaFigure> choices;  // where λ was chosen
  DrawFigures draws;
  std::optional<MatchScores> train;  // on what was learned from
  std::optional<MatchScores> dev;
  double read_seconds = 0;
  double choice_seconds = 0;
  double total_seconds = 0;

  nlohmann::json to_json() const;
};

// Throws UsageError for options that do not fit together, InputError for what is wrong with the
// files.
TrainResult train_matcher(const TrainOptions& options, const TrainEvents& events = {});

}  // namespace trellis::match
