#include "trellis/tasks/rank/evaluate.h"

#include <utility>

#include "trellis/tasks/rank/predict.h"

namespace trellis::rank {

RankScores evaluate(const RankModel& model, InputFile file, const EvaluateOptions& options) {
  QueryReader reader(std::move(file));
  RankScores found(options.ndcg, options.empty);
  score_stream(model, reader, {options.threads},
               [&](const Query& query, std::span<const double> scores) {
                 found.add(query.id, query.grades, scores);
               });
  if (found.queries().empty()) reader.refuse_empty();
  return found;
}

RankScores evaluate(const RankModel& model, std::span<const Query> queries,
                    const EvaluateOptions& options) {
  RankScores found(options.ndcg, options.empty);
  const auto scores = score_queries(model, queries, options.threads);
  for (Index q = 0; q < queries.size(); ++q) found.add(queries[q].id, queries[q].grades, scores[q]);
  return found;
}

}  // namespace trellis::rank
