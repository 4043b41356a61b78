#include "trellis/generative/network/network_em.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/generative/network/estimation.h"
#include "trellis/generative/network/reduced_network.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

class NetworkEm {
 public:
  NetworkEm(std::shared_ptr<const NetworkGraph> graph, const NetworkData& data,
            const EmOptions& options)
      : graph_(std::move(graph)),
        data_(data.merged()),
        options_(options),
        memory_(static_cast<Index>(resolve_threads(options.threads))) {
    compile();
    count_known();
  }

  // p ∝ N + e, where e comes from the start's own random stream.
  std::vector<double> draw_start(Index start) const {
    Random random(options_.seed, start);
    std::vector<double> counts = known_;
    for (double& count : counts) count += -portable_log(1 - random.uniform());
    return log_proportions(graph_->distributions(), counts, 0);
  }

  // counts ← N; returns the log-likelihood.
  double expect(std::span<const double> theta, std::span<double> counts) {
    const auto body = [&](Index begin, Index end, int worker, std::span<double> partial) {
      double sum = 0;
      for (Index i = begin; i < end; ++i) {
        sum += expect_row(i, theta, memory_[static_cast<Index>(worker)], partial);
      }
      return sum;
    };
    return parallel_sum(data_.size(), static_cast<int>(memory_.size()), counts, body, buffers_);
  }

  double objective(double log_likelihood, std::span<const double> theta) const {
    if (options_.smoothing == 0) return log_likelihood;
    return log_likelihood + options_.smoothing * sum(theta);
  }

 private:
  struct Row {
    const ReducedNetwork* reduced;
    Index first_place;
  };
  struct Memory {
    std::vector<double> scores, marginals;
    JunctionTree::Scratch tree;
  };

  void compile() {
    std::map<std::vector<Index>, const ReducedNetwork*> known;
    std::vector<Index> missing;
    for (Index i = 0; i < data_.size(); ++i) {
      missing.clear();
      for (Index v = 0; v < data_.num_variables(); ++v) {
        if (data_.row(i)[v] == kNoLabel) missing.push_back(v);
      }
      const auto [found, is_new] = known.emplace(missing, nullptr);
      if (is_new) {
        reduced_.push_back(std::make_unique<ReducedNetwork>(*graph_, missing));
        found->second = reduced_.back().get();
      }
      rows_.push_back({found->second, places_.size()});
      places_.resize(places_.size() + found->second->num_families());
      found->second->locate(data_.row(i), std::span(places_).subspan(rows_.back().first_place));
    }
  }

  void count_known() {
    known_.assign(graph_->distributions().dimension(), 0.0);
    for (Index i = 0; i < rows_.size(); ++i) {
      rows_[i].reduced->add_observed(data_.row(i), data_.weight(i), known_);
    }
  }

  double expect_row(Index i, std::span<const double> theta, Memory& memory,
                    std::span<double> counts) const {
    const ReducedNetwork& reduced = *rows_[i].reduced;
    const auto places = std::span(places_).subspan(rows_[i].first_place, reduced.num_families());
    memory.scores.resize(reduced.plan().num_parts());
    memory.marginals.resize(reduced.plan().num_parts());
    reduced.scores(places, theta, memory.scores);
    const double evidence =
        reduced.observed_score(data_.row(i), theta) +
        reduced.structure().log_partition(memory.scores, memory.tree, memory.marginals);
    if (evidence == kImpossible) {
      throw UsageError(
          "a row has probability 0 under the starting point of expectation maximisation");
    }
    reduced.add_features(places, memory.marginals, data_.weight(i), counts);
    reduced.add_observed(data_.row(i), data_.weight(i), counts);
    return data_.weight(i) * evidence;
  }

  std::shared_ptr<const NetworkGraph> graph_;
  NetworkData data_;
  const EmOptions& options_;
  std::vector<std::unique_ptr<ReducedNetwork>> reduced_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> places_;
  std::vector<double> known_;  // counts of families that are complete
  std::vector<Memory> memory_;
  SumBuffers buffers_;
};

void require_options(const EmOptions& options) {
  if (!(options.smoothing >= 0)) throw UsageError("smoothing must not be negative");
  if (options.restarts == 0) throw UsageError("at least one start is needed");
  if (!(options.tolerance >= 0)) throw UsageError("the tolerance must not be negative");
}

// The result of one start.
struct Climb {
  std::vector<double> theta;
  double log_likelihood = -kInfinity;
  double objective = -kInfinity;
  bool converged = false;
  bool stopped = false;
};

Climb climb(NetworkEm& em, const Distributions& distributions, Index start,
            std::vector<double> theta, const EmOptions& options, const EmWatch& watch,
            std::vector<EmIteration>& history) {
  Climb result;
  std::vector<double> counts(theta.size());
  for (Index iteration = 1;; ++iteration) {
    const double log_likelihood = em.expect(theta, counts);
    const double objective = em.objective(log_likelihood, theta);
    history.push_back({start, iteration, log_likelihood, objective});
    const bool first = iteration == 1;
    result.converged =
        !first && objective - result.objective <= options.tolerance * std::abs(objective);
    if (first || objective >= result.objective) {
      result.theta = theta;
      result.log_likelihood = log_likelihood;
      result.objective = objective;
    }
    result.stopped = watch && !watch(history.back());
    if (result.converged || result.stopped || iteration > options.iterations) return result;
    theta = log_proportions(distributions, counts, options.smoothing);
  }
}

}  // namespace

EmResult maximise_expectation(std::shared_ptr<const NetworkGraph> graph, const NetworkData& data,
                              const EmOptions& options,
                              const std::optional<std::vector<double>>& first,
                              const EmWatch& watch) {
  require_options(options);
  data.require_fit(*graph);
  if (data.size() == 0) throw UsageError("there are no rows to learn from");
  if (first) BayesNetwork(graph, *first);  // validates `first`
  NetworkEm em(graph, data, options);
  std::vector<EmIteration> history;
  Climb best;
  Index best_start = options.first_start;
  bool stopped = false;
  for (Index k = 0; k < options.restarts && !stopped; ++k) {
    const Index start = options.first_start + k;
    Climb found =
        climb(em, graph->distributions(), start,
              start == 0 && first ? *first : em.draw_start(start), options, watch, history);
    stopped = found.stopped;
    if (k > 0 && found.objective <= best.objective) continue;
    best = std::move(found);
    best_start = start;
  }
  return {BayesNetwork(std::move(graph), std::move(best.theta)),
          best.log_likelihood,
          best.objective,
          best_start,
          best.converged,
          stopped,
          std::move(history)};
}

}  // namespace trellis
