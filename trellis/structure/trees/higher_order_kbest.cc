#include "trellis/structure/trees/higher_order_kbest.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "trellis/structure/trees/higher_order_search.h"

namespace trellis {

void HigherOrderKBest::solve(const DependencyArcs& arcs, const ArcPairGraph& graph,
                             std::span<const double> s, Index k, Index most_runs,
                             std::vector<Result>& best) {
  const LabelFold fold(arcs, graph);
  k_ = k;
  s_ = s;
  limits_ = HigherOrderSearch::limits(graph, most_runs);
  iterations_left_ = kMostSearches * limits_.iterations;
  unknown_ = -kInfinity;
  families_.clear();
  candidates_.clear();
  num_candidates_ = 0;
  best.clear();
  if (k == 0) return;
  fold.fold_best(s, folded_, best_label_);
  first_group_.assign(arcs.words() + 1, static_cast<std::uint32_t>(arcs.num_groups()));
  for (Index g = arcs.num_groups(); g-- > 0;) {
    first_group_[arcs.modifier(arcs.group_begin(g)) - 1] = static_cast<std::uint32_t>(g);
  }
  search(fold, nullptr, {});
  while (!families_.empty()) {
    std::ranges::pop_heap(families_, worse);
    const Family family = std::move(families_.back());
    families_.pop_back();
    if (family.score <= least()) break;
    divide(fold, family);
  }
  std::ranges::sort(candidates_, better);
  for (Candidate& candidate : candidates_) {
    const double score = fold.score(s, candidate.tree);
    best.push_back({std::move(candidate.tree), score, candidate.score >= unknown_});
  }
  std::ranges::stable_sort(best,
                           [](const Result& a, const Result& b) { return a.score > b.score; });
}

// The families of a parent's trees other than its best.
void HigherOrderKBest::divide(const LabelFold& fold, const Family& parent) {
  for (Index t = parent.settled; t < parent.groups.size(); ++t) {
    Family family;
    family.settled = t;
    if (t == parent.settled) family.refused = parent.refused;
    family.refused.push_back(parent.groups[t]);
    const Index heads = first_group_[t + 1] - first_group_[t];
    if (family.refused.size() < heads) search(fold, &parent, std::move(family));
  }
}

// Words that are settled have their heads from the parent.
void HigherOrderKBest::require(const Family* parent, const Family& family) {
  required_.clear();
  for (Index m = 0; m < family.settled; ++m) {
    for (std::uint32_t g = first_group_[m]; g < first_group_[m + 1]; ++g) {
      required_.push_back({g, g != parent->groups[m]});
    }
  }
  for (const std::uint32_t g : family.refused) required_.push_back({g, true});
}

void HigherOrderKBest::search(const LabelFold& fold, const Family* parent, Family family) {
  if (iterations_left_ == 0) {  // the parent's best is as good as any
    unknown_ = std::max(unknown_, parent->score);
    return;
  }
  require(parent, family);
  MapLimits limits = limits_;
  limits.iterations = std::min(limits.iterations, iterations_left_);
  limits.above = least();
  const MapResult found = search_.solve(fold.graph().layout(), folded_, required_, values_, limits);
  iterations_left_ -= found.iterations;
  if (!found.proven) unknown_ = std::max(unknown_, found.upper);
  if (found.value == -kInfinity) return;
  family.score = found.value;
  family.groups.resize(fold.arcs().words());
  for (std::uint32_t g = 0; g < values_.size(); ++g) {
    if (values_[g] == 1) family.groups[fold.arcs().modifier(fold.arcs().group_begin(g)) - 1] = g;
  }
  add_labellings(fold, family);
  families_.push_back(std::move(family));
  std::ranges::push_heap(families_, worse);
}

void HigherOrderKBest::add_labellings(const LabelFold& fold, const Family& family) {
  const Index words = family.groups.size();
  const double most_loss = family.score - least();
  labellings_.resize(std::max(labellings_.size(), words + 1));
  labellings_[0].assign(1, {});
  for (Index m = 0; m < words; ++m) {
    extend_labellings(fold, labellings_[m], family.groups[m], most_loss, labellings_[m + 1]);
  }
  for (const Labelling& last : labellings_[words]) {
    Candidate candidate{family.score - last.loss, num_candidates_++, {}};
    candidate.tree.resize(words);
    const Labelling* at = &last;
    for (Index m = words; m-- > 0;) {
      candidate.tree[m] = at->part;
      at = &labellings_[m][at->before];
    }
    add_candidate(std::move(candidate));
  }
}

// Of labels and labellings, both with the best first, the a-th with the b-th is behind (a + 1)(b +
// 1) − 1 others.
void HigherOrderKBest::extend_labellings(const LabelFold& fold, std::span<const Labelling> before,
                                         std::uint32_t group, double most_loss,
                                         std::vector<Labelling>& after) {
  const DependencyArcs& arcs = fold.arcs();
  sorted_.clear();
  for (Index p = arcs.group_begin(group); p < arcs.group_begin(group + 1); ++p) {
    if (folded_[group] - s_[p] <= most_loss) sorted_.push_back(static_cast<std::uint32_t>(p));
  }
  std::ranges::stable_sort(sorted_,
                           [&](std::uint32_t p, std::uint32_t q) { return s_[p] > s_[q]; });
  after.clear();
  for (Index a = 0; a < before.size(); ++a) {
    for (Index b = 0; b < sorted_.size() && (a + 1) * (b + 1) <= k_; ++b) {
      const double loss = before[a].loss + (folded_[group] - s_[sorted_[b]]);
      if (loss > most_loss) break;
      after.push_back({loss, static_cast<std::uint32_t>(a), sorted_[b]});
    }
  }
  std::ranges::stable_sort(after,
                           [](const Labelling& a, const Labelling& b) { return a.loss < b.loss; });
  if (after.size() > k_) after.resize(k_);
}

void HigherOrderKBest::add_candidate(Candidate candidate) {
  candidates_.push_back(std::move(candidate));
  std::ranges::push_heap(candidates_, better);
  if (candidates_.size() <= k_) return;
  std::ranges::pop_heap(candidates_, better);
  candidates_.pop_back();
}

}  // namespace trellis
