#include "trellis/generative/network/structure_learning.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/generative/network/family_counts.h"

namespace trellis {
namespace {

// Σ N_uv log N_uv N / (N_u N_v), divided by N.
double information(const FamilyCounts& counts, Index u, Index v, FamilyCounts::Memory& memory) {
  const std::array<Index, 1> parent = {u};
  const double together = counts.log_likelihood(v, parent, memory);
  return std::max(0.0, (together - counts.log_likelihood(v, {}, memory)) / counts.total());
}

// Prim's algorithm: adds the variable with the strongest link to those of the tree.
NetworkParents spanning_tree(Index n, Index root, const std::vector<double>& strength) {
  NetworkParents parents(n);
  std::vector<Index> nearest(n, root);
  std::vector<bool> in_tree(n, false);
  in_tree[root] = true;
  for (Index step = 1; step < n; ++step) {
    Index next = n;
    for (Index v = 0; v < n; ++v) {
      if (in_tree[v]) continue;
      if (next == n || strength[v * n + nearest[v]] > strength[next * n + nearest[next]]) next = v;
    }
    in_tree[next] = true;
    parents[next] = {nearest[next]};
    for (Index v = 0; v < n; ++v) {
      if (!in_tree[v] && strength[v * n + next] > strength[v * n + nearest[v]]) nearest[v] = next;
    }
  }
  return parents;
}

constexpr double kRefused = -kInfinity;

class HillClimber {
 public:
  HillClimber(const FamilyCounts& counts, const HillClimbing& options, NetworkParents start)
      : counts_(counts),
        options_(options),
        n_(counts.num_variables()),
        parents_(std::move(start)),
        scores_(n_),
        gains_(n_ * n_, kRefused),
        memory_(static_cast<Index>(resolve_threads(options.threads))) {
    for (Index v = 0; v < n_; ++v) {
      std::sort(parents_[v].begin(), parents_[v].end());
      stale_.push_back(v);
      for (const Index u : parents_[v]) graph_ ^= key(u, v);
    }
    remember();
    refresh();
  }

  const NetworkParents& parents() const { return parents_; }
  double score() const {
    double sum = 0;
    for (const double score : scores_) sum += score;
    return sum;
  }

  // Makes the best allowed move; false if there is no move.
  bool step() {
    const Move move = best_move();
    if (move.gain == kRefused) return false;
    toggle(move.parent, move.child);
    if (move.kind == Kind::kReverse) toggle(move.child, move.parent);
    remember();
    refresh();
    return true;
  }

 private:
  enum class Kind { kAdd, kRemove, kReverse };
  struct Move {
    Kind kind = Kind::kAdd;
    Index parent = 0, child = 0;
    double gain = kRefused;
  };

  // The exclusive or of its arcs' keys identifies a graph (Zobrist 1970).
  std::uint64_t key(Index parent, Index child) const {
    return philox4x64({child * n_ + parent, 0, 0, 0}, {0, 0})[0];
  }
  std::uint64_t after(const Move& move) const {
    const std::uint64_t other = move.kind == Kind::kReverse ? key(move.child, move.parent) : 0;
    return graph_ ^ key(move.parent, move.child) ^ other;
  }
  void remember() {
    if (options_.tabu == 0) return;
    if (visited_.size() < options_.tabu) visited_.push_back(0);
    visited_[num_visited_++ % options_.tabu] = graph_;
  }
  bool has(Index parent, Index child) const {
    return std::binary_search(parents_[child].begin(), parents_[child].end(), parent);
  }
  // The gain of adding the arc, or of removing it if it exists.
  double& gain(Index parent, Index child) { return gains_[child * n_ + parent]; }

  static std::vector<Index> with_toggled(std::vector<Index> parents, Index u) {
    const auto place = std::lower_bound(parents.begin(), parents.end(), u);
    if (place != parents.end() && *place == u) {
      parents.erase(place);
    } else {
      parents.insert(place, u);
    }
    return parents;
  }

  void toggle(Index parent, Index child) {
    graph_ ^= key(parent, child);
    parents_[child] = with_toggled(std::move(parents_[child]), parent);
    stale_.push_back(child);
  }

  // The gains of all arcs into the variables whose parents have changed.
  void refresh() {
    const auto count = [&](Index k, int worker) {
      const Index child = stale_[k / n_], parent = k % n_;
      if (parent == child) return;
      const std::vector<Index> family = with_toggled(parents_[child], parent);
      const bool fits =
          family.size() < parents_[child].size() ||
          (family.size() <= options_.max_parents &&
           counts_.num_cells(child, family, options_.max_cells) <= options_.max_cells);
      gain(parent, child) =
          fits ? counts_.bic(child, family, memory_[static_cast<Index>(worker)]) - scores_[child]
               : kRefused;
    };
    for (const Index v : stale_) scores_[v] = counts_.bic(v, parents_[v], memory_[0]);
    parallel_for(stale_.size() * n_, static_cast<int>(memory_.size()), count);
    stale_.clear();
  }

