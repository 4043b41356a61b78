// The loop of the online learners, written once: epochs over a keyed permutation of the examples,
// interruption at any example, resumption to the same bits, history, certificate. What makes a
// perceptron a perceptron and DCA a DCA is an OnlineRule.
//
// The certificate of an online learner uses up to two cuts of the risk per epoch. The first needs
// no pass: each example i was visited once, at some w_t, and handed out a cut; the mean of these n
// cuts is a cut of the risk. The second is that at the weights that would be returned, from the
// pass that also evaluates the objective there, or bounds it from above where the cuts need not
// touch.
#pragma once

#include <span>
#include <string>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

// What one visit to an example did.
struct Visit {
  double loss;     // L_i at the weights before the update, or the value of the cut
  const Cut* cut;  // the piece of L_i that was handed out; lives until the next visit
  bool changed;    // whether the weights moved
  // Coordinates that were written, for a rule that steps along something else than the cut; 0:
  // those of the cut's slope.
  Index touched = 0;
  const Scratch* scratch = nullptr;  // of the oracle's call
};

class OnlineRule {
 public:
  virtual ~OnlineRule() = default;

  // Called once, before the first visit. False if stop was requested meanwhile: the weights have
  // not changed, and start is called again when the run is resumed.
  virtual bool start(const std::stop_token&) { return true; }
  // Evaluates example i at the current weights and updates them.
  virtual Visit visit(Index i) = 0;
  // All examples have been visited. Must change nothing when called twice in a row, since a run
  // that is interrupted between this and the next visit comes here again.
  virtual void end_epoch() {}
  // The weights that would be returned now; they live until the next call.
  virtual std::span<const double> result() = 0;
  // A lower bound on min P that the rule knows by itself, after end_epoch().
  virtual double bound() const { return kUnknown; }
  // Whether, for all that the rule knows, the gap at result() meets the tolerance: then the pass
  // that proves it is worth its price. Asked where that is not due anyway.
  virtual bool seems_converged(double) const { return false; }
  // All that the rule's future depends on.
  virtual void save(Checkpoint& checkpoint) const = 0;
  virtual void load(const Checkpoint& checkpoint) = 0;
};

struct OnlineSetup {
  const Oracle& oracle;
  const CutOracle* cuts;  // the same oracle, or null where its pieces are no cuts
  double lambda;
  Index max_epochs;
  VisitOrder order;
  std::string identity;  // the rule's name and all options that its bits depend on
  // With control.certify: the pass at result() follows every so many epochs, and the last.
  Index certify_every = 1;
  // Whether the cuts of the visits join the certificate. They need not where the rule's own bound
  // is better; they must not where a visit does not hand out a cut.
  bool visits_certify = true;
  // The same oracle, where its losses are estimates or bounds: each visit of the rule then uses
  // Visit::scratch, and the history tells how the sums ended.
  const ApproximateOracle* estimates = nullptr;
};

// Runs the rule until its max_epochs are over, an epoch changes nothing (kConverged; kStalled where
// cuts need not touch and nothing proves that none was missed), or the control says so. The result
// is then rule.result(), also after an interruption. Throws UsageError for certify without cuts and
// for an oracle without examples.
LearnSummary run_online(const OnlineSetup& setup, OnlineRule& rule, const LearnControl& control);

// Throws UsageError unless w has the oracle's dimension.
void require_dimension(const Oracle& oracle, std::span<const double> w);

}  // namespace trellis
