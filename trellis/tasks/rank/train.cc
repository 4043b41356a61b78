#include "trellis/tasks/rank/train.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/base/random.h"
#include "trellis/structure/permutation.h"
#include "trellis/tasks/learning_run.h"
#include "trellis/tasks/rank/query_reader.h"
#include "trellis/tasks/rank/rank_model.h"
#include "trellis/tasks/rank/run_learner.h"
#include "trellis/tasks/rank/stage_runs.h"

namespace trellis::rank {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kFoldStream = 0x666f6c64;  // keys of the random numbers

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::uint64_t digest(std::span<const Query> queries, std::uint64_t seed) {
  for (const Query& query : queries) {
    seed = XXH3_64bits_withSeed(query.id.data(), query.id.size(), seed);
    seed = XXH3_64bits_withSeed(query.grades.data(), query.grades.size(), seed);
    seed = XXH3_64bits_withSeed(query.begin.data(), query.begin.size() * sizeof(Index), seed);
    seed =
        XXH3_64bits_withSeed(query.values.data(), query.values.size() * sizeof(IndexedValue), seed);
  }
  return seed;
}

// Queries as an oracle's model sees them.
struct Problem {
  RankFeatures features;
  FeatureRows rows;
  std::unique_ptr<RankingModel> model;
};

std::unique_ptr<Problem> make_problem(const TrainOptions& options, std::span<const Query> queries,
                                      RankedLists lists) {
  auto problem = std::make_unique<Problem>();
  problem->features =
      RankFeatures::learn(queries, options.normalization, options.expansion, options.seed);
  problem->rows = problem->features.rows(queries);
  std::vector<double> gains;
  for (const Query& query : queries) {
    for (const Grade grade : query.grades) gains.push_back(gain(options.ndcg, grade));
  }
  Index longest = 0;
  for (Index i = 0; i < lists.size(); ++i) longest = std::max(longest, lists[i].size());
  if (options.estimator == Estimator::kMap && !Permutation(longest).has_sums()) {
    throw UsageError(fmt::format(
        "exact sums over the orders of {} documents are out of reach: --size at most {}, or "
        "--estimator max-margin",
        longest, kLargestPermanent));
  }
  std::vector<double> discounts;
  for (Index j = 1; j <= longest; ++j) discounts.push_back(discount(options.ndcg, j));
  problem->model = std::make_unique<RankingModel>(problem->rows, std::move(lists), std::move(gains),
                                                  std::move(discounts));
  return problem;
}

bool has_two_grades(const Query& query) {
  return std::any_of(query.grades.begin(), query.grades.end(),
                     [&](Grade grade) { return grade != query.grades.front(); });
}

class Training {
 public:
  Training(const TrainOptions& options, const TrainEvents& events)
      : options_(options), events_(events) {
    if (options_.files.empty()) throw UsageError("there is nothing to train on");
    require_cell(options_);
    lambdas_ = options_.lambdas;
    const bool chooses = !options_.dev.empty() || options_.folds > 0;
    if (lambdas_.empty())
      lambdas_ = chooses ? default_lambdas() : std::vector{TrainOptions::kLambda};
    // From the largest on, each starts where the one before it ended.
    std::sort(lambdas_.begin(), lambdas_.end(), std::greater<>());
    lambdas_.erase(std::unique(lambdas_.begin(), lambdas_.end()), lambdas_.end());
  }

