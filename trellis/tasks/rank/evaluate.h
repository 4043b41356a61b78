// How well a model ranks graded documents.
#pragma once

#include <span>

#include "trellis/base/input_file.h"
#include "trellis/tasks/rank/query.h"
#include "trellis/tasks/rank/rank_metrics.h"
#include "trellis/tasks/rank/rank_model.h"

namespace trellis::rank {

struct EvaluateOptions {
  Ndcg ndcg = Ndcg::kStandard;
  Empty empty = Empty::kZero;
  int threads = 0;  // 0: all cores
};

// Of a file, query by query; throws InputError if it has none.
RankScores evaluate(const RankModel& model, InputFile file, const EvaluateOptions& options);
RankScores evaluate(const RankModel& model, std::span<const Query> queries,
                    const EvaluateOptions& options);

}  // namespace trellis::rank
