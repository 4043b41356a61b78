#include "trellis/problem/labels/pairwise_label_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"

namespace trellis {
namespace {

constexpr double kRemainingSteps = 4294967296.0;  // 2³²

void require_label(std::uint32_t label, Index num_labels) {
  if (label >= num_labels) {
    throw UsageError(fmt::format("label {}: there are only {} labels", label, num_labels));
  }
}

}  // namespace

LabelPairs frequent_label_pairs(const LabelSetView& sets, Index num_labels, double fraction) {
  if (!(fraction >= 0 && fraction <= 1)) {
    throw UsageError(fmt::format("a share of the pairs of {}: expected 0 to 1", fraction));
  }
  std::unordered_map<std::uint64_t, std::uint64_t> counts;  // by v·V + w, v < w
  for (Index i = 0; i < sets.size(); ++i) {
    const auto set = sets[i];
    for (Index a = 0; a < set.size(); ++a) {
      require_label(set[a], num_labels);
      for (Index b = a + 1; b < set.size(); ++b) ++counts[set[a] * num_labels + set[b]];
    }
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order(counts.begin(), counts.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  const Index all = num_labels < 2 ? 0 : num_labels * (num_labels - 1) / 2;
  const auto wanted = static_cast<Index>(std::floor(fraction * static_cast<double>(all)));
  order.resize(std::min<Index>(order.size(), wanted));
  std::sort(order.begin(), order.end());
  LabelPairs pairs;
  for (const auto& [key, count] : order) {
    pairs.pairs.push_back({static_cast<std::uint32_t>(key / num_labels),
                           static_cast<std::uint32_t>(key % num_labels)});
    pairs.frequency.push_back(static_cast<double>(count) / static_cast<double>(sets.size()));
  }
  return pairs;
}

PairwiseLabelModel::PairwiseLabelModel(const FeatureRows& rows, const LabelSetView& sets,
                                       Index num_labels, LabelPairs pairs,
                                       const PairwiseLabelOptions& options)
    : rows_(&rows),
      num_labels_(num_labels),
      pairs_(std::move(pairs)),
      options_(options),
      structure_(num_labels, pairs_.pairs) {
  if (sets.size() != rows.num_rows()) {
    throw UsageError(
        fmt::format("{} instances with features and {} with labels", rows.num_rows(), sets.size()));
  }
  if (pairs_.frequency.size() != pairs_.pairs.size()) {
    throw UsageError("expected one frequency for each pair of labels");
  }
  for (const double frequency : pairs_.frequency) {
    if (!(frequency >= 0) || !std::isfinite(frequency)) {
      throw UsageError("how often labels occur together must be a finite number ≥ 0");
    }
  }
  if (!(options.coupling_scale >= 0) || !std::isfinite(options.coupling_scale)) {
    throw UsageError("the scale of the couplings must be a finite number ≥ 0");
  }
  gold_.assign(sets.size(), Output(num_labels, 0));
  for (Index i = 0; i < sets.size(); ++i) {
    for (const std::uint32_t label : sets[i]) {
      require_label(label, num_labels);
      gold_[i][label] = 1;
    }
  }
  nonnegative_[0] = {first_pair_weight(), dimension()};
}

std::vector<double> PairwiseLabelModel::couplings(std::span<const double> w) const {
  std::vector<double> couplings(pairs_.pairs.size());
  for (Index p = 0; p < couplings.size(); ++p) {
    couplings[p] = options_.coupling_scale * pairs_.frequency[p] * w[first_pair_weight() + p];
  }
  return couplings;
}

void PairwiseLabelModel::scores(Index i, std::span<const double> w, std::span<double> s) const {
  const Index labels = num_labels_;
  std::fill_n(s.begin(), labels, 0.0);
  double* const unary = s.data();
  rows_->for_each(i, [&](Index k, double x) {
    const double* const weights = w.data() + k * labels;
    for (Index v = 0; v < labels; ++v) unary[v] += x * weights[v];
  });
  for (Index p = 0; p < pairs_.pairs.size(); ++p) {
    s[labels + p] = options_.coupling_scale * pairs_.frequency[p] * w[first_pair_weight() + p];
  }
}

// Outputs differ from the truth in a few labels: those alone are touched where they are few.
void PairwiseLabelModel::add_features(Index i, std::span<const double> z, double scale,
                                      std::span<double> gradient) const {
  const Index labels = num_labels_;
  const auto changed = static_cast<Index>(std::count_if(
      z.begin(), z.begin() + static_cast<std::ptrdiff_t>(labels), [](double x) { return x != 0; }));
  if (changed > labels / 4) {
    rows_->for_each(i, [&](Index k, double x) {
      double* const row = gradient.data() + k * labels;
      const double factor = scale * x;
      for (Index v = 0; v < labels; ++v) row[v] += factor * z[v];
    });
  } else {
    for (Index v = 0; v < labels; ++v) {
      if (z[v] == 0) continue;
      double* const column = gradient.data() + v;
      rows_->for_each(i, [&](Index k, double x) { column[k * labels] += scale * x * z[v]; });
    }
  }
  for (Index p = 0; p < pairs_.pairs.size(); ++p) {
    gradient[first_pair_weight() + p] +=
        scale * options_.coupling_scale * pairs_.frequency[p] * z[labels + p];
  }
}

void PairwiseLabelModel::features(Index i, std::span<const double> z, double scale, Workspace&,
                                  SparseVector& slope) const {
  const Index labels = num_labels_;
  slope.clear();
  rows_->for_each(i, [&](Index k, double x) {
    const std::span<double> row = slope.append(k * labels, labels);
    for (Index v = 0; v < labels; ++v) row[v] = scale * x * z[v];
  });
  if (pairs_.pairs.empty()) return;
  const std::span<double> row = slope.append(first_pair_weight(), pairs_.pairs.size());
  for (Index p = 0; p < row.size(); ++p) {
    row[p] = scale * options_.coupling_scale * pairs_.frequency[p] * z[labels + p];
  }
}

PairwiseMeasureProblem PairwiseLabelModel::problem(Index i, double gamma,
                                                   std::span<const double> s) const {
  return {s.first(num_labels_), pairs_.pairs, s.subspan(num_labels_, pairs_.pairs.size()), gold_[i],
          options_.measure,     gamma};
}

PairwiseMeasureAnswer PairwiseLabelModel::generate(Index i, double gamma, std::span<const double> s,
                                                   Workspace& workspace, Output& y) const {
  PairwiseMeasureArgmax& argmax = workspace.argmax;
  argmax.set_problem(problem(i, gamma, s));
  PairwiseMeasureAnswer answer = argmax.algorithm5(y);
  if (options_.count_certified && argmax.algorithm6(answer.cuts)) {
    counters_.certified.fetch_add(1, std::memory_order_relaxed);
  }
  if (options_.generator == PairwiseGenerator::kExact) {
    const double start = answer.value;
    answer = argmax.improve(answer, options_.limits, y);
    if (answer.value > start + argmax.tolerance()) {
      counters_.improved.fetch_add(1, std::memory_order_relaxed);
    }
  }
  return answer;
}

double PairwiseLabelModel::upper(const PairwiseMeasureAnswer& answer) {
  return answer.proven ? answer.value : std::max(answer.value, answer.bound);
}

double PairwiseLabelModel::search_augmented(Index i, double gamma, std::span<const double> s,
                                            PairwiseLabelScratch&, Workspace& workspace,
                                            Output& y) const {
  PairwiseMeasureAnswer answer = generate(i, gamma, s, workspace, y);
  prefer_truth(i, s, workspace.argmax, answer, y);
  count(answer);
  return answer.value;
}

MaximumBounds PairwiseLabelModel::bound_augmented(Index i, double gamma, std::span<const double> s,
                                                  PairwiseLabelScratch&, Workspace& workspace,
                                                  Output& y) const {
  PairwiseMeasureAnswer answer = generate(i, gamma, s, workspace, y);
  PairwiseMeasureAnswer bounded = answer;
  if (options_.generator == PairwiseGenerator::kAlgorithm5 && !answer.proven) {
    workspace.output = y;
    bounded = workspace.argmax.improve(answer, options_.limits, workspace.output);
  }
  prefer_truth(i, s, workspace.argmax, answer, y);
  count(answer);
  return {answer.value, std::max(answer.value, upper(bounded))};
}

// The loss is ≥ 0 by y_i itself, and the cut of anything below that would not touch it.
void PairwiseLabelModel::prefer_truth(Index i, std::span<const double> s,
                                      const PairwiseMeasureArgmax& argmax,
                                      PairwiseMeasureAnswer& answer, Output& y) const {
  const double truth = structure_.score(s, gold_[i]);
  if (!(truth > answer.value)) return;
  answer.value = truth;
  answer.bound = std::max(answer.bound, truth);
  answer.proven = answer.bound <= truth + argmax.tolerance();
  y = gold_[i];
}

void PairwiseLabelModel::count(const PairwiseMeasureAnswer& answer) const {
  const auto order = std::memory_order_relaxed;
  counters_.calls.fetch_add(1, order);
  counters_.cuts.fetch_add(answer.cuts, order);
  counters_.subproblems.fetch_add(answer.subproblems, order);
  if (answer.proven) {
    counters_.proven.fetch_add(1, order);
  } else {
    const double steps = std::ceil((answer.bound - answer.value) * kRemainingSteps);
    counters_.remaining.fetch_add(static_cast<std::uint64_t>(std::min(steps, 0x1p60)), order);
  }
}

PairwiseStatistics PairwiseLabelModel::statistics() const {
  return {counters_.calls,
          counters_.certified,
          counters_.improved,
          counters_.proven,
          counters_.cuts,
          counters_.subproblems,
          static_cast<double>(counters_.remaining.load()) / kRemainingSteps};
}

void PairwiseLabelModel::reset_statistics() {
  for (std::atomic<std::uint64_t>* counter :
       {&counters_.calls, &counters_.certified, &counters_.improved, &counters_.proven,
        &counters_.cuts, &counters_.subproblems, &counters_.remaining}) {
    counter->store(0);
  }
}

LossBounds PairwiseLabelModel::loss_bounds(Index i, double gamma, std::span<const double> w,
                                           const PairwiseSearchLimits& limits,
                                           Workspace& workspace) const {
  workspace.scores.resize(structure_.num_parts());
  const std::span<double> s = workspace.scores;
  scores(i, w, s);
  workspace.argmax.set_problem(problem(i, gamma, s));
  const PairwiseMeasureAnswer answer = workspace.argmax.exact(limits, workspace.output);
  const double truth = structure_.score(s, gold_[i]);
  const double value = std::max(0.0, answer.value - truth);
  return {value, std::max(value, upper(answer) - truth)};
}

RiskBounds PairwiseLabelModel::risk_bounds(double gamma, std::span<const double> w,
                                           const PairwiseSearchLimits& limits, int threads) const {
  if (gold_.empty()) throw UsageError("there are no instances to bound a risk of");
  threads = resolve_threads(threads);
  std::vector<Workspace> workspaces(static_cast<Index>(threads));
  std::array<double, 3> sums{};
  parallel_sum(num_examples(), threads, sums,
               [&](Index begin, Index end, int worker, std::span<double> partial) {
                 Workspace& own = workspaces[static_cast<Index>(worker)];
                 for (Index i = begin; i < end; ++i) {
                   const LossBounds loss = loss_bounds(i, gamma, w, limits, own);
                   partial[0] += loss.value;
                   partial[1] += loss.upper;
                   partial[2] += loss.upper == loss.value ? 1 : 0;
                 }
                 return 0.0;
               });
  const auto n = static_cast<double>(num_examples());
  return {sums[0] / n, sums[1] / n, sums[2] / n};
}

}  // namespace trellis