  TrainResult run() {
    const Clock::time_point start = Clock::now();
    require_writable(options_.model);
    require_writable(options_.checkpoint);
    read();
    result_.read_seconds = seconds_since(start);
    start_runs();
    result_.interrupted = !learn();
    if (!result_.interrupted) {
      if (!options_.model.empty()) {
        RankModel(std::move(problem_->features), std::move(weights_), provenance())
            .write(options_.model);
      }
      runs_->discard_checkpoint();
    }
    result_.total_seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  void phase(const std::string& message) const {
    if (events_.on_phase) events_.on_phase(message);
  }

  void read() {
    for (const std::string& file : options_.files) {
      std::vector<Query> more = read_queries(file);
      std::move(more.begin(), more.end(), std::back_inserter(queries_));
    }
    result_.queries = queries_.size();
    for (const Query& query : queries_) {
      result_.documents += query.num_documents();
      if (!has_two_grades(query)) ++result_.silent_queries;
    }
    if (options_.folds > queries_.size()) {
      throw UsageError(
          fmt::format("{} folds need as many queries, not {}", options_.folds, queries_.size()));
    }
    std::string text =
        fmt::format("read {} queries, {} documents", result_.queries, result_.documents);
    if (result_.silent_queries > 0) {
      text += fmt::format(" ({} queries whose documents share one grade say nothing)",
                          result_.silent_queries);
    }
    phase(text);
    if (!options_.dev.empty()) held_out_ = read_queries(options_.dev);
  }

  // What must be the same for a checkpoint to fit this run.
  std::string signature() const {
    const SubsetOptions& subsets = options_.subsets;
    return fmt::format(
        "{} {} gamma={} lambdas={} normalize={} expand={} size={} fraction={} all={} position={} "
        "ties={} folds={} select={} ndcg={} empty={} epochs={} gap={} seed={} digest={:016x}",
        to_string(options_.estimator), to_string(resolve_learner(options_)),
        resolve_gamma(options_), fmt::join(lambdas_, ","), to_string(options_.normalization),
        options_.expansion.to_string(), subsets.size, subsets.fraction, subsets.all,
        to_string(subsets.position), to_string(subsets.ties), options_.folds,
        options_.select.name(), to_string(options_.ndcg), to_string(options_.empty),
        options_.epochs, resolve_gap(options_), options_.seed,
        digest(held_out_, digest(queries_, 0)));
  }

  void start_runs() {
    LearningRunOptions run_options;
    run_options.threads = options_.threads;
    run_options.certify = true;
    run_options.gap = resolve_gap(options_);
    run_options.seed = options_.seed;
    run_options.checkpoint = options_.checkpoint;
    run_options.resume = options_.resume;
    run_options.on_epoch = events_.on_epoch;
    run_options.stop = events_.stop;
    runs_ = std::make_unique<StageRuns>(std::move(run_options), signature());
  }

  RankedLists subsets(std::span<const Query> queries) const {
    SubsetOptions subsets = options_.subsets;
    subsets.size = resolve_size(options_.subsets, queries_);
    subsets.seed = options_.seed;
    return draw_subsets(queries, subsets, options_.files.front());
  }

  void set_problem(std::span<const Query> queries) {
    problem_ = make_problem(options_, queries, subsets(queries));
    weights_.assign(problem_->features.dimension(), 0.0);
  }

  bool minimize(double lambda) {
    return runs_->run(
        [&](std::span<double> w, const LearnControl& control) {
          return run_learner(options_, lambda, *problem_->model, w, control);
        },
        weights_, result_.summary);
  }

  RankScores scores_on(std::span<const Query> queries) const {
    return evaluate(problem_->features, weights_, queries, options_.ndcg, options_.empty,
                    options_.threads);
  }

  // False if it was interrupted.
  bool learn() {
    result_.lambda = lambdas_.front();
    if (options_.folds > 0 && !choose_by_folds()) return false;
    set_problem(queries_);
    result_.features = problem_->features.num_columns();
    result_.weights = weights_.size();
    result_.subset_size = resolve_size(options_.subsets, queries_);
    result_.subsets = problem_->model->num_examples();
    phase(fmt::format("{} subsets of {} documents, {} weights", result_.subsets,
                      result_.subset_size, result_.weights));
    return options_.dev.empty() ? minimize(result_.lambda) : choose_by_dev();
  }

  bool choose_by_dev() {
    std::vector<double> best_weights;
    LearnSummary best_summary;
    for (const double lambda : lambdas_) {
      if (!minimize(lambda)) return false;
      RankScores scores = scores_on(held_out_);
      const double figure = options_.select(scores);
      phase(fmt::format("lambda {:g}: {} {:.4f} on {}", lambda, options_.select.name(), figure,
                        options_.dev));
      const bool best = best_weights.empty() || figure > best_figure();
      result_.choices.push_back({lambda, figure});
      if (!best) continue;
      result_.lambda = lambda;
      result_.dev = std::move(scores);
      best_weights = weights_;
      best_summary = result_.summary;
    }
    weights_ = std::move(best_weights);
    result_.summary = std::move(best_summary);
    return true;
  }

  double best_figure() const {
    double best = result_.choices.front().figure;
    for (const TrainResult::Choice& choice : result_.choices) best = std::max(best, choice.figure);
    return best;
  }

  // The figure of a λ is that of all queries, each ranked by the model that has not seen it.
  bool choose_by_folds() {
    std::vector<RankScores> pooled(lambdas_.size(), RankScores(options_.ndcg, options_.empty));
    const std::vector<Index> order =
        random_permutation(queries_.size(), Random(options_.seed, 0, kFoldStream));
    for (Index fold = 0; fold < options_.folds; ++fold) {
      std::vector<Query> seen;
      std::vector<Query> unseen;
      for (Index q = 0; q < order.size(); ++q) {
        (q % options_.folds == fold ? unseen : seen).push_back(queries_[order[q]]);
      }
      set_problem(seen);
      for (Index k = 0; k < lambdas_.size(); ++k) {
        if (!minimize(lambdas_[k])) return false;
        const auto scores = score_queries(problem_->features, weights_, unseen, options_.threads);
        for (Index q = 0; q < unseen.size(); ++q) {
          pooled[k].add(unseen[q].id, unseen[q].grades, scores[q]);
        }
      }
      phase(fmt::format("fold {} of {}", fold + 1, options_.folds));
    }
    for (Index k = 0; k < lambdas_.size(); ++k) {
      result_.choices.push_back({lambdas_[k], options_.select(pooled[k])});
    }
    const auto best =
        std::max_element(result_.choices.begin(), result_.choices.end(),
                         [](const auto& a, const auto& b) { return a.figure < b.figure; });
    result_.lambda = best->lambda;
    phase(fmt::format("lambda {:g}: {} {:.4f} over {} folds", best->lambda, options_.select.name(),
                      best->figure, options_.folds));
    return true;
  }

  // How the model was made; nothing that differs between two runs of the same call.
  nlohmann::json provenance() const {
    nlohmann::json training;
    training["estimator"] = std::string(to_string(options_.estimator));
    training["learner"] = std::string(to_string(resolve_learner(options_)));
    training["gamma"] = resolve_gamma(options_);
    training["lambda"] = result_.lambda;
    training["position"] = std::string(to_string(options_.subsets.position));
    training["ties"] = std::string(to_string(options_.subsets.ties));
    training["size"] = result_.subset_size;
    training["subsets"] = result_.subsets;
    training["queries"] = result_.queries;
    training["documents"] = result_.documents;
    training["seed"] = options_.seed;
    put_provenance(result_.summary, training);
    if (!result_.choices.empty()) {
      training["selected_by"] = options_.select.name();
      training["selected_figure"] = best_figure();
    }
    return training;
  }

  const TrainOptions& options_;
  const TrainEvents& events_;
  std::vector<double> lambdas_;  // falling
  TrainResult result_;
  std::vector<Query> queries_;
  std::vector<Query> held_out_;
  std::unique_ptr<StageRuns> runs_;
  std::unique_ptr<Problem> problem_;
  std::vector<double> weights_;
};

}  // namespace

std::vector<double> default_lambdas() {
  return {10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.003};
}

nlohmann::json TrainResult::to_json() const {
  nlohmann::json json;
  put_summary(summary, {read_seconds, total_seconds}, json);
  json["queries"] = queries;
  json["documents"] = documents;
  json["silent_queries"] = silent_queries;
  json["features"] = features;
  json["weights"] = weights;
  json["size"] = subset_size;
  json["subsets"] = subsets;
  json["lambda"] = lambda;
  for (const Choice& choice : choices) {
    json["choices"].push_back({{"lambda", choice.lambda}, {"figure", choice.figure}});
  }
  if (dev) json["dev"] = dev->to_json(false);
  return json;
}

TrainResult train_ranker(const TrainOptions& options, const TrainEvents& events) {
  return Training(options, events).run();
}

}  // namespace trellis::rank
