#include "trellis/solve/matchings/k_best_fertility.h"

#include <algorithm>
#include <cmath>

namespace trellis {
namespace {

constexpr double kRounding = 1e-9;  // of distances, relative to the largest score

}  // namespace

void KBestFertility::solve(const FertilityProblem& problem, Index k, std::vector<Result>& best) {
  num_found_ = 0;
  queue_.clear();
  double largest = 0;
  for (const double score : problem.edges) largest = std::max(largest, std::abs(score));
  for (const double score : problem.fertilities) largest = std::max(largest, std::abs(score));
  slack_ = kRounding * largest;
  if (k > 0) {
    flow_.solve(problem);
    keep(0);
  }
  while (num_found_ > 0 && num_found_ < k) {
    branch(problem, num_found_ - 1, k - num_found_);
    if (queue_.empty()) break;
    take_next(problem);
  }
  best.resize(num_found_);
  for (Index i = 0; i < num_found_; ++i) {
    best[i].score = found_[i].score;
    best[i].edges.clear();
    for (Index e = 0; e < problem.edges.size(); ++e) {
      if (found_[i].taken[e] != 0) best[i].edges.push_back(static_cast<std::uint32_t>(e));
    }
  }
  // Rounding in the solver may show as a child that is better than its parent by a hair.
  std::stable_sort(best.begin(), best.end(),
                   [](const Result& a, const Result& b) { return a.score > b.score; });
}

// What the flow has now.
void KBestFertility::keep(Index first_free) {
  if (num_found_ == found_.size()) found_.emplace_back();
  Found& found = found_[num_found_++];
  found.taken.assign(flow_.taken().begin(), flow_.taken().end());
  found.prices.assign(flow_.prices().begin(), flow_.prices().end());
  found.sum = ExactSum();
  flow_.add_score(found.sum);
  found.score = found.sum.value();
  found.first_free = first_free;
}

// One candidate for each edge that could be otherwise, but no more than can still be wanted.
void KBestFertility::branch(const FertilityProblem& problem, Index parent, Index wanted) {
  const Found& from = found_[parent];
  flow_.resume(problem, from.taken, from.prices);
  if (queue_.size() > wanted) queue_.resize(wanted);
  for (Index e = from.first_free; e < from.taken.size(); ++e) {
    const double limit = queue_.size() < wanted ? FertilityFlow::kInfinity
                                                : from.score - queue_.back().score + slack_;
    if (!flow_.find_exchange(e, limit)) continue;
    ExactSum sum = from.sum;
    flow_.add_exchange(e, sum);
    const Candidate candidate = {sum.value(), parent, e};
    const auto place =
        std::upper_bound(queue_.begin(), queue_.end(), candidate,
                         [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    queue_.insert(place, candidate);
    if (queue_.size() > wanted) queue_.pop_back();
  }
}

// The search that found it is made again, for memory's sake.
void KBestFertility::take_next(const FertilityProblem& problem) {
  const Candidate next = queue_.front();
  queue_.erase(queue_.begin());
  const Found& from = found_[next.parent];
  flow_.resume(problem, from.taken, from.prices);
  flow_.find_exchange(next.edge, FertilityFlow::kInfinity);
  flow_.make_exchange(next.edge);
  keep(next.edge + 1);
}

}  // namespace trellis
