// Training a ranker: graded documents in, a model out.
//
//   queries → features → subsets of documents → matchings with positions → fit() → RankModel
//
// The objective is λ/2 ‖w‖² + (1/n) Σ_i L_i(w) over n subsets, with scores c_j ⟨ψ_i, w⟩ of document
// i at position j (problem/ranking_model.h). Two losses have names of their own:
//
//   map         RankMatch: L = −log p(the true order), exact over all M! orders  (eqs. 5.2–5.4)
//   max-margin  DORM (Le & Smola 2007): the margin loss with the cost 1 − NDCG, by assignment
//
// Settings are chosen by the figure `select` on held-out queries: of the dev set, or of K folds of
// the training queries (whole queries: no query is on both sides), each with features of its own,
// after which all queries are trained on. Where there are such and nothing is said of λ, it is
// among what is chosen.
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
  std::optional<Estimator> estimator;  // the loss by its other name

  Normalization normalization = Normalization::kZscore;
  Expansion expansion;
  // In its place: the best of these on held-out queries, as settings are chosen. Not of fewer than
  // ten queries.
  std::vector<Expansion> race = {};
  SubsetOptions subsets;  // its seed is that of `training`
  Selection select;
  Ndcg ndcg = Ndcg::kStandard;  // of the selection, of dev figures, and of the cost
  Empty empty = Empty::kZero;
};

// Expansions that are worth a try where nothing is said: none, piecewise linear, trees.
std::vector<Expansion> standard_race();

// What will be done, before any data is there. Throws UsageError for options that do not fit
// together.
struct Plan {
  LearnerChoice choice;
  TrainingOptions training;  // with the dials that will be chosen
};
Plan plan(const TrainOptions& options, bool has_dev);

struct TrainResult {
  Learned learned;
  Index queries = 0;
  Index documents = 0;
  Index silent_queries = 0;  // without documents of two grades: nothing to learn from
  Index features = 0;
  Index weights = 0;
  Index subset_size = 0;
  Index subsets = 0;
  double lambda = 0;              // 0: something else holds the weights, or nothing
  std::optional<RankScores> dev;  // of the dev set
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
};

struct Trained {
  std::optional<RankModel> model;  // none where training was interrupted
  TrainResult result;
};

// Throws UsageError for options that do not fit together or to the data, InputError for data that
// say nothing. A checkpoint stays until the model is written: result.learned.stages->discard().
Trained train(const RankData& data, const RankData* dev, const TrainOptions& said,
              const TrainEvents& events = {});

struct TrainFiles {
  std::vector<std::string> files;
  std::string dev;  // empty: none
};
// The same from files; options that do not fit are refused before one is read.
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::rank
