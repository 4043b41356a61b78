#include "trellis/solve/measures/pairwise_measure_argmax.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/base/error.h"

namespace trellis {

void PairwiseMeasureArgmax::set_problem(const PairwiseMeasureProblem& problem) {
  if (!(problem.gamma >= 0) || !std::isfinite(problem.gamma)) {
    throw UsageError("the scale of a measure must be a finite number ≥ 0");
  }
  if (problem.measure.kind == SetMeasure::Kind::kFBeta &&
      (!(problem.measure.beta > 0) || !std::isfinite(problem.measure.beta))) {
    throw UsageError("F_beta needs a finite beta > 0");
  }
  problem_ = problem;
  cuts_.set_problem(problem.unary, problem.pairs, problem.coupling, problem.truth);
  const Index labels = cuts_.num_labels();
  set_.assign(labels, 0);
  trial_.resize(labels);
  counted_ = {};
}

double PairwiseMeasureArgmax::tolerance() const {
  return 1e-11 * (problem_.gamma + cuts_.size());
}

bool PairwiseMeasureArgmax::is_linear() const {
  return problem_.gamma == 0 || problem_.measure.kind == SetMeasure::Kind::kHamming ||
         (problem_.measure.kind == SetMeasure::Kind::kRecall && cuts_.num_true() > 0);
}

double PairwiseMeasureArgmax::reward(Index k) const {
  return problem_.gamma * problem_.measure.reward(k, cuts_.num_true(), cuts_.num_labels());
}

double PairwiseMeasureArgmax::loss(const CountedSet& set) const {
  return problem_.gamma * problem_.measure.loss({set.hits, set.hits + set.others, cuts_.num_true(),
                                                 cuts_.num_labels()});
}

void PairwiseMeasureArgmax::write(std::vector<Label>& y) const {
  y.assign(set_.begin(), set_.end());
}

PairwiseMeasureAnswer PairwiseMeasureArgmax::algorithm5(std::vector<Label>& y) {
  PairwiseMeasureAnswer answer;
  num_cuts_ = 0;
  steps_.clear();
  sets_.clear();
  if (is_linear()) {
    answer = solve_linear();
  } else if (cuts_.num_true() == 0) {
    answer = solve_empty_truth();
  } else {
    descend();
    const Step& widest = steps_.front();  // of s_V: r(V) is the least
    const double most = widest.set.score + widest.alpha * static_cast<double>(widest.set.hits);
    answer.value = value(counted_);
    answer.bound = std::max(answer.value, problem_.gamma + most);
    answer.proven = answer.bound <= answer.value + tolerance();
    answer.cuts = num_cuts_;
  }
  write(y);
  return answer;
}

// From k = V down by k ← |y_k|. The empty set is what is left where even y_1 is empty.
void PairwiseMeasureArgmax::descend() {
  const Index labels = cuts_.num_labels();
  for (Index k = labels; k > 0;) {
    const double alpha = -reward(k);
    counted_ = cuts_.maximize(alpha, 0, set_);
    ++num_cuts_;
    steps_.push_back({alpha, counted_, sets_.size()});
    sets_.insert(sets_.end(), set_.begin(), set_.end());
    const Index size = counted_.hits + counted_.others;
    if (size >= k) break;  // rounding aside, equal: y_k is below the y of the k before
    k = size;
  }
}

// Hamming: γ (p + k − 2h)/V; recall: γ (1 − h/p).
PairwiseMeasureAnswer PairwiseMeasureArgmax::solve_linear() {
  double alpha = 0, mu = 0;
  if (problem_.gamma > 0 && problem_.measure.kind == SetMeasure::Kind::kHamming) {
    mu = problem_.gamma / static_cast<double>(cuts_.num_labels());
    alpha = -mu;
  } else if (problem_.gamma > 0) {
    alpha = -reward(1);
  }
  counted_ = cuts_.maximize(alpha, mu, set_);
  const double best = value(counted_);
  return {best, best, true, 1, 0};
}

// γ + the best non-empty set, or 0.
PairwiseMeasureAnswer PairwiseMeasureArgmax::solve_empty_truth() {
  counted_ = cuts_.maximize(0, 0, set_);
  num_cuts_ = 1;
  if (counted_.others == 0) best_with_each_label();
  if (value(counted_) <= 0) {
    std::fill(set_.begin(), set_.end(), std::uint8_t{0});
    counted_ = {};
  }
  const double best = value(counted_);
  return {best, best, true, num_cuts_, 0};
}

// No set has a positive score here, so one that holds v has at most a_v + Σ_w A_vw.
void PairwiseMeasureArgmax::best_with_each_label() {
  double best = -problem_.gamma;  // a score that is worse than the empty set's value
  for (Index v = 0; v < cuts_.num_labels(); ++v) {
    double most = cuts_.unary()[v];
    for (const std::uint32_t p : cuts_.pairs_of(v)) most += cuts_.coupling()[p];
    if (most <= best) continue;
    cuts_.push();
    cuts_.fix(v, true);
    const CountedSet found = cuts_.maximize(0, 0, trial_);
    ++num_cuts_;
    cuts_.pop();
    if (found.score <= best) continue;
    best = found.score;
    counted_ = found;
    set_.swap(trial_);
  }
}

bool PairwiseMeasureArgmax::algorithm6(Index& cuts) {
  if (is_linear() || cuts_.num_true() == 0) return true;
  const Index labels = cuts_.num_labels();
  const Index k = counted_.hits + counted_.others;
  const bool none = problem_.measure.kind == SetMeasure::Kind::kPrecision && k == 0;
  const double at_k = reward(none ? 1 : k);
  const double epsilon = at_k - reward(labels);
  const auto weighed = [&](const CountedSet& set) {
    return set.score - at_k * static_cast<double>(set.hits);  // s_k
  };
  const double most = weighed(counted_) - epsilon * static_cast<double>(cuts_.num_true());
  bool certified = true;
  cuts_.push();
  for (Index v = 0; v < labels; ++v) {
    if (set_[v] != 0) cuts_.fix(v, true);
  }
  for (Index v = 0; v < labels && certified; ++v) {
    if (set_[v] != 0) continue;
    cuts_.push();
    cuts_.fix(v, true);
    certified = weighed(cuts_.maximize(-at_k, 0, trial_)) <= most;
    ++cuts;
    cuts_.pop();
  }
  cuts_.pop();
  return certified;
}

PairwiseMeasureAnswer PairwiseMeasureArgmax::exact(const PairwiseSearchLimits& limits,
                                                   std::vector<Label>& y) {
  const PairwiseMeasureAnswer start = algorithm5(y);
  return improve(start, limits, y);
}

PairwiseMeasureAnswer PairwiseMeasureArgmax::improve(const PairwiseMeasureAnswer& start,
                                                     const PairwiseSearchLimits& limits,
                                                     std::vector<Label>& y) {
  PairwiseMeasureAnswer answer = start;
  if (answer.proven) return answer;
  fill_gains();
  cuts_.push();
  for (Index v = 0; v < set_.size(); ++v) {
    if (set_[v] != 0) cuts_.fix(v, true);
  }
  search_.begin(cuts_, gains_, cuts_.num_labels() - cuts_.num_true() + 1, tolerance(), limits);
  for (const Step& step : steps_) {
    search_.add_cut(step.alpha, 0, std::span(sets_).subspan(step.at, set_.size()), step.set);
  }
  const double bound = search_.run();
  cuts_.pop();
  set_.assign(search_.best_set().begin(), search_.best_set().end());
  counted_ = cuts_.count(set_);
  answer.value = search_.best();
  answer.bound = std::max(answer.value, std::min(answer.bound, bound));
  answer.proven = answer.bound <= answer.value + tolerance();
  answer.cuts += search_.num_cuts();
  answer.subproblems = search_.num_subproblems();
  write(y);
  return answer;
}

void PairwiseMeasureArgmax::fill_gains() {
  const Index num_true = cuts_.num_true(), num_others = cuts_.num_labels() - num_true;
  gains_.resize((num_true + 1) * (num_others + 1));
  for (Index h = 0; h <= num_true; ++h) {
    for (Index f = 0; f <= num_others; ++f) gains_[h * (num_others + 1) + f] = loss({0, h, f});
  }
}

}  // namespace trellis
