// Stochastic gradient descent for any losses, with the schedule of LeCun et al. (1998) that Martins
// et al. (2010, sec. 5) compare DCA with:
//
//   η_t = η / (1 + (t − 1)/n),       w ← (w − η_t a) / (1 + η_t λ),
//
// where a is the slope of L_i at w. The L2 term enters by its proximal step, which for small η_t λ
// is the usual factor 1 − η_t λ, and for large η_t λ still points the right way.
//
// Weights that must stay ≥ 0 are clipped after each step: the proximal step of the penalty and the
// constraint together.
//
// The factor is stored separately, w = c v, so that a step costs only the coordinates of a. An
// oracle takes plain weights, hence sees v; c is multiplied into v as soon as the visits since the
// last time have returned d coordinates, when c has become tiny, and at the end of an epoch. That
// at most doubles the work of the steps, plus a pass over w per epoch. Within such an interval the
// slopes are computed at v instead of c v, that is, before a shrinkage of Π 1/(1 + η_t λ) over the
// interval, which is close to 1 for any sensible η.
//
// Automatic η (Martins et al. 2010, after Collins et al. 2008): one epoch from the start with each
// candidate; the one whose weights score highest on held-out data is chosen (the first of equal
// ones), and the run starts again with it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

struct SgdOptions {
  // λ ≥ 0.
  double lambda = 1e-4;
  Index max_epochs = 10;
  VisitOrder order = VisitOrder::kRandom;
  // The learning rate; 0: choose one of 0.001, 0.01, … 100.
  double eta = 0;
  // How good weights are, higher is better; judges the candidates. Without it the lowest objective
  // wins, on 1000 training examples drawn at random (all, if there are no more).
  std::function<double(std::span<const double> w)> held_out;
  // Return the mean of the iterates (Polyak & Juditsky 1992); else the last one.
  bool average = false;
};

struct SgdSummary : LearnSummary {
  double eta = kUnknown;           // the learning rate of the run; unknown while it is chosen
  std::vector<double> eta_scores;  // of the candidates tried so far; empty if η was given
  double eta_seconds = 0;          // of the candidates' epochs; not part of `seconds`
};

// w: in, the start; out, the result. Throws UsageError for a negative λ or η.
SgdSummary sgd(const CutOracle& oracle, const SgdOptions& options, std::span<double> w,
               const LearnControl& control = {});
// Without cuts there is no certificate: control.certify is a UsageError. The history of an
// ApproximateOracle records the convergence of its sums.
SgdSummary sgd(const ApproximateOracle& oracle, const SgdOptions& options, std::span<double> w,
               const LearnControl& control = {});
SgdSummary sgd(const Oracle& oracle, const SgdOptions& options, std::span<double> w,
               const LearnControl& control = {});

}  // namespace trellis
