#include "trellis/structure/sets/multiclass.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "trellis/solve/draw.h"
#include "trellis/solve/polytopes/simplex_projection.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

Multiclass::Multiclass(Index num_labels, std::span<const std::uint8_t> allowed)
    : num_labels_(num_labels), allowed_(allowed) {
  assert(allowed.empty() || allowed.size() == num_labels);
}

bool Multiclass::legal(Label y) const {
  return y >= 0 && static_cast<Index>(y) < num_labels_ &&
         (allowed_.empty() || allowed_[static_cast<Index>(y)] != 0);
}

void Multiclass::indicator(const Label& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_labels_);
  std::fill(z.begin(), z.end(), 0.0);
  z[static_cast<Index>(y)] = 1;
}

double Multiclass::score(std::span<const double> s, const Label& y) const {
  assert(legal(y));
  return s[static_cast<Index>(y)];
}

// The scores, with −∞ where a label is not allowed.
std::span<const double> Multiclass::prepare(std::span<const double> s, Scratch& scratch) const {
  assert(s.size() == num_labels_);
  if (allowed_.empty()) return s;
  scratch.scores.assign(s.begin(), s.end());
  for (Index y = 0; y < num_labels_; ++y) {
    if (allowed_[y] == 0) scratch.scores[y] = kImpossible;
  }
  return scratch.scores;
}

double Multiclass::maximize(std::span<const double> s, Scratch& scratch, Label& y) const {
  const std::span<const double> x = prepare(s, scratch);
  const auto best = std::max_element(x.begin(), x.end());
  if (best == x.end() || *best == kImpossible) {
    y = kNoLabel;
    return kImpossible;
  }
  y = static_cast<Label>(best - x.begin());
  return *best;
}

void Multiclass::k_best(std::span<const double> s, Index k, Scratch& scratch,
                        std::vector<ScoredOutput<Label>>& best) const {
  std::vector<Index>& order = scratch.order;
  order.clear();
  for (Index y = 0; y < num_labels_; ++y) {
    if (legal(static_cast<Label>(y))) order.push_back(y);
  }
  const Index found = std::min(k, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(found), order.end(),
                    [&](Index a, Index b) { return s[a] > s[b] || (s[a] == s[b] && a < b); });
  best.resize(found);
  for (Index i = 0; i < found; ++i) best[i] = {static_cast<Label>(order[i]), s[order[i]]};
}

double Multiclass::maximize_product(double a, std::span<const double> s, double b,
                                    std::span<const double> c, Scratch&, Label& y) const {
  double best = 0;
  for (Index k = 0; k < num_labels_; ++k) {
    const double first = a + s[k], second = b + c[k];
    if (!legal(static_cast<Label>(k)) || !(first > 0) || !(second > 0)) continue;
    if (!(first * second > best)) continue;
    best = first * second;
    y = static_cast<Label>(k);
  }
  return best;
}

double Multiclass::log_partition(std::span<const double> s, Scratch& scratch,
                                 std::span<double> marginals) const {
  assert(marginals.size() == num_labels_);
  return softmax(prepare(s, scratch), marginals);
}

double Multiclass::log_partition(std::span<const double> s, Scratch& scratch) const {
  return log_sum_exp(prepare(s, scratch));
}

double Multiclass::entropy(std::span<const double> s, Scratch& scratch) const {
  return softmax_entropy(prepare(s, scratch));
}

void Multiclass::sample(std::span<const double> s, Random& random, Scratch& scratch,
                        Label& y) const {
  scratch.weights.resize(num_labels_);
  const double value = softmax(prepare(s, scratch), scratch.weights);
  y = value == kImpossible ? kNoLabel : static_cast<Label>(draw(scratch.weights, random));
}

// The simplex: Σ z = 1, with z = 0 where a label is not allowed.
LinearProgram Multiclass::linear_program() const {
  LinearProgram program;
  program.num_parts = program.num_variables = num_labels_;
  LinearProgram::Row total{{}, 1.0, 1.0};
  for (Index y = 0; y < num_labels_; ++y) {
    total.terms.push_back({y, 1.0});
    program.upper_bounds.push_back(legal(static_cast<Label>(y)) ? 1.0 : 0.0);
  }
  program.rows.push_back(std::move(total));
  return program;
}

// The allowed labels move together, are projected onto their simplex, and go back.
void Multiclass::project(std::span<const double> v, Scratch& scratch, std::span<double> z) const {
  assert(v.size() == num_labels_ && z.size() == num_labels_);
  if (allowed_.empty()) {
    project_simplex(v, num_labels_ == 0 ? 0 : 1, z, scratch.weights);
    return;
  }
  std::vector<double>& kept = scratch.scores;
  kept.clear();
  for (Index y = 0; y < num_labels_; ++y) {
    if (allowed_[y] != 0) kept.push_back(v[y]);
  }
  project_simplex(kept, kept.empty() ? 0 : 1, kept, scratch.weights);
  for (Index y = num_labels_, next = kept.size(); y-- > 0;) {
    z[y] = allowed_[y] != 0 ? kept[--next] : 0.0;
  }
}

}  // namespace trellis
