#include "trellis/generative/alignment/jump_positions.h"

#include <algorithm>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kLeastWeight = 1e-9;  // of a class: no jump is ruled out for good

}  // namespace

JumpPositions::JumpPositions(const Options& options) : options_(options) {
  const Index classes = 2 * options.reach + 1;
  set_weights(std::vector<double>(classes, 1 / static_cast<double>(classes)));
}

JumpPositions::JumpPositions(const Options& options, std::vector<double> weights)
    : options_(options) {
  set_weights(std::move(weights));
}

void JumpPositions::set_weights(std::vector<double> weights) {
  weights_ = std::move(weights);
  running_.assign(1, 0.0);
  log_weights_.clear();
  for (const double c : weights_) {
    log_weights_.push_back(portable_log(c));
    running_.push_back(running_.back() + c);
  }
}

void JumpPositions::set_parameters(std::span<const double> values) {
  require_parameters(values, weights_.size());
  set_weights({values.begin(), values.end()});
}

double JumpPositions::range_sum(std::ptrdiff_t first, std::ptrdiff_t last) const {
  const auto reach = static_cast<std::ptrdiff_t>(options_.reach);
  double total = 0;
  if (first < -reach) {
    total += static_cast<double>(std::min(last + 1, -reach) - first) * weights_.front();
  }
  if (last > reach)
    total += static_cast<double>(last - std::max(first - 1, reach)) * weights_.back();
  const std::ptrdiff_t begin = std::max(first, -reach), end = std::min(last, reach) + 1;
  if (begin < end) {
    total +=
        running_[static_cast<Index>(end + reach)] - running_[static_cast<Index>(begin + reach)];
  }
  return total;
}

void JumpPositions::add_range(std::ptrdiff_t first, std::ptrdiff_t last, double share,
                              std::span<double> classes) const {
  const auto reach = static_cast<std::ptrdiff_t>(options_.reach);
  if (first < -reach) {
    classes.front() += static_cast<double>(std::min(last + 1, -reach) - first) * share;
  }
  if (last > reach)
    classes.back() += static_cast<double>(last - std::max(first - 1, reach)) * share;
  for (std::ptrdiff_t d = std::max(first, -reach); d <= std::min(last, reach); ++d) {
    classes[static_cast<Index>(d + reach)] += share;
  }
}

Index JumpPositions::num_scores(Lengths lengths) const {
  return chain(lengths).num_parts();
}

// Behind the grid: log c, −log Z, and the draw of the end.
void JumpPositions::complete_scores(const JumpChain& chain, PositionScratch& scratch) const {
  const auto positions = static_cast<std::ptrdiff_t>(chain.positions());
  std::vector<double>& s = scratch.scores;
  const double something = portable_log(1 - options_.null), nothing = portable_log(options_.null);
  double* node = s.data();
  for (Index j = 0; j < chain.length(); ++j) {
    for (std::ptrdiff_t i = 0; i < positions; ++i) *node++ += something;
    *node++ += nothing;
  }
  std::copy(log_weights_.begin(), log_weights_.end(), node);
  for (std::ptrdiff_t last = -1; last < positions; ++last) {
    const double within = range_sum(-last, positions - 1 - last);
    const double end = s[chain.jump_part(positions - last)];
    s[chain.depart_part(static_cast<Label>(last))] = within > 0 ? -portable_log(within) : 0;
    s[chain.stop_part(static_cast<Label>(last))] =
        end - portable_log(range_sum(-last, positions - last));
  }
}

double JumpPositions::sums(Lengths lengths, PositionScratch& scratch) const {
  const JumpChain walks = chain(lengths);
  complete_scores(walks, scratch);
  scratch.marginals.resize(walks.num_parts());
  return walks.log_partition(scratch.scores, scratch.chain, scratch.marginals);
}

double JumpPositions::maximize(Lengths lengths, PositionScratch& scratch,
                               std::vector<Label>& a) const {
  const JumpChain walks = chain(lengths);
  complete_scores(walks, scratch);
  return walks.maximize(scratch.scores, scratch.chain, a);
}

void JumpPositions::sample(Lengths lengths, PositionScratch& scratch, Random& random,
                           std::vector<Label>& a) const {
  const JumpChain walks = chain(lengths);
  complete_scores(walks, scratch);
  walks.sample(scratch.scores, random, scratch.chain, a);
}

// sums: N by class, then Σ n k/Z by class.
void JumpPositions::count(Lengths lengths, PositionScratch& scratch, std::span<double> sums,
                          FixedCounts&) const {
  const JumpChain walks = chain(lengths);
  const auto positions = static_cast<std::ptrdiff_t>(lengths.source);
  const std::span<const double> z = scratch.marginals;
  const std::span<double> jumps = sums.first(weights_.size());
  const std::span<double> rates = sums.subspan(weights_.size(), weights_.size());
  const Index jump_begin = walks.jump_part(-static_cast<std::ptrdiff_t>(options_.reach));
  for (Index b = 0; b < jumps.size(); ++b) jumps[b] += z[jump_begin + b];
  for (std::ptrdiff_t last = -1; last < positions; ++last) {
    const auto from = static_cast<Label>(last);
    const double departures = z[walks.depart_part(from)], stops = z[walks.stop_part(from)];
    if (departures > 0) {
      const double within = range_sum(-last, positions - 1 - last);
      add_range(-last, positions - 1 - last, departures / within, rates);
    }
    if (stops > 0) {
      add_range(-last, positions - last, stops / range_sum(-last, positions - last), rates);
      jumps[walks.jump_part(positions - last) - jump_begin] += stops;
    }
  }
}

void JumpPositions::update(std::span<const double> sums, const FixedCounts&) {
  const Index classes = weights_.size();
  const double eta = options_.smoothing, total = sum(weights_);
  std::vector<double> next(classes);
  for (Index b = 0; b < classes; ++b) {
    const double rate = sums[classes + b] + eta * static_cast<double>(classes) / total;
    next[b] = rate > 0 ? (sums[b] + eta) / rate : weights_[b];
  }
  const double next_total = sum(next);
  for (double& c : next) c = std::max(c / next_total, kLeastWeight);
  set_weights(std::move(next));
}

}  // namespace trellis
