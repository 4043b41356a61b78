// How probability tables are estimated: options and their defaults, for hidden Markov models and
// Bayesian networks.
//
//   ml            relative frequencies, smoothed
//   em            expectation–maximisation, if some values are unknown
//   conditional   (P) with L_k = ln Σ_s P(s, o_k) e^{γ l(s_k, s)} − ln P(s_k, o_k)
//   max-margin    (P) with L_k = max_s ln P(s, o_k) + γ l(s_k, s) − ln P(s_k, o_k)
//
// with γ = 0 and γ = 1 by default: conditional likelihood −ln P(s_k | o_k), and the margin of Yu,
// Bertsekas & Rousu. (P) is that of generative/margin/margin_training.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/generative/margin/margin_training.h"

namespace trellis {

constexpr auto names_of(Divergence) {
  return Names{"divergence", "forward", "reverse"};
}

}  // namespace trellis

namespace trellis::generative {

enum class Estimator { kMl, kEm, kConditional, kMaxMargin };
constexpr auto names_of(Estimator) {
  return Names{"estimator", "ml", "em", "conditional", "max-margin"};
}

// kRescaled is another loss, max_s l(s_k, s) (1 + ln P(s, o_k) − ln P(s_k, o_k)), with h(ε) = ε.
enum class SlackPenalty { kLinear, kQuadratic, kRescaled };
constexpr auto names_of(SlackPenalty) {
  return Names{"penalty", "linear", "quadratic", "rescaled"};
}

// θ⁰.
enum class Start { kUniform, kMl };
constexpr auto names_of(Start) {
  return Names{"start", "uniform", "ml"};
}

// An empty option has the default of the estimator. Options of another estimator are refused.
struct EstimatorOptions {
  Estimator estimator = Estimator::kMl;
  std::optional<double> smoothing;  // α; ml (also for --towards and --start): 1, em: 0.1
  std::optional<Index> iterations;  // em: 100; conditional, max-margin: 2000

  // em
  std::optional<Index> restarts;    // 1
  std::optional<double> tolerance;  // relative, of the objective: 1e-6

  // conditional, max-margin
  std::vector<double>
      eta;  // several: candidates; none: 0.1, 1, 10 over the examples; quadratic: 1 % of that
  std::vector<double> gamma;   // several: candidates; none: 0 for conditional, else 0.1, 0.3, 1
  std::optional<Index> folds;  // for the choice without a held-out file: 5
  std::optional<std::string> towards;  // uniform, ml or the path of a model; default ml
  std::optional<Divergence> divergence;
  std::optional<double> gap;
  std::optional<double> proximal;  // MarginOptions::gamma
  std::optional<Index> vertices;
  std::optional<Index> directions;
  std::optional<Index> working_sets;  // 1
  std::optional<bool> online;
  std::optional<Index> rounds;     // passes over the working sets, instead of iterations
  std::optional<Index> set_steps;  // master problems per visit to a set
  std::optional<Start> start;

  std::optional<SlackPenalty> penalty;  // max-margin
  // The cost of mistakes in training, in the choice of η and γ, and in evaluations: hamming, ring
  // or the path of a table.
  std::optional<std::string> loss;

  std::uint64_t seed = 1;
  int threads = 1;

  bool discriminative() const {
    return estimator == Estimator::kConditional || estimator == Estimator::kMaxMargin;
  }
  // Throws UsageError for options that do not fit together and for invalid numbers.
  void check(bool has_dev) const;

  // The option that limits the iterations.
  const char* limit() const { return rounds ? "--rounds" : "--iterations"; }
  double alpha() const { return smoothing.value_or(estimator == Estimator::kEm ? 0.1 : 1.0); }
  std::vector<double> etas(Index num_examples) const;
  std::vector<double> gammas() const;
  std::string towards_or_default() const { return towards.value_or("ml"); }
  Start start_or_default() const { return start.value_or(Start::kMl); }
  SlackPenalty penalty_or_default() const { return penalty.value_or(SlackPenalty::kLinear); }
  std::string loss_or_default() const { return loss.value_or("hamming"); }
  MarginOptions margin(double eta) const;

 private:
  void check_estimator(bool has_dev) const;
  void check_numbers() const;
};

// Parses "0.01,0.1,1". Throws UsageError unless all numbers are positive (γ: or 0).
std::vector<double> parse_etas(const std::string& text);
std::vector<double> parse_gammas(const std::string& text);

}  // namespace trellis::generative
