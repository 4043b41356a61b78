#include "trellis/tasks/rank/predict.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/parallel.h"
#include "trellis/base/pipeline.h"
#include "trellis/data/json.h"

namespace trellis::rank {
namespace {

// Number of queries that are read, scored in parallel and written together.
constexpr Index kBatch = 512;

std::vector<QueryScorer> scorers_of(const RankModel& model, int count) {
  std::vector<QueryScorer> scorers;
  for (int k = 0; k < count; ++k) scorers.emplace_back(model.features(), model.weights());
  return scorers;
}

std::string render_json(const Query& query, std::span<const double> scores) {
  Value record;
  record["qid"] = query.id;
  record["ranking"] = Value::list();
  for (const Index d : ranking(scores)) {
    record["ranking"].push_back(
        Value::record({{"line", query.lines[d]}, {"score", scores[d]}, {"note", query.notes[d]}}));
  }
  return to_json(record, InvalidText::kReplace) + "\n";
}

}  // namespace

std::vector<std::vector<double>> score_queries(const RankModel& model,
                                               std::span<const Query> queries, int threads) {
  std::vector<std::vector<double>> scores(queries.size());
  std::vector<QueryScorer> scorers = scorers_of(model, resolve_threads(threads));
  parallel_for(queries.size(), resolve_threads(threads), [&](Index q, int worker) {
    scorers[static_cast<Index>(worker)].score(queries[q], scores[q]);
  });
  return scores;
}

void score_stream(const RankModel& model, QueryReader& reader, const StreamOptions& options,
                  const FinishQuery& finish) {
  Pipeline<Query> pipeline(options.at_once ? Pipeline<Query>::kAtOnce : kBatch, options.threads);
  std::vector<QueryScorer> scorers = scorers_of(model, pipeline.num_workers());
  std::vector<std::vector<double>> scores(pipeline.batch_size());
  pipeline.run([&](Query& query) { return reader.read(query); },
               [&](const Query& query, Index slot, int worker) {
                 scorers[static_cast<Index>(worker)].score(query, scores[slot]);
               },
               [&](const Query& query, Index slot) { finish(query, scores[slot]); });
}

std::string render(const Query& query, std::span<const double> scores, Rendering rendering) {
  if (rendering == Rendering::kJson) return render_json(query, scores);
  std::string text;
  if (rendering == Rendering::kScores) {
    for (const double score : scores) text += fmt::format("{:.9g}\n", score);
    return text;
  }
  const std::vector<Index> order = ranking(scores);
  std::vector<Index> place(order.size());
  for (Index j = 0; j < order.size(); ++j) place[order[j]] = j;
  for (Index k = 0; k < order.size(); ++k) {
    const Index d = rendering == Rendering::kSorted ? order[k] : k;
    text += fmt::format("{}\t{}\t{:.9g}\t{}\n", query.id, place[d] + 1, scores[d], query.notes[d]);
  }
  return text;
}

void predict(const RankModel& model, InputFile file, Rendering rendering,
             const StreamOptions& options,
             const std::function<void(std::string_view text)>& write) {
  QueryReader reader(std::move(file), false);
  score_stream(model, reader, options, [&](const Query& query, std::span<const double> scores) {
    write(render(query, scores, rendering));
  });
}

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

RankScores evaluate(InputFile graded, ScoreReader scores, const EvaluateOptions& options) {
  QueryReader reader(std::move(graded));
  RankScores found(options.ndcg, options.empty);
  Query query;
  std::vector<double> given;
  while (reader.read(query)) {
    scores.read(query, reader.name(), given);
    found.add(query.id, query.grades, given);
  }
  if (found.queries().empty()) reader.refuse_empty();
  scores.require_end();
  return found;
}

}  // namespace trellis::rank
