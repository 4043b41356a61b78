// Ranks documents, and evaluates the rankings of graded documents: query by query from a file (the
// documents of a query must be consecutive; memory is constant except for the names of queries), or
// all at once from memory.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/queries/query.h"
#include "trellis/formats/queries/query_reader.h"
#include "trellis/formats/queries/score_reader.h"
#include "trellis/tasks/rank/rank_metrics.h"
#include "trellis/tasks/rank/rank_model.h"

namespace trellis::rank {

// The scores of all documents, query by query.
std::vector<std::vector<double>> score_queries(const RankModel& model,
                                               std::span<const Query> queries, int threads);

struct StreamOptions {
  int threads = 0;       // 0: all cores
  bool at_once = false;  // finish each query before the next is read
};

// Calls finish() for the queries of the reader in order. If the file is invalid, the queries before
// the error are finished first.
using FinishQuery = std::function<void(const Query& query, std::span<const double> scores)>;
void score_stream(const RankModel& model, QueryReader& reader, const StreamOptions& options,
                  const FinishQuery& finish);

// The output for a query.
enum class Rendering {
  kLines,   // query, rank, score and note of each document, in the order of the file
  kSorted,  // the same, sorted by rank
  kScores,  // only the score of each document, in the order of the file
  kJson,    // an object with its documents, sorted by rank
};
std::string render(const Query& query, std::span<const double> scores, Rendering rendering);

// Writes the output for each query of a file, graded or not.
void predict(const RankModel& model, InputFile file, Rendering rendering,
             const StreamOptions& options, const std::function<void(std::string_view text)>& write);

struct EvaluateOptions {
  Ndcg ndcg = Ndcg::kStandard;
  Empty empty = Empty::kZero;
  int threads = 0;  // 0: all cores
};
// Evaluates on a file, query by query; throws InputError if it has no queries.
RankScores evaluate(const RankModel& model, InputFile file, const EvaluateOptions& options);
RankScores evaluate(const RankModel& model, std::span<const Query> queries,
                    const EvaluateOptions& options);
// Evaluates scores of any program. Throws InputError if they do not match the documents.
RankScores evaluate(InputFile graded, ScoreReader scores, const EvaluateOptions& options);

}  // namespace trellis::rank
