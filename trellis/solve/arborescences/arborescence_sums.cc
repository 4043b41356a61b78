#include "trellis/solve/arborescences/arborescence_sums.h"

#include <algorithm>
#include <cassert>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/exact_sum.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// The exponent of ε, in units of 2^512: more than a tree of any size that fits can have.
constexpr std::int64_t kRootPenalty = std::int64_t{1} << 50;
// Logarithms below have an ε in them: log ε = −4e17.
constexpr double kLeastLogarithm = -2e17;

// n rows of n + 1 as a matrix and its r.
template <class Number>
void load(Index n, std::span<const Number> weights, TreeMatrix<Number>& matrix) {
  matrix.resize(n);
  for (Index m = 0; m < n; ++m) {
    const Number* row = &weights[m * (n + 1)];
    std::copy_n(row, n, &matrix.weights[m * n]);
    matrix.root[m] = row[n];
  }
}

double as_double(double x) {
  return x;
}
double as_double(const WideNumber& x) {
  return x.to_double();
}

// P(j → m) = a_mj x_jm, or r_m G_mm.
template <class Number>
void multiply(Index n, std::span<const Number> weights, const TreeEscapes<Number>& escapes,
              std::vector<double>& pairs) {
  pairs.resize(n * (n + 1));
  for (Index m = 0; m < n; ++m) {
    const Number* row = &weights[m * (n + 1)];
    double* out = &pairs[m * (n + 1)];
    for (Index j = 0; j < n; ++j) out[j] = as_double(row[j] * escapes.x[j * n + m]);
    out[n] = as_double(row[n] * escapes.visits[m]);
  }
}

