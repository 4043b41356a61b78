#include "trellis/generative/hmm/hmm_inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kLog2 = 0.693147180559945309417;
constexpr double kLargestSpread = 200;  // e^−200 ≥ kMarkovSmallestFactor

void grow_to(std::vector<double>& values, Index size) {
  if (values.size() < size) values.resize(size);
}

// Draws i with probability weights[i] / Σ; the sum must be positive.
Label draw_index(std::span<const double> weights, Random& random) {
  double total = 0;
  for (const double weight : weights) total += weight;
  double rest = random.uniform() * total;
  Index last = 0;  // of those with a chance: rounding must not lead beyond it
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    if (rest < weights[i]) break;
    rest -= weights[i];
  }
  return static_cast<Label>(last);
}

}  // namespace

HmmInference::HmmInference(const Hmm& model)
    : states_(model.num_states()), stride_(markov_stride(states_)) {
  log_first_.assign(stride_, 0.0);
  log_steps_.assign(states_ * stride_, 0.0);
  log_transposed_.assign(states_ * stride_, 0.0);
  std::copy(model.initial().begin(), model.initial().end(), log_first_.begin());
  repeat_last(log_first_.data());
  for (Index i = 0; i < states_; ++i) {
    const std::span<const double> row = model.transitions(i);
    std::copy(row.begin(), row.end(), log_steps_.data() + i * stride_);
    for (Index j = 0; j < states_; ++j) log_transposed_[j * stride_ + i] = row[j];
  }
  for (Index i = 0; i < states_; ++i) {
    repeat_last(log_steps_.data() + i * stride_);
    repeat_last(log_transposed_.data() + i * stride_);
  }
  const auto exponentials = [&](const std::vector<double>& logs) {
    std::vector<double> out(logs.size());
    exp_shifted(logs, 0, out);
    for (const double value : logs) scalable_ &= value == -kInfinity || value >= -kLargestSpread;
    return out;
  };
  first_ = exponentials(log_first_);
  steps_ = exponentials(log_steps_);
  transposed_ = exponentials(log_transposed_);
  ones_.assign(stride_, 1.0);
  zeros_.assign(stride_, 0.0);
  for (Index k = 0; k < model.num_channels(); ++k) {
    Channel channel;
    channel.num_values = model.num_values(k);
    channel.first_row = num_values_;
    num_values_ += channel.num_values;
    channel.logs.assign(channel.num_values * stride_, 0.0);
    for (Index i = 0; i < stride_; ++i) {
      const std::span<const double> row = model.emissions(k, std::min(i, states_ - 1));
      for (Index o = 0; o < row.size(); ++o) channel.logs[o * stride_ + i] = row[o];
    }
    channel.scaled.resize(channel.logs.size());
    channel.shift.resize(channel.num_values);
    channel.spread.resize(channel.num_values);
    for (Index o = 0; o < channel.num_values; ++o) {
      channel.spread[o] = exp_rows(channel.logs.data() + o * stride_, 1, stride_, stride_,
                                   channel.scaled.data() + o * stride_, &channel.shift[o]);
    }
    channels_.push_back(std::move(channel));
  }
  dense_ = {0, static_cast<std::uint32_t>(states_), 0, static_cast<std::uint32_t>(states_), 0};
  for (Index i = 0; i < states_; ++i) {
    dense_rows_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i * stride_)});
  }
}

void HmmInference::check(const HmmSequence& x) const {
  if (x.observations.size() % channels_.size() != 0) {
    throw UsageError(fmt::format("{} observations do not fill {} channels", x.observations.size(),
                                 channels_.size()));
  }
  if (!x.states.empty() && x.states.size() != length(x)) {
    throw UsageError(fmt::format("{} states for {} positions", x.states.size(), length(x)));
  }
  for (Index i = 0; i < x.observations.size(); ++i) {
    const std::uint32_t value = x.observations[i];
    if (value != Hmm::kMissing && value >= channels_[i % channels_.size()].num_values) {
      throw UsageError(
          fmt::format("observation {} is not a value of channel {}", value, i % channels_.size()));
    }
  }
  for (const Label state : x.states) {
    if (state != kNoLabel && (state < 0 || static_cast<Index>(state) >= states_)) {
      throw UsageError(fmt::format("there is no state {}", state));
    }
  }
}

