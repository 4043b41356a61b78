// Training a ranker: from files of graded documents to a model file.
//
//   files → queries → features → subsets of documents → matchings with positions → oracle → learner
//
// The objective is λ/2 ‖w‖² + (1/n) Σ_i L_i(w) over n subsets, with scores c_j ⟨ψ_i, w⟩ of document
// i at position j (problem/ranking_model.h):
//
//   map         RankMatch: L = −log p(the true order), exact over all M! orders  (eqs. 5.2–5.4)
//   max-margin  DORM (Le & Smola 2007): the margin loss with the cost 1 − NDCG, by assignment
//
// λ is chosen among those given by the figure `select` on held-out queries: of the dev file, or of
// K folds of the training queries (whole queries: no query is on both sides), after which all
// queries are trained on.
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
#include "trellis/tasks/rank/rank_features.h"
#include "trellis/tasks/rank/rank_metrics.h"
#include "trellis/tasks/rank/subsets.h"

namespace trellis::rank {

enum class Estimator { kMap, kMaxMargin };
std::string_view to_string(Estimator estimator);   // "map", "max-margin"
Estimator parse_estimator(std::string_view name);  // throws UsageError

enum class Learner { kLbfgs, kBmrm, kBcfw };
std::string_view to_string(Learner learner);
Learner parse_learner(std::string_view name);  // throws UsageError

// Those to choose from where none is given.
std::vector<double> default_lambdas();

struct TrainOptions {
  std::vector<std::string> files;
  std::string dev;    // to choose λ by; empty: none
  std::string model;  // where the model goes; empty: nowhere

  Normalization normalization = Normalization::kZscore;
  Expansion expansion;
  SubsetOptions subsets;  // its seed is `seed`

  Estimator estimator = Estimator::kMap;
  std::optional<Learner> learner;  // not given: lbfgs for map, bmrm for max-margin
  std::optional<double> gamma;     // scale of the cost; not given: 0 for map, 1 for max-margin
  std::vector<double> lambdas;     // empty: default_lambdas() with dev or folds, else kLambda
  Index folds = 0;                 // of a cross-validation; 0: none
  Selection select;
  Ndcg ndcg = Ndcg::kStandard;  // of the selection, of dev figures, and of the cost
  Empty empty = Empty::kZero;

  Index epochs = 1000;
  std::optional<double> gap;  // relative, certified; not given: 1e-6 for map, 1e-4 for max-margin
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores

  std::string checkpoint;  // where the state goes on an interruption; empty: nowhere
  bool resume = false;     // continue from `checkpoint`

  static constexpr double kLambda = 0.1;
};

// Who is told what, while it happens. Every function may be empty.
struct TrainEvents {
  std::function<void(const std::string& message)> on_phase;
  std::function<void(const EpochRecord& record)> on_epoch;
  std::stop_token stop;
};

struct TrainResult {
  struct Choice {
    double lambda;
    double figure;  // on the held-out queries
  };

  LearnSummary summary;      // of the run whose weights were kept
  bool interrupted = false;  // then there is a checkpoint, and no model was written
  Index queries = 0;
  Index documents = 0;
  Index silent_queries = 0;  // without documents of two grades: nothing to learn from
  Index features = 0;
  Index weights = 0;
  Index subset_size = 0;
  Index subsets = 0;
  double lambda = 0;
  std::vector<Choice> choices;    // by falling λ; empty where there was nothing to choose by
  std::optional<RankScores> dev;  // of the dev file
  double read_seconds = 0;
  double total_seconds = 0;

  nlohmann::json to_json() const;
};

// Throws UsageError for options that do not fit together, InputError for what is wrong with the
// files.
TrainResult train_ranker(const TrainOptions& options, const TrainEvents& events = {});

}  // namespace trellis::rank