template <class T>
bool same(std::span<const T> a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

RootInPivots ArborescenceSums::root_in_pivots() const {
  return roots_ == Roots::kOne ? RootInPivots::kNo : RootInPivots::kYes;
}

void ArborescenceSums::add_parallel(const ArcGraph& graph, std::span<const double> scores,
                                    Roots roots) {
  assert(scores.size() == graph.head.size());
  n_ = graph.words;
  roots_ = roots;
  scores_.assign(n_ * (n_ + 1), -kInfinity);
  graph.each_group([&](Index m, Index h, Index first, Index last) {
    const auto group = scores.subspan(first, last - first);
    scores_[m * (n_ + 1) + h] = group.size() == 1 ? group[0] : log_sum_exp(group);
  });
}

bool ArborescenceSums::find_best() {
  best_.resize(n_);
  return dense_.solve(n_, scores_, roots_, best_);
}

// With Roots::kOne the pivots do without r, and rows are scaled without it; r is then scaled by its
// own largest. False where the root has no arc at all.
bool ArborescenceSums::fill_doubles() {
  const Index width = n_ + 1;
  weights_.resize(n_ * width);
  scales_.resize(n_);
  root_scale_ = 0;
  if (roots_ == Roots::kAny) {
    exp_rows(scores_.data(), n_, width, width, weights_.data(), scales_.data());
  } else if (n_ > 0) {
    exp_rows(scores_.data(), n_, n_, width, weights_.data(), scales_.data());
    root_scale_ = -kInfinity;
    for (Index m = 0; m < n_; ++m) {
      root_scale_ = std::max(root_scale_, scores_[m * width + n_] - scales_[m]);
    }
    if (root_scale_ == -kInfinity) return false;
    for (Index m = 0; m < n_; ++m) {
      weights_[m * width + n_] = portable_exp(scores_[m * width + n_] - scales_[m] - root_scale_);
    }
  }
  load<double>(n_, weights_, doubles_);
  return true;
}

void ArborescenceSums::fill_wide() {
  const Index width = n_ + 1;
  const WideNumber epsilon = WideNumber::power(1, roots_ == Roots::kOne ? -kRootPenalty : 0);
  wide_weights_.resize(n_ * width);
  for (Index m = 0; m < n_; ++m) {
    const double* scores = &scores_[m * width];
    WideNumber* weights = &wide_weights_[m * width];
    for (Index h = 0; h < width; ++h) weights[h] = WideNumber::exp(scores[h] - scores[best_[m]]);
    weights[n_] = weights[n_] * epsilon;
  }
  load<WideNumber>(n_, wide_weights_, wide_);
}

ArborescenceSums::Factors ArborescenceSums::factors_of_doubles() const {
  Factors factors{true, false, 0, root_scale_};
  for (const double d : doubles_.pivots) factors.log_pivots += portable_log(d);
  for (const double scale : scales_) factors.log_scales += scale;
  return factors;
}

ArborescenceSums::Factors ArborescenceSums::factors_of_wide() const {
  WideNumber product = WideNumber::power(1, roots_ == Roots::kOne && n_ > 0 ? kRootPenalty : 0);
  for (const WideNumber& d : wide_.pivots) product = product * d;
  ExactSum best;
  for (Index m = 0; m < n_; ++m) best.add(scores_[m * (n_ + 1) + best_[m]]);
  return {true, true, product.log(), best.value()};
}

double ArborescenceSums::log_sum(const ArcGraph& graph, std::span<const double> scores,
                                 Roots roots) {
  add_parallel(graph, scores, roots);
  if (fill_doubles() && eliminate(doubles_, root_in_pivots())) {
    return factors_of_doubles().log_sum();
  }
  if (!find_best()) return -kInfinity;
  fill_wide();
  eliminate(wide_);
  return factors_of_wide().log_sum();
}

// If doubles suffice for the pivots but not for the rest, the pivots are still those of doubles:
// log Σ is the same with and without marginals.
ArborescenceSums::Factors ArborescenceSums::find_pairs() {
  if (fill_doubles() && find_escapes(doubles_, root_in_pivots(), double_escapes_)) {
    multiply<double>(n_, weights_, double_escapes_, pairs_);
    return factors_of_doubles();
  }
  if (!find_best()) return {};
  const bool pivots_do = fill_doubles() && eliminate(doubles_, root_in_pivots());
  fill_wide();
  find_escapes(wide_, wide_escapes_);
  multiply<WideNumber>(n_, wide_weights_, wide_escapes_, pairs_);
  return pivots_do ? factors_of_doubles() : factors_of_wide();
}

double ArborescenceSums::log_sum(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                                 std::span<double> marginals) {
  assert(marginals.size() == scores.size());
  add_parallel(graph, scores, roots);
  const Factors factors = find_pairs();
  if (!factors.possible) {
    std::fill(marginals.begin(), marginals.end(), 0.0);
    return -kInfinity;
  }
  graph.each_group([&](Index m, Index h, Index first, Index last) {
    const double chance = pairs_[m * (n_ + 1) + h];
    const auto shares = marginals.subspan(first, last - first);
    if (shares.size() == 1) {
      shares[0] = chance;
    } else {
      softmax(scores.subspan(first, last - first), shares);
      scale(chance, shares);
    }
  });
  return factors.log_sum();
}

double ArborescenceSums::log_sum_of_wide(const ArcGraph& graph, std::span<const double> scores,
                                         Roots roots, std::span<double> log_marginals) {
  assert(log_marginals.size() == scores.size());
  add_parallel(graph, scores, roots);
  std::fill(log_marginals.begin(), log_marginals.end(), -kInfinity);
  if (!find_best()) return -kInfinity;
  fill_wide();
  find_escapes(wide_, wide_escapes_);
  graph.each_group([&](Index m, Index h, Index first, Index last) {
    const Index cell = m * (n_ + 1) + h;
    const WideNumber chance =
        wide_weights_[cell] * (h == n_ ? wide_escapes_.visits[m] : wide_escapes_.x[h * n_ + m]);
    const double log_chance = chance.log();
    for (Index p = first; p < last; ++p) {
      if (log_chance > kLeastLogarithm) {
        log_marginals[p] = log_chance + (scores[p] - scores_[cell]);
      }
    }
  });
  return factors_of_wide().log_sum();
}

// log Σ minus the score of the best tree
double ArborescenceSums::log_excess(const Factors& factors) const {
  if (factors.relative_to_best) return factors.log_pivots;
  double excess = factors.log_pivots + root_scale_;
  for (Index m = 0; m < n_; ++m) excess += scales_[m] - scores_[m * (n_ + 1) + best_[m]];
  return excess;
}

// H = log(Σ / exp s(T*)) + E[s(T*) − s(T)], for trees whose parallel arcs are one; and what these
// add to it.
double ArborescenceSums::entropy(const ArcGraph& graph, std::span<const double> scores,
                                 Roots roots) {
  add_parallel(graph, scores, roots);
  const Factors factors = find_pairs();
  if (!factors.possible) return 0;
  find_best();
  double entropy = log_excess(factors);
  graph.each_group([&](Index m, Index h, Index first, Index last) {
    const Index row = m * (n_ + 1);
    const double chance = pairs_[row + h];
    entropy += chance * (scores_[row + best_[m]] - scores_[row + h]);
    if (last - first > 1) entropy += chance * softmax_entropy(scores.subspan(first, last - first));
  });
  return std::max(0.0, entropy);
}

void ArborescenceSums::prepare_draws(const ArcGraph& graph, std::span<const double> scores,
                                     Roots roots) {
  if (drawn_ != Drawn::kNothing && drawn_roots_ == roots && same(graph.begin, drawn_begin_) &&
      same(graph.head, drawn_head_) && same(scores, drawn_scores_)) {
    return;
  }
  drawn_roots_ = roots;
  drawn_begin_.assign(graph.begin.begin(), graph.begin.end());
  drawn_head_.assign(graph.head.begin(), graph.head.end());
  drawn_scores_.assign(scores.begin(), scores.end());
  add_parallel(graph, scores, roots);
  if (fill_doubles() && eliminate(doubles_, root_in_pivots())) {
    drawn_ = Drawn::kDoubles;
    double_draw_.prepare(doubles_, weights_, root_in_pivots());
  } else if (find_best()) {
    drawn_ = Drawn::kWide;
    fill_wide();
    eliminate(wide_);
    wide_draw_.prepare(wide_, wide_weights_, RootInPivots::kYes);
  } else {
    drawn_ = Drawn::kNoTree;
  }
}

bool ArborescenceSums::draw(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                            Random& random, std::span<std::uint32_t> arcs) {
  assert(arcs.size() == graph.words);
  prepare_draws(graph, scores, roots);
  if (drawn_ == Drawn::kNoTree) return false;
  heads_.resize(graph.words);
  if (drawn_ == Drawn::kDoubles) {
    double_draw_.draw(random, heads_);
  } else {
    wide_draw_.draw(random, heads_);
  }
  graph.each_group([&](Index m, Index h, Index first, Index last) {
    if (heads_[m] != h) return;
    Index chosen = 0;
    if (last - first > 1) {
      shares_.resize(last - first);
      softmax(scores.subspan(first, last - first), shares_);
      chosen = trellis::draw(shares_, random);
    }
    arcs[m] = static_cast<std::uint32_t>(first + chosen);
  });
  return true;
}

}  // namespace trellis