  // Whether there is a path; `but_direct` ignores the arc itself.
  bool reaches(Index from, Index target, bool but_direct) {
    seen_.assign(n_, false);
    waiting_.clear();
    for (const Index u : parents_[target]) {
      if (!(but_direct && u == from)) waiting_.push_back(u);
    }
    while (!waiting_.empty()) {
      const Index v = waiting_.back();
      waiting_.pop_back();
      if (v == from) return true;
      if (seen_[v]) continue;
      seen_[v] = true;
      waiting_.insert(waiting_.end(), parents_[v].begin(), parents_[v].end());
    }
    return false;
  }

  Move best_move() {
    Move best;
    const auto consider = [&](const Move& move) {
      if (!(move.gain > best.gain)) return;
      if (std::find(visited_.begin(), visited_.end(), after(move)) != visited_.end()) return;
      if (move.kind == Kind::kAdd && reaches(move.child, move.parent, false)) return;
      if (move.kind == Kind::kReverse && reaches(move.parent, move.child, true)) return;
      best = move;
    };
    for (const Kind kind : {Kind::kAdd, Kind::kRemove, Kind::kReverse}) {
      for (Index v = 0; v < n_; ++v) {
        for (Index u = 0; u < n_; ++u) {
          if (u == v || has(u, v) != (kind != Kind::kAdd)) continue;
          const double other_way = kind == Kind::kReverse ? gain(v, u) : 0;
          consider({kind, u, v, gain(u, v) + other_way});
        }
      }
    }
    return best;
  }

  const FamilyCounts& counts_;
  const HillClimbing& options_;
  Index n_;
  NetworkParents parents_;              // ascending
  std::vector<double> scores_;          // by variable
  std::vector<double> gains_;           // by child, by parent
  std::uint64_t graph_ = 0;             // the sum of its arcs' keys
  std::vector<std::uint64_t> visited_;  // graphs, the last ones: a ring
  Index num_visited_ = 0;
  std::vector<Index> stale_;
  std::vector<FamilyCounts::Memory> memory_;
  std::vector<bool> seen_;
  std::vector<Index> waiting_;
};

}  // namespace

NetworkParents naive_parents(Index num_variables, Index class_variable) {
  if (class_variable >= num_variables) {
    throw UsageError(fmt::format("class {} of {} variables", class_variable, num_variables));
  }
  NetworkParents parents(num_variables, {class_variable});
  parents[class_variable].clear();
  return parents;
}

double mutual_information(const std::vector<NetworkVariable>& variables, const NetworkData& data,
                          Index u, Index v) {
  FamilyCounts::Memory memory;
  return information(FamilyCounts(variables, data), u, v, memory);
}

NetworkParents chow_liu_parents(const std::vector<NetworkVariable>& variables,
                                const NetworkData& data, Index root, int threads) {
  const Index n = variables.size();
  if (root >= n) throw UsageError(fmt::format("root {} of {} variables", root, n));
  const FamilyCounts counts(variables, data);
  std::vector<FamilyCounts::Memory> memory(static_cast<Index>(resolve_threads(threads)));
  std::vector<double> strength(n * n, 0.0);
  parallel_for(n, static_cast<int>(memory.size()), [&](Index v, int worker) {
    for (Index u = 0; u < v; ++u) {
      strength[v * n + u] = information(counts, u, v, memory[static_cast<Index>(worker)]);
    }
  });
  for (Index v = 0; v < n; ++v) {
    for (Index u = 0; u < v; ++u) strength[u * n + v] = strength[v * n + u];
  }
  return spanning_tree(n, root, strength);
}

LearnedGraph climb_hills(const std::vector<NetworkVariable>& variables, const NetworkData& data,
                         const HillClimbing& options, const NetworkParents& start,
                         const ClimbingWatch& watch) {
  const FamilyCounts counts(variables, data);
  const Index n = variables.size();
  // Validates the start: an unknown parent, a cycle.
  if (!start.empty()) NetworkGraph(variables, start);
  HillClimber climber(counts, options, start.empty() ? NetworkParents(n) : start);
  LearnedGraph best{climber.parents(), climber.score(), 0};
  for (Index step = 1, since_best = 0; step <= options.max_steps; ++step) {
    if (!climber.step()) break;
    const double score = climber.score();
    ++since_best;
    // A gain within rounding is no progress.
    if (score > best.score + 1e-9 * std::max(1.0, -best.score)) {
      best = {climber.parents(), score, step};
      since_best = 0;
    }
    if (watch && !watch({step, score, best.score})) break;
    if (since_best > options.patience) break;
  }
  return best;
}

double bic_score(const NetworkGraph& graph, const NetworkData& data) {
  const FamilyCounts counts(graph.variables(), data);
  FamilyCounts::Memory memory;
  double sum = 0;
  for (Index v = 0; v < graph.num_variables(); ++v) {
    sum += counts.bic(v, graph.parents(v), memory);
  }
  return sum;
}

}  // namespace trellis
