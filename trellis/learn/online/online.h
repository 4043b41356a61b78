// The common loop of the online learners: epochs over a keyed permutation of the examples,
// interruption at any example, resumption to the same bits, history, certificate. An OnlineRule
// defines the update, for example that of the perceptron or of DCA.
//
// The certificate of an online learner uses up to two cuts of the risk per epoch. The first needs
// no pass: each example i was visited once, at some w_t, and returned a cut; the mean of these n
// cuts is a cut of the risk. The second is the cut at the weights that would be returned, from the
// pass that also evaluates the objective there, or an upper bound if the cuts need not touch.
#pragma once

#include <span>
#include <string>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

// The result of one visit to an example.
struct Visit {
  double loss;     // L_i at the weights before the update, or the value of the cut
  const Cut* cut;  // the piece of L_i that the oracle returned; valid until the next visit
  bool changed;    // whether the weights moved
  // The number of coordinates written, for a rule whose step is not along the cut; 0: those of the
  // cut's slope.
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
  // Called after all examples have been visited. A second call in a row must change nothing, since
  // a run interrupted between this and the next visit calls it again.
  virtual void end_epoch() {}
  // The weights that would be returned now; valid until the next call.
  virtual std::span<const double> result() = 0;
  // A lower bound on min P that the rule itself knows, after end_epoch().
  virtual double bound() const { return kUnknown; }
  // Whether, by the rule's own knowledge, the gap at result() meets the tolerance: then the pass
  // that proves it is worth its cost. Called if that pass is not due anyway.
  virtual bool seems_converged(double) const { return false; }
  // Saves everything that the rule's future depends on.
  virtual void save(Checkpoint& checkpoint) const = 0;
  virtual void load(const Checkpoint& checkpoint) = 0;
};

struct OnlineSetup {
  const Oracle& oracle;
  const CutOracle* cuts;  // the same oracle, or null if its pieces are not cuts
  double lambda;
  Index max_epochs;
  VisitOrder order;
  std::string identity;  // the rule's name and all options that its bits depend on
  // With control.certify: the pass at result() follows every certify_every epochs, and the last.
  Index certify_every = 1;
  // Whether the certificate uses the cuts of the visits. It need not if the rule's own bound is
  // better; it must not if visits return no cuts.
  bool visits_certify = true;
  // The same oracle, if its losses are estimates or bounds: each visit of the rule then uses
  // Visit::scratch, and the history records the convergence of the sums.
  const ApproximateOracle* estimates = nullptr;
};

// Runs the rule until max_epochs, until an epoch changes nothing (kConverged; kStalled if cuts need
// not touch and nothing proves that no output was missed), or until the control stops it. The
// result is then rule.result(), also after an interruption. Throws UsageError for certify without
// cuts and for an oracle without examples.
LearnSummary run_online(const OnlineSetup& setup, OnlineRule& rule, const LearnControl& control);

// Throws UsageError unless w has the oracle's dimension.
void require_dimension(const Oracle& oracle, std::span<const double> w);

}  // namespace trellis
