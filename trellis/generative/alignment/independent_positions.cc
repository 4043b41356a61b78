#include "trellis/generative/alignment/independent_positions.h"

#include <algorithm>
#include <cmath>

#include "trellis/solve/falling_root.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/sets/multiclass.h"

namespace trellis {
namespace {

// |(i+1)/I − (j+1)/J|
double off_diagonal(Lengths lengths, Index j, Index i) {
  return std::abs(static_cast<double>(i + 1) / static_cast<double>(lengths.source) -
                  static_cast<double>(j + 1) / static_cast<double>(lengths.target));
}

double uniform_score(Index positions) {
  return -portable_log(static_cast<double>(positions));
}

}  // namespace

void IndependentPositions::add_log_priors(Lengths lengths, PositionScratch& scratch) const {
  const double something = portable_log(1 - null_), nothing = portable_log(null_);
  scratch.row.resize(lengths.source);
  double* score = scratch.scores.data();
  for (Index j = 0; j < lengths.target; ++j) {
    log_prior(lengths, j, scratch.row);
    for (const double prior : scratch.row) *score++ += something + prior;
    *score++ += nothing;
  }
}

double IndependentPositions::sums(Lengths lengths, PositionScratch& scratch) const {
  add_log_priors(lengths, scratch);
  const Index width = lengths.source + 1;
  const Multiclass source(width);
  Multiclass::Scratch unused;
  scratch.marginals.resize(lengths.grid());
  double value = 0;
  for (Index j = 0; j < lengths.target; ++j) {
    value += source.log_partition({scratch.scores.data() + j * width, width}, unused,
                                  {scratch.marginals.data() + j * width, width});
  }
  return value;
}

double IndependentPositions::maximize(Lengths lengths, PositionScratch& scratch,
                                      std::vector<Label>& a) const {
  add_log_priors(lengths, scratch);
  const Index width = lengths.source + 1;
  const Multiclass source(width);
  Multiclass::Scratch unused;
  a.resize(lengths.target);
  double value = 0;
  for (Index j = 0; j < lengths.target; ++j) {
    value += source.maximize({scratch.scores.data() + j * width, width}, unused, a[j]);
    if (static_cast<Index>(a[j]) == lengths.source) a[j] = kNoLabel;
  }
  return value;
}

void IndependentPositions::sample(Lengths lengths, PositionScratch& scratch, Random& random,
                                  std::vector<Label>& a) const {
  add_log_priors(lengths, scratch);
  const Index width = lengths.source + 1;
  const Multiclass source(width);
  Multiclass::Scratch unused;
  a.resize(lengths.target);
  for (Index j = 0; j < lengths.target; ++j) {
    source.sample({scratch.scores.data() + j * width, width}, random, unused, a[j]);
    if (static_cast<Index>(a[j]) == lengths.source) a[j] = kNoLabel;
  }
}

void UniformPositions::log_prior(Lengths, Index, std::span<double> prior) const {
  std::fill(prior.begin(), prior.end(), uniform_score(prior.size()));
}

LengthTables::LengthTables(std::vector<Lengths> lengths, bool rows_only)
    : lengths_(std::move(lengths)) {
  std::sort(lengths_.begin(), lengths_.end());
  lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
  begin_.push_back(0);
  for (const Lengths& one : lengths_) {
    begin_.push_back(begin_.back() + (rows_only ? one.target : one.source * one.target));
  }
}

Index LengthTables::find(Lengths lengths) const {
  const auto found = std::lower_bound(lengths_.begin(), lengths_.end(), lengths);
  if (found == lengths_.end() || *found != lengths) return kNone;
  return begin_[static_cast<Index>(found - lengths_.begin())];
}

TablePositions::TablePositions(double null, std::vector<Lengths> lengths, double smoothing)
    : IndependentPositions(null), tables_(std::move(lengths), false), smoothing_(smoothing) {
  log_prior_.reserve(tables_.size());
  for (const Lengths& one : tables_.lengths()) {
    log_prior_.insert(log_prior_.end(), one.source * one.target,
                      static_cast<float>(uniform_score(one.source)));
  }
}

TablePositions::TablePositions(double null, LengthTables tables, std::vector<float> cells,
                               double smoothing)
    : IndependentPositions(null),
      tables_(std::move(tables)),
      log_prior_(std::move(cells)),
      smoothing_(smoothing) {}

void TablePositions::log_prior(Lengths lengths, Index j, std::span<double> prior) const {
  const Index begin = tables_.find(lengths);
  if (begin == LengthTables::kNone) {
    std::fill(prior.begin(), prior.end(), uniform_score(prior.size()));
  } else {
    const float* cell = log_prior_.data() + begin + j * prior.size();
    std::copy(cell, cell + prior.size(), prior.begin());
  }
}

void TablePositions::count(Lengths lengths, PositionScratch& scratch, std::span<double>,
                           FixedCounts& cells) const {
  const Index begin = tables_.find(lengths);
  if (begin == LengthTables::kNone) return;
  const std::span<const double> posterior = scratch.posterior(lengths);
  for (Index j = 0; j < lengths.target; ++j) {
    for (Index i = 0; i < lengths.source; ++i) {
      cells.add(begin + j * lengths.source + i, posterior[j * (lengths.source + 1) + i]);
    }
  }
}

void TablePositions::set_parameters(std::span<const double> values) {
  require_parameters(values, log_prior_.size());
  std::transform(values.begin(), values.end(), log_prior_.begin(),
                 [](double value) { return static_cast<float>(value); });
}

void TablePositions::update(std::span<const double>, const FixedCounts& cells) {
  constexpr double kLeast = 1e-12;  // of a probability: no position is ruled out for good
  Index cell = 0;
  for (const Lengths& one : tables_.lengths()) {
    for (Index j = 0; j < one.target; ++j, cell += one.source) {
      double total = 0;
      for (Index i = 0; i < one.source; ++i) total += cells[cell + i] + smoothing_;
      if (total <= 0) continue;
      for (Index i = 0; i < one.source; ++i) {
        const double share = (cells[cell + i] + smoothing_) / total;
        log_prior_[cell + i] = static_cast<float>(portable_log(std::max(share, kLeast)));
      }
    }
  }
}

DiagonalPositions::DiagonalPositions(double null, double tension, std::vector<Lengths> lengths)
    : IndependentPositions(null), tension_(tension), tables_(std::move(lengths), true) {}

void DiagonalPositions::log_prior(Lengths lengths, Index j, std::span<double> prior) const {
  for (Index i = 0; i < prior.size(); ++i) prior[i] = -tension_ * off_diagonal(lengths, j, i);
  const double total = log_sum_exp(prior);
  for (double& score : prior) score -= total;
}

void DiagonalPositions::set_parameters(std::span<const double> values) {
  require_parameters(values, 1);
  tension_ = values[0];
}

// sums[0]: the expected |…| of what is not nothing; cells: how much of each j that is.
void DiagonalPositions::count(Lengths lengths, PositionScratch& scratch, std::span<double> sums,
                              FixedCounts& cells) const {
  const Index begin = tables_.find(lengths);
  if (begin == LengthTables::kNone) return;
  const double* p = scratch.marginals.data();
  for (Index j = 0; j < lengths.target; ++j, ++p) {
    double something = 0;
    for (Index i = 0; i < lengths.source; ++i, ++p) {
      something += *p;
      sums[0] += *p * off_diagonal(lengths, j, i);
    }
    cells.add(begin + j, something);
  }
}

// The derivative of Σ_j q_j log p(a_j | λ) falls in λ: Σ_j q_j E[h | j, λ] − Σ q h, at the rate
// Σ_j q_j Var[h | j, λ].
void DiagonalPositions::update(std::span<const double> sums, const FixedCounts& cells) {
  std::vector<double> p;
  tension_ = falling_root(kLargestTension, [&](double tension) {
    FallingValue now{-sums[0], 0};
    Index cell = 0;
    for (const Lengths& one : tables_.lengths()) {
      p.resize(one.source);
      for (Index j = 0; j < one.target; ++j, ++cell) {
        for (Index i = 0; i < one.source; ++i) p[i] = -tension * off_diagonal(one, j, i);
        softmax(p, p);
        double mean = 0, square = 0;
        for (Index i = 0; i < one.source; ++i) {
          const double h = off_diagonal(one, j, i);
          mean += p[i] * h;
          square += p[i] * h * h;
        }
        now.value += cells[cell] * mean;
        now.fall += cells[cell] * std::max(square - mean * mean, 0.0);
      }
    }
    return now;
  });
}

}  // namespace trellis