// Fills scratch.rows with what the observations, and known states, contribute at each position.
// False where their probabilities lie too far apart for the scaled domain.
bool HmmInference::scaled_rows(const HmmSequence& x, Scratch& scratch, double& shift) const {
  const Index length = this->length(x), channels = channels_.size();
  scratch.rows.resize(length);
  grow_to(scratch.products, length * stride_);
  shift = 0;
  for (Index t = 0; t < length; ++t) {
    const double* row = ones_.data();
    double* product = scratch.products.data() + t * stride_;
    double spread = 0;
    for (Index k = 0; k < channels; ++k) {
      const std::uint32_t value = x.observations[t * channels + k];
      if (value == Hmm::kMissing) continue;
      const Channel& channel = channels_[k];
      const double* factor = channel.scaled.data() + value * stride_;
      shift += channel.shift[value];
      spread += channel.spread[value];
      if (row == ones_.data()) {
        row = factor;
        continue;
      }
      for (Index i = 0; i < stride_; ++i) product[i] = row[i] * factor[i];
      row = product;
    }
    if (!x.states.empty() && x.states[t] != kNoLabel) {
      const auto state = static_cast<Index>(x.states[t]);
      const double weight = row[state];
      std::fill(product, product + stride_, 0.0);
      product[state] = weight;
      repeat_last(product);
      row = product;
    }
    if (!(spread <= kLargestSpread)) return false;
    scratch.rows[t] = row;
  }
  return true;
}

void HmmInference::log_rows(const HmmSequence& x, Scratch& scratch) const {
  const Index length = this->length(x), channels = channels_.size();
  scratch.rows.resize(length);
  grow_to(scratch.products, length * stride_);
  for (Index t = 0; t < length; ++t) {
    const double* row = zeros_.data();
    double* sum = scratch.products.data() + t * stride_;
    for (Index k = 0; k < channels; ++k) {
      const std::uint32_t value = x.observations[t * channels + k];
      if (value == Hmm::kMissing) continue;
      const double* term = channels_[k].logs.data() + value * stride_;
      if (row == zeros_.data()) {
        row = term;
        continue;
      }
      for (Index i = 0; i < stride_; ++i) sum[i] = row[i] + term[i];
      row = sum;
    }
    if (!x.states.empty() && x.states[t] != kNoLabel) {
      const auto state = static_cast<Index>(x.states[t]);
      const double score = row[state];
      std::fill(sum, sum + stride_, -kInfinity);
      sum[state] = score;
      repeat_last(sum);
      row = sum;
    }
    scratch.rows[t] = row;
  }
}

double HmmInference::viterbi(const HmmSequence& x, Scratch& scratch,
                             std::vector<Label>& path) const {
  check(x);
  path.resize(length(x));
  if (path.empty()) return 0;
  log_rows(x, scratch);
  grow_to(scratch.alpha, path.size() * stride_);
  const double best =
      markov_viterbi(log_table(), log_first_.data(), scratch.rows, scratch.alpha.data(), path);
  if (best == -kInfinity) path.clear();
  return best;
}

// False if the scaled domain fails, or if only backward_scaled can decide (forward.lifted).
bool HmmInference::forward_scaled(const HmmSequence& x, Scratch& scratch, MarkovForward& forward,
                                  double& value) const {
  double shift = 0;
  if (!scalable_ || !scaled_rows(x, scratch, shift)) return false;
  grow_to(scratch.alpha, scratch.rows.size() * stride_);
  grow_to(scratch.scales, scratch.rows.size());
  forward = markov_forward(table(), first_.data(), scratch.rows, scratch.alpha.data(),
                           scratch.scales.data());
  value = forward.possible
              ? portable_log(forward.total) + static_cast<double>(forward.exponent) * kLog2 + shift
              : -kInfinity;
  return true;
}

