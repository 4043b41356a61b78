// Inference of the states of a hidden Markov model from observations: the best sequence (Viterbi
// 1967), likelihood and posteriors (forward–backward, Baum et al. 1970; Rabiner 1989), expected
// counts for Baum–Welch, and draws of states.
//
// The tables are made once per model: rows over the states, contiguous, as probabilities and as
// logarithms. Sums run in the scaled probability domain (solve/vectors/markov_kernels.h) while that
// is provably exact up to rounding, and otherwise in the log domain: if a positive probability is
// below e^−200, or if later observations outweigh a nearly excluded state by more than the range of
// the scaled domain. Time: O(T·S²); memory: O(T·S) of scratch.
//
// The states of a sequence may be known at some positions; then all results are over the sequences
// of states that agree with these. If observations (and known states) have probability 0, values
// are −∞, and there is no best sequence, no posterior and no draw.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/generative/hmm/hmm.h"
#include "trellis/solve/vectors/markov_kernels.h"
#include "trellis/solve/vectors/segment_matrix.h"

namespace trellis {

// Use one per thread; grows to the longest sequence so far.
struct HmmScratch {
  std::vector<const double*> rows;  // by position: emissions, as the domain at hand has them
  std::vector<double> products;     // rows that are no table's own
  std::vector<double> alpha, gamma, weighted, scales;
  std::vector<double> incoming, backward, first, buffer;  // of the log domain
  std::vector<double*> targets;
};

class HmmInference {
 public:
  using Scratch = HmmScratch;

  // Copies what it needs from the model.
  explicit HmmInference(const Hmm& model);

  Index num_states() const { return states_; }
  Index num_channels() const { return channels_.size(); }

  // The best states and log P(s, x). Of equal sequences, the one with the smallest states, read
  // from the end.
  double viterbi(const HmmSequence& x, Scratch& scratch, std::vector<Label>& path) const;
  // log P(x)
  double log_likelihood(const HmmSequence& x, Scratch& scratch) const;
  // log P(x), and P(s_t = i | x) at t·S + i of `marginals`.
  double posteriors(const HmmSequence& x, Scratch& scratch, std::span<double> marginals) const;
  // log P(x), and the likeliest state of each position (the smallest of equal ones).
  double posterior_states(const HmmSequence& x, Scratch& scratch, std::vector<Label>& path) const;
  // A draw from P(s | x); empty if x is impossible.
  void sample_states(const HmmSequence& x, Random& random, Scratch& scratch,
                     std::vector<Label>& path) const;

  // Sums over sequences for the M-step of Baum–Welch, in a layout of their own: vectors of
  // num_sums() values, initially 0, which can be added. Returns log P(x).
  Index num_sums() const { return emission_sums_begin() + stride_ * num_values_; }
  double add_expectations(const HmmSequence& x, Scratch& scratch, std::span<double> sums) const;
  // The expected count of each parameter, in the layout of θ.
  std::vector<double> expected_counts(std::span<const double> sums) const;

 private:
  // The tables of a channel, a row over the states for each value.
  struct Channel {
    Index num_values = 0;
    Index first_row = 0;               // among those of all channels
    std::vector<double> logs, scaled;  // scaled = exp(logs − shift)
    std::vector<double> shift, spread;
  };
  struct Sums {
    double value = 0;  // log P(x)
    bool scaled = false;
  };

  Index length(const HmmSequence& x) const { return x.observations.size() / channels_.size(); }
  Index pair_sums_begin() const { return stride_ + states_ * stride_; }
  Index emission_sums_begin() const { return stride_ + 2 * states_ * stride_; }
  MarkovTable table() const { return {states_, stride_, steps_.data(), transposed_.data()}; }
  MarkovTable log_table() const {
    return {states_, stride_, log_steps_.data(), log_transposed_.data()};
  }
  SegmentMatrix log_step() const { return {{&dense_, 1}, dense_rows_}; }

  void check(const HmmSequence& x) const;
  void repeat_last(double* row) const {
    if (stride_ > states_) row[states_] = row[states_ - 1];
  }
  bool scaled_rows(const HmmSequence& x, Scratch& scratch, double& shift) const;
  void log_rows(const HmmSequence& x, Scratch& scratch) const;
  bool forward_scaled(const HmmSequence& x, Scratch& scratch, MarkovForward& forward,
                      double& value) const;
  bool backward_scaled(const MarkovForward& forward, Scratch& scratch) const;
  double backward_log(const HmmSequence& x, Scratch& scratch) const;
  void marginals_log(Index length, Scratch& scratch, double* pairs) const;
  Sums forward_backward(const HmmSequence& x, Scratch& scratch, double* pairs) const;

  Index states_, stride_, num_values_ = 0;
  bool scalable_ = true;  // no positive probability of a start or a step is too small
  std::vector<double> first_, steps_, transposed_;
  std::vector<double> log_first_, log_steps_, log_transposed_;
  std::vector<double> ones_, zeros_;
  std::vector<Channel> channels_;
  SegmentMatrix::Group dense_;
  std::vector<SegmentMatrix::Row> dense_rows_;
};

}  // namespace trellis
