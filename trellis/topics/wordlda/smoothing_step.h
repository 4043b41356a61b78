// Optimises smoothers given the topics of all tokens (Petterson 2011, sec. 6.3.3). It minimises
//
//   F(y, u) = Σ_k [ log Γ(β̄_k + n_k) − log Γ(β̄_k) ]
//           − Σ_kv [ log Γ(β_kv + n_kv) − log Γ(β_kv) ] − log p(y, u)
//
// over the words with smoothers, where
//
//   ∂F/∂y_kv = β_kv (ψ(β̄_k + n_k) − ψ(β̄_k) − ψ(β_kv + n_kv) + ψ(β_kv)) + (prior).
//
// Given y_v, F is a sum over topics, each with its own y_kv and u_k. A step is therefore L-BFGS
// over y_v for all topics and then L-BFGS for each topic separately, in parallel: the variables and
// the history of one topic fit into a cache, those of all topics would not. Each step begins where
// the last one ended. With the default options the first step of a chain of 60 documents leaves a
// fifth of F(0) − F(minimum) to be gained, and steps from the sixth on leave 2 %
// (SmoothingStep.DefaultStepsOfAChainComeNearTheMinimum).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/lda/lda_chain.h"
#include "trellis/topics/wordlda/smoothers.h"

namespace trellis::topics {

// F for the current counts of a chain.
class SmoothingObjective {
 public:
  // `words` must outlive it.
  SmoothingObjective(const LdaChain& chain, const RelatedWords& words,
                     const SmoothingOptions& options);

  // F as a function of y_v, with fixed scores of topics (K rows of num_rows() values), minus the
  // terms that depend only on these scores.
  double of_common(std::span<const double> common, std::span<const double> scores,
                   std::span<double> gradient, int threads) const;
  // The part of topic k, with y_v fixed. `scratch` has 3 num_rows() values.
  double of_topic(Index k, std::span<const double> common, std::span<const double> of_topic,
                  std::span<double> gradient, std::span<double> scratch) const;
  double of_common_prior(std::span<const double> common) const;  // −log p of y_v
  // The whole function F.
  double value(const Smoothers& smoothers) const;

 private:
  struct Entry {
    std::uint32_t row, count;
  };
  std::span<const Entry> counts(Index k) const {
    return std::span(counts_).subspan(begin_[k], begin_[k + 1] - begin_[k]);
  }
  double prior(std::span<const double> of_topic, std::span<double> gradient) const;

  const RelatedWords& words_;
  double link_precision_, own_precision_, feature_precision_;  // 1/λ², 1/σ², 1/τ²
  // Σ_c log Γ(β̄_k^c + n_k^c) − log Γ(β̄_k^c), and its derivative by β̄_k^c, by part of the
  // vocabulary; false if β̄_k exceeds all bounds. (The formulas above are those of one part.)
  bool rise(Index k, std::span<const double> beta, double& value, std::span<double> slopes) const;

  // Subtracts Σ_v log Γ(β_kv + n_kv) − log Γ(β_kv) from the value, and its derivatives by log β_kv
  // from the slopes, by row.
  void subtract_tokens(Index k, std::span<const double> log_beta, std::span<const double> beta,
                       double& value, std::span<double> slopes) const;

  Index num_topics_;
  std::vector<double> log_base_;       // log b_v, by row
  std::vector<std::uint8_t> part_of_;  // by row
  std::vector<double> others_;         // Σ b over words without a row, by part
  std::vector<std::uint32_t> totals_;  // n_k^c, as the chain has them
  std::vector<std::uint64_t> begin_;
  std::vector<Entry> counts_;  // n_kv > 0, by topic and row
};

struct SmoothingOutcome {
  double objective = 0;   // F where it ended
  Index evaluations = 0;  // of the topic that took the most, and of y_v
};

// One step; sets the chain's prior from the result. Same bits for any number of threads.
SmoothingOutcome smooth(LdaChain& chain, const RelatedWords& words, const SmoothingOptions& options,
                        Smoothers& smoothers, int threads);

}  // namespace trellis::topics
