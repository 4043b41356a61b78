// Trains a ranker on graded documents.
//
//   queries → features → subsets of documents → matchings with positions → fit() → RankModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ_i L_i(w) over n subsets; document i at position j has the
// score c_j ⟨ψ_i, w⟩ (problem/ranking_model.h). Two losses have names of their own:
//
//   map         RankMatch: L = −log p(the true order), exact over all M! orders  (eqs. 5.2–5.4)
//   max-margin  DORM (Le & Smola 2007): the margin loss with the cost 1 − NDCG, by assignment
//
// Settings are chosen by the metric `select` on held-out queries: on the dev set, or in K folds of
// the training queries (whole queries), each with features of its own; then the model is trained on
// all queries. If there are held-out queries and λ is not given, λ is chosen, too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/fit/choose.h"
#include "trellis/formats/queries/query_reader.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/rank/rank_features.h"
#include "trellis/tasks/rank/rank_metrics.h"
#include "trellis/tasks/rank/rank_model.h"
#include "trellis/tasks/rank/subsets.h"

namespace trellis::rank {

const TaskDefaults& defaults();
Able able();

enum class Estimator { kMap, kMaxMargin };
constexpr auto names_of(Estimator) {
  return Names{"estimator", "map", "max-margin"};
}

struct TrainOptions {
  TrainingOptions training;
  std::optional<Estimator> estimator;  // another name for the loss

  Normalization normalization = Normalization::kZscore;
  Expansion expansion;
  // If not empty, replaces `expansion`: the best of these on held-out queries, chosen like
  // settings. Requires at least ten queries.
  std::vector<Expansion> race = {};
  SubsetOptions subsets;  // with the seed of `training`
  Selection select;
  Ndcg ndcg = Ndcg::kStandard;  // for selection, dev metrics and the cost
  Empty empty = Empty::kZero;
};

// The expansions that are compared by default: none, piecewise linear, trees.
std::vector<Expansion> standard_race();

// The planned training; requires no data. Throws UsageError for options that do not fit together.
struct Plan {
  LearnerChoice choice;
  TrainingOptions training;  // with the hyperparameters to choose
};
Plan plan(const TrainOptions& options, bool has_dev);

struct TrainResult {
  Learned learned;
  Index queries = 0;
  Index documents = 0;
  Index silent_queries = 0;  // with a single grade: not used
  Index features = 0;
  Index weights = 0;
  Index subset_size = 0;
  Index subsets = 0;
  double lambda = 0;              // 0: not regularised by λ
  std::optional<RankScores> dev;  // on the dev set
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
};

struct Trained {
  std::optional<RankModel> model;  // empty if interrupted
  TrainResult result;
};

// Throws UsageError for options that do not fit each other or the data, InputError for data without
// information. After writing the model, the caller calls result.learned.stages->discard().
Trained train(const RankData& data, const RankData* dev, const TrainOptions& said,
              const TrainEvents& events = {});

struct TrainFiles {
  std::vector<std::string> files;
  std::string dev;  // empty: none
};
// The same from files; checks the options before it reads anything.
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::rank