bool HmmInference::backward_scaled(const MarkovForward& forward, Scratch& scratch) const {
  grow_to(scratch.gamma, scratch.rows.size() * stride_);
  grow_to(scratch.weighted, scratch.rows.size() * stride_);
  const double largest =
      markov_backward(table(), forward, scratch.rows, scratch.alpha.data(), scratch.scales.data(),
                      scratch.gamma.data(), scratch.weighted.data());
  return largest <= kMarkovLargestBackward;
}

// incoming(t, j) = the row of t plus log Σ of what may follow j, less a constant; the same is done
// to `first`: P(s_0 | x) ∝ exp(first). See structure/sequences/chain_log.cc.
double HmmInference::backward_log(const HmmSequence& x, Scratch& scratch) const {
  log_rows(x, scratch);
  const Index length = scratch.rows.size();
  grow_to(scratch.incoming, length * stride_);
  scratch.backward.assign(stride_, 0.0);
  double shift = 0;
  for (Index t = length - 1; t > 0; --t) {
    double* incoming = scratch.incoming.data() + t * stride_;
    for (Index j = 0; j < states_; ++j) incoming[j] = scratch.rows[t][j] + scratch.backward[j];
    log_sum_rows(log_step(), log_steps_.data(), incoming, scratch.backward.data());
    const double largest = max_value({scratch.backward.data(), states_});
    if (largest == -kInfinity) return -kInfinity;
    for (Index j = 0; j < states_; ++j) scratch.backward[j] -= largest;
    shift += largest;
  }
  scratch.first.resize(states_);
  for (Index i = 0; i < states_; ++i) {
    scratch.first[i] = log_first_[i] + scratch.rows[0][i] + scratch.backward[i];
  }
  return log_sum_exp(scratch.first) + shift;
}

// γ from backward_log, which must be finite; the expected steps are added to `pairs`, if there is
// one.
void HmmInference::marginals_log(Index length, Scratch& scratch, double* pairs) const {
  scratch.gamma.assign(length * stride_, 0.0);
  scratch.buffer.resize(states_);
  double* gamma = scratch.gamma.data();
  softmax(scratch.first, {gamma, states_});
  for (Index t = 1; t < length; ++t, gamma += stride_) {
    propagate(log_step(), log_steps_.data(), scratch.incoming.data() + t * stride_, gamma,
              gamma + stride_, pairs, scratch.buffer.data());
  }
}

// Leaves γ in the scratch; in the scaled domain also α and v, and else adds to `pairs`.
HmmInference::Sums HmmInference::forward_backward(const HmmSequence& x, Scratch& scratch,
                                                  double* pairs) const {
  check(x);
  Sums sums;
  if (x.observations.empty()) return sums;
  MarkovForward forward;
  if (forward_scaled(x, scratch, forward, sums.value)) {
    if (!forward.possible) return sums;
    sums.scaled = backward_scaled(forward, scratch);
    if (sums.scaled) return sums;
  }
  sums.value = backward_log(x, scratch);
  if (sums.value != -kInfinity) marginals_log(length(x), scratch, pairs);
  return sums;
}

double HmmInference::log_likelihood(const HmmSequence& x, Scratch& scratch) const {
  check(x);
  if (x.observations.empty()) return 0;
  MarkovForward forward;
  double value = 0;
  if (forward_scaled(x, scratch, forward, value)) {
    if (!forward.possible || !forward.lifted || backward_scaled(forward, scratch)) return value;
  }
  return backward_log(x, scratch);
}

double HmmInference::posteriors(const HmmSequence& x, Scratch& scratch,
                                std::span<double> marginals) const {
  const Index length = this->length(x);
  assert(marginals.size() == length * states_);
  const double value = forward_backward(x, scratch, nullptr).value;
  if (value == -kInfinity) {
    std::fill(marginals.begin(), marginals.end(), 0.0);
    return value;
  }
  for (Index t = 0; t < length; ++t) {
    const double* gamma = scratch.gamma.data() + t * stride_;
    std::copy(gamma, gamma + states_, marginals.data() + t * states_);
  }
  return value;
}

