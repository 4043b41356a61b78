// Loopy belief propagation (Pearl 1988; Smith & Eisner 2008 for factors such as TREE): beliefs
// about states and about factors' own parts, and the Bethe estimate of
//
//   log Z = log Σ over legal assignments of exp(s·z).
//
// It is exact on acyclic graphs once messages have travelled from end to end; on others it may be
// too large or too small and need not converge. Beliefs are normalised at each variable and in each
// factor; those of different factors agree after convergence. The result is −∞ if no assignment of
// a factor is legal under the messages, or if the estimate is below that of any consistent beliefs.
// With cycles, it is NP-hard to decide whether an assignment is legal.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/solve/convergence.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/factors/factor_messages.h"
#include "trellis/solve/factors/factor_sums.h"

namespace trellis {

//   kFlooding  all factors at once, from the messages of the last sweep
//   kSweep     one after another, with the latest messages; forwards, then backwards
//   kResidual  always the factor whose messages changed most (Elidan, McGraw & Koller 2006)
enum class MessageSchedule { kFlooding, kSweep, kResidual };
constexpr auto names_of(MessageSchedule) {
  return Names{"schedule of messages", "flooding", "sweep", "residual"};
}

struct BeliefOptions {
  MessageSchedule schedule = MessageSchedule::kSweep;
  double damping = 0;          // how much of the old message stays, from 0 to below 1
  Index max_iterations = 200;  // in each as many updates as there are factors
  double tolerance = 1e-9;     // on the change of messages, relative where they are above 1
};

// Reuses its memory in repeated calls; use one object per thread.
class BeliefPropagation {
 public:
  // Returns the Bethe estimate; writes beliefs of all parts to `marginals`.
  double log_sum(const FactorGraphLayout& layout, std::span<const double> s,
                 const BeliefOptions& options, std::span<double> marginals);
  // The Bethe entropy of the same beliefs: below 0 if these are far from any distribution's.
  double entropy(const FactorGraphLayout& layout, std::span<const double> s,
                 const BeliefOptions& options);
  // Of the last call; the residual is the largest change of a message in the last sweep.
  const Convergence& convergence() const { return convergence_; }

 private:
  // False if no assignment of a factor is legal.
  bool pass_messages(const FactorGraphLayout& layout, std::span<const double> s,
                     const BeliefOptions& options);
  bool flood(const FactorGraphLayout& layout, std::span<const double> s, double damping);
  bool sweep(const FactorGraphLayout& layout, std::span<const double> s, double damping,
             bool backwards);
  bool pass_by_residual(const FactorGraphLayout& layout, std::span<const double> s,
                        const BeliefOptions& options);
  double update(const FactorGraphLayout& layout, std::span<const double> s, Index f);

  FactorSums sums_;
  FactorMessages messages_;
  Convergence convergence_;
  double limit_ = 0;
  std::vector<double> heard_;     // messages of a factor
  std::vector<double> prepared_;  // messages of all
  std::vector<double> urgency_;   // by factor: what has changed since it was last asked
};

}  // namespace trellis
