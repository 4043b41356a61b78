#include "trellis/solve/arborescences/k_best_arborescences.h"

#include <algorithm>
#include <utility>

namespace trellis {

bool KBestArborescences::worse(const Candidate& a, const Candidate& b) {
  return a.score != b.score ? a.score < b.score : a.number > b.number;
}

KBestArborescences::Candidate KBestArborescences::spare() {
  if (spares_.empty()) return {};
  Candidate candidate = std::move(spares_.back());
  spares_.pop_back();
  return candidate;
}

void KBestArborescences::push(Candidate candidate) {
  candidate.number = numbered_++;
  queue_.push_back(std::move(candidate));
  std::push_heap(queue_.begin(), queue_.end(), worse);
}

KBestArborescences::Candidate KBestArborescences::pop() {
  std::pop_heap(queue_.begin(), queue_.end(), worse);
  Candidate candidate = std::move(queue_.back());
  queue_.pop_back();
  return candidate;
}

void KBestArborescences::offer(Index place, Index arc, double score) {
  if (!(score > best_[place])) return;
  best_[place] = score;
  arc_[place] = static_cast<std::uint32_t>(arc);
}

// Gives the row of `word` all its arcs except the refused ones. False if none is left.
bool KBestArborescences::offer_others(const ArcGraph& graph, std::span<const double> scores,
                                      Index word, std::span<const std::uint32_t> refused) {
  const Index row = word * (graph.words + 1);
  std::fill_n(best_.begin() + static_cast<std::ptrdiff_t>(row), graph.words + 1, -kInfinity);
  bool any = false;
  for (Index a = graph.begin[word]; a < graph.begin[word + 1]; ++a) {
    if (std::find(refused.begin(), refused.end(), a) != refused.end()) continue;
    offer(row + graph.column(graph.head[a]), a, scores[a]);
    any = true;
  }
  return any;
}

// Rows before t have one arc each, row t its arcs other than the parent's, and later rows all their
// arcs.
void KBestArborescences::branch(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                                const Candidate& parent) {
  const Index n = graph.words, width = n + 1;
  for (Index m = 0; m < n; ++m) offer_others(graph, scores, m, {});
  const auto settle = [&](Index m) {
    const auto row = best_.begin() + static_cast<std::ptrdiff_t>(m * width);
    std::fill_n(row, width, -kInfinity);
    const std::uint32_t a = parent.arcs[m];
    offer(m * width + graph.column(graph.head[a]), a, scores[a]);
  };
  for (Index m = 0; m < parent.settled; ++m) settle(m);
  for (Index t = parent.settled; t < n; ++t) {
    Candidate child = spare();
    child.settled = t;
    child.refused.clear();
    if (t == parent.settled) child.refused = parent.refused;
    child.refused.push_back(parent.arcs[t]);
    const bool found =
        offer_others(graph, scores, t, child.refused) && dense_.solve(n, best_, roots, heads_);
    if (found) {
      child.arcs.resize(n);
      for (Index m = 0; m < n; ++m) child.arcs[m] = arc_[m * width + heads_[m]];
      child.score = tree_score(scores, child.arcs);
      push(std::move(child));
    } else {
      spares_.push_back(std::move(child));
    }
    settle(t);
  }
}

void KBestArborescences::solve(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                               Index k, std::vector<Result>& best) {
  const Index n = graph.words;
  numbered_ = 0;
  while (!queue_.empty()) spares_.push_back(pop());
  best.clear();
  if (k == 0) return;
  Candidate first = spare();
  first.settled = 0;
  first.refused.clear();
  first.arcs.resize(n);
  if (!first_.solve(graph, scores, roots, first.arcs)) {
    spares_.push_back(std::move(first));
    return;
  }
  first.score = tree_score(scores, first.arcs);
  push(std::move(first));
  best_.assign(n * (n + 1), -kInfinity);
  arc_.resize(n * (n + 1));
  heads_.resize(n);
  while (!queue_.empty()) {
    Candidate next = pop();
    best.push_back({next.arcs, next.score});
    if (best.size() == k) {
      spares_.push_back(std::move(next));
      break;
    }
    branch(graph, scores, roots, next);
    spares_.push_back(std::move(next));
  }
  // What rounding did to the reduced scores may have hidden a tree behind one that is an ulp worse.
  std::stable_sort(best.begin(), best.end(),
                   [](const Result& a, const Result& b) { return a.score > b.score; });
}

}  // namespace trellis
