// Ranking documents, and judging that where they are graded: query by query from a file, in
// constant memory but for the names of the queries (the documents of each must stand together), or
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

// Calls finish() for the queries of the reader in their order. Where the file is wrong, the queries
// before that are finished first.
using FinishQuery = std::function<void(const Query& query, std::span<const double> scores)>;
void score_stream(const RankModel& model, QueryReader& reader, const StreamOptions& options,
                  const FinishQuery& finish);

// What is written of a query.
enum class Rendering {
  kLines,   // query, rank, score and note of each document, in the order of the file
  kSorted,  // the same by rank
  kScores,  // the score alone of each document, in the order of the file
  kJson,    // an object, its documents by rank
};
std::string render(const Query& query, std::span<const double> scores, Rendering rendering);

// Writes what is rendered of each query of a file, graded or not.
void predict(const RankModel& model, InputFile file, Rendering rendering,
             const StreamOptions& options, const std::function<void(std::string_view text)>& write);

struct EvaluateOptions {
  Ndcg ndcg = Ndcg::kStandard;
  Empty empty = Empty::kZero;
  int threads = 0;  // 0: all cores
};
// Of a file, query by query; throws InputError if it has none.
RankScores evaluate(const RankModel& model, InputFile file, const EvaluateOptions& options);
RankScores evaluate(const RankModel& model, std::span<const Query> queries,
                    const EvaluateOptions& options);
// Of scores that anybody gave. Throws InputError where they do not fit the documents.
RankScores evaluate(InputFile graded, ScoreReader scores, const EvaluateOptions& options);

}  // namespace trellis::rank
