#include "trellis/structure/trees/parse_forest.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace trellis {
namespace {

// The open nodes in a walk through a derivation; only very long derivations need more than the
// program's stack.
template <class Value>
class OpenStack {
 public:
  // Memory for a derivation with `edges` edges: each opens at most one node more than it closes.
  explicit OpenStack(Index edges) {
    if (edges + 1 > few_.size()) many_.resize(edges + 1);
  }
  bool empty() const { return size_ == 0; }
  void push(Value value) { at(size_++) = value; }
  Value pop() { return at(--size_); }

 private:
  Value& at(Index place) { return many_.empty() ? few_[place] : many_[place]; }

  std::array<Value, 256> few_;
  std::vector<Value> many_;
  Index size_ = 0;
};

}  // namespace

bool ParseForest::legal(const Output& y) const {
  if (forest_->num_nodes() == 0) return false;
  OpenStack<std::uint32_t> open(y.size());
  open.push(static_cast<std::uint32_t>(forest_->num_nodes() - 1));
  for (const std::uint32_t edge : y) {
    if (open.empty()) return false;
    const std::uint32_t node = open.pop();
    if (edge < forest_->begin(node) || edge >= forest_->end(node)) return false;
    const auto [left, right] = forest_->tails(edge);
    if (right != kNoNode) open.push(right);
    if (left != kNoNode) open.push(left);
  }
  return open.empty();
}

void ParseForest::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::fill(z.begin(), z.end(), 0.0);
  for (const std::uint32_t edge : y) {
    z[forest_->num_nodes() + edge] = 1;
    z[forest_->head(edge)] = 1;
  }
}

// Backwards, so that the tails of an edge come before it, the left one last. The additions are
// those of BestDerivation, so that the score of the best derivation has the bits of the maximum.
double ParseForest::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  OpenStack<double> values(y.size());
  for (Index i = y.size(); i-- > 0;) {
    const auto tails = forest_->tails(y[i]);
    const double left = tails.left == kNoNode ? 0 : values.pop();
    const double right = tails.right == kNoNode ? 0 : values.pop();
    values.push((s[forest_->num_nodes() + y[i]] + (left + right)) + s[forest_->head(y[i])]);
  }
  return values.pop();
}

double ParseForest::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  return scratch.maximum.find(*forest_, s, y);
}

void ParseForest::k_best(std::span<const double> s, Index k, Scratch& scratch,
                         std::vector<ScoredOutput<Output>>& best) const {
  Index found = 0;
  if (k > 0) {
    scratch.k_best.begin(*forest_, s);
    for (; found < k; ++found) {
      if (found == best.size()) best.emplace_back();
      if (!scratch.k_best.next(best[found].output, best[found].score)) break;
    }
  }
  best.resize(found);
}

double ParseForest::log_partition(std::span<const double> s, Scratch& scratch) const {
  return scratch.sums.log_sum(*forest_, s);
}

double ParseForest::log_partition(std::span<const double> s, Scratch& scratch,
                                  std::span<double> marginals) const {
  return scratch.sums.log_sum(*forest_, s, marginals);
}

double ParseForest::entropy(std::span<const double> s, Scratch& scratch) const {
  return scratch.sums.entropy(*forest_, s);
}

void ParseForest::sample(std::span<const double> s, Random& random, Scratch& scratch,
                         Output& y) const {
  scratch.sums.draw(*forest_, s, random, y);
}

ProjectionResult ParseForest::project(std::span<const double> v, Scratch& scratch,
                                      std::span<double> z) const {
  const auto best_vertex = [&](std::span<const double> s, std::span<double> vertex) {
    const double value = maximize(s, scratch, scratch.best);
    if (value > kImpossible) indicator(scratch.best, vertex);
    return value;
  };
  return oracle_projection(v, best_vertex, scratch.projection, z);
}

// z_v = Σ of the edges that enter v, for each node; z_v = Σ of the edges with v as a tail, or 1 for
// the goal.
LinearProgram ParseForest::linear_program() const {
  const Index nodes = forest_->num_nodes();
  LinearProgram program;
  program.num_parts = program.num_variables = num_parts();
  if (nodes == 0) {
    program.rows.push_back({{}, 1, 1});
    return program;
  }
  program.rows.resize(2 * nodes);
  for (Index v = 0; v < nodes; ++v) {
    LinearProgram::Row& made = program.rows[v];
    made.terms.push_back({v, 1.0});
    program.rows[nodes + v].terms.push_back({v, 1.0});
    for (Index e = forest_->begin(v); e < forest_->end(v); ++e) {
      made.terms.push_back({nodes + e, -1.0});
      const auto [left, right] = forest_->tails(e);
      if (left != kNoNode) program.rows[nodes + left].terms.push_back({nodes + e, -1.0});
      if (right != kNoNode) program.rows[nodes + right].terms.push_back({nodes + e, -1.0});
    }
  }
  program.rows.back().lower = program.rows.back().upper = 1;
  return program;
}

}  // namespace trellis
