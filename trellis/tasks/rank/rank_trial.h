// Training queries as a part model, and held-out queries for evaluation.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/formats/queries/query_reader.h"
#include "trellis/frame/training/training.h"
#include "trellis/problem/ranking_model.h"
#include "trellis/tasks/rank/rank_features.h"
#include "trellis/tasks/rank/rank_metrics.h"
#include "trellis/tasks/rank/train.h"

namespace trellis::rank {

class RankTrial final : public Trial {
 public:
  // Learns the features from `seen` and draws its subsets. `threads` is for the evaluation.
  // `options` must outlive the object. Throws UsageError if the choice requires sums over too many
  // orders, and InputError (naming `file`) if no query has documents of two grades.
  RankTrial(const TrainOptions& options, const LearnerChoice& choice, const std::string& file,
            std::span<const Query> seen, std::span<const Query> held_out, int threads);
  RankTrial(const RankTrial&) = delete;
  RankTrial& operator=(const RankTrial&) = delete;

  const RankFeatures& features() const { return features_; }
  Index num_subsets() const { return model_.num_examples(); }
  RankScores scores(std::span<const double> w) const;  // on held-out queries

  Index dimension() const override { return features_.dimension(); }
  Fitted fit(const FitCall& call) const override;
  std::vector<double> tally(std::span<const double> w) const override;
  bool means_the_same() const override { return false; }  // each has its own scales and bins

 private:
  struct HeldOut {
    std::string id;
    std::vector<Grade> grades;
    Index first_row;
  };

  const TrainOptions& options_;
  int threads_;
  RankedLists lists_;  // until they are moved to model_
  RankFeatures features_;
  FeatureRows rows_;
  RankingModel model_;
  FeatureRows held_out_rows_;
  std::vector<HeldOut> held_out_;
};

}  // namespace trellis::rank