double HmmInference::posterior_states(const HmmSequence& x, Scratch& scratch,
                                      std::vector<Label>& path) const {
  path.clear();
  const double value = forward_backward(x, scratch, nullptr).value;
  if (value == -kInfinity) return value;
  for (Index t = 0; t < length(x); ++t) {
    const double* gamma = scratch.gamma.data() + t * stride_;
    path.push_back(static_cast<Label>(std::max_element(gamma, gamma + states_) - gamma));
  }
  return value;
}

void HmmInference::sample_states(const HmmSequence& x, Random& random, Scratch& scratch,
                                 std::vector<Label>& path) const {
  check(x);
  const Index length = this->length(x);
  path.clear();
  if (length == 0) return;
  std::vector<double>& weights = scratch.buffer;
  weights.resize(states_);
  MarkovForward forward;
  double value = 0;
  if (forward_scaled(x, scratch, forward, value) && !(forward.possible && forward.lifted)) {
    if (!forward.possible) return;
    path.resize(length);
    for (Index t = length; t-- > 0;) {
      const double* alpha = scratch.alpha.data() + t * stride_;
      const double* step = t + 1 == length
                               ? ones_.data()
                               : transposed_.data() + static_cast<Index>(path[t + 1]) * stride_;
      for (Index i = 0; i < states_; ++i) weights[i] = alpha[i] * step[i];
      path[t] = draw_index(weights, random);
    }
    return;
  }
  if (backward_log(x, scratch) == -kInfinity) return;
  for (Index t = 0; t < length; ++t) {
    if (t == 0) {
      std::copy(scratch.first.begin(), scratch.first.end(), weights.begin());
    } else {
      const double* step = log_steps_.data() + static_cast<Index>(path.back()) * stride_;
      const double* incoming = scratch.incoming.data() + t * stride_;
      for (Index j = 0; j < states_; ++j) weights[j] = step[j] + incoming[j];
    }
    softmax(weights, weights);
    path.push_back(draw_index(weights, random));
  }
}

// The layout of the sums: γ_0; Σ α v, which A is yet to multiply; expected steps; and for each
// value of each channel a row over the states.
double HmmInference::add_expectations(const HmmSequence& x, Scratch& scratch,
                                      std::span<double> sums) const {
  assert(sums.size() == num_sums());
  const Index length = this->length(x), channels = channels_.size();
  const Sums found = forward_backward(x, scratch, sums.data() + pair_sums_begin());
  if (found.value == -kInfinity || length == 0) return found.value;
  if (found.scaled) {
    markov_pairs(table(), length, scratch.alpha.data(), scratch.weighted.data(),
                 sums.data() + stride_);
  }
  for (Index i = 0; i < states_; ++i) sums[i] += scratch.gamma[i];
  scratch.targets.resize(length);
  for (Index k = 0; k < channels; ++k) {
    double* rows = sums.data() + emission_sums_begin() + channels_[k].first_row * stride_;
    for (Index t = 0; t < length; ++t) {
      const std::uint32_t value = x.observations[t * channels + k];
      scratch.targets[t] = value == Hmm::kMissing ? nullptr : rows + value * stride_;
    }
    add_markov_rows(stride_, scratch.targets, scratch.gamma.data());
  }
  return found.value;
}

std::vector<double> HmmInference::expected_counts(std::span<const double> sums) const {
  assert(sums.size() == num_sums());
  std::vector<double> counts(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(states_));
  for (Index i = 0; i < states_; ++i) {
    const double* products = sums.data() + stride_ + i * stride_;
    const double* pairs = sums.data() + pair_sums_begin() + i * stride_;
    for (Index j = 0; j < states_; ++j) {
      counts.push_back(products[j] * steps_[i * stride_ + j] + pairs[j]);
    }
  }
  for (const Channel& channel : channels_) {
    const double* rows = sums.data() + emission_sums_begin() + channel.first_row * stride_;
    for (Index i = 0; i < states_; ++i) {
      for (Index o = 0; o < channel.num_values; ++o) counts.push_back(rows[o * stride_ + i]);
    }
  }
  return counts;
}

}  // namespace trellis
