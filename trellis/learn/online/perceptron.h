// The perceptron for structures: averaged (Collins 2002) and voted (Freund & Schapire 1999).
//
//   ŷ = the maximiser of the oracle's cut;     ŷ ≠ y_i:  w ← w − F_i(z(ŷ) − z(y_i))
//
// The slope of a hinge oracle's cut is F_i(z(ŷ) − z(y_i)), so the step is w ← w − slope, whenever
// the slope is not zero. With γ = 0 that is the perceptron of the papers; with γ > 0 the same rule
// requires a margin of γ·cost. It does not minimise an objective: the reported objective is the
// mean loss (λ = 0), and its certified bound is 0, unless weights must stay ≥ 0 and all slopes
// reduce them.
//
// Weights that must stay ≥ 0 are clipped after each step.
//
// Averaged: the result is the mean of the vectors w_1 … w_T, each taken after its example, at the
// cost of the touched coordinates (running_mean.h).
//
// Voted: in addition, the run is described by a list of vectors and the number of examples that
// each survived (its creation counted as one, as in Freund & Schapire's Figure 1). In prediction,
// each voter chooses an output and casts its votes. There can be as many vectors as mistakes, and
// each is as long as w; so at most max_voters are kept. If there are more, the T = max_epochs·n
// visits are divided into max_voters slices of equal length, and of the vectors created in a slice
// the longest survivor is kept (the first of equal ones).
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

struct PerceptronOptions {
  Index max_epochs = 10;
  VisitOrder order = VisitOrder::kRandom;
  // Return the mean of the vectors; otherwise the last one.
  bool average = true;
  // The maximum number of voters; 0: the run is not voted. Memory: that many weight vectors.
  Index max_voters = 0;
};

struct Voter {
  std::vector<double> weights;
  double votes;  // number of examples that these weights survived
};

struct PerceptronSummary : LearnSummary {
  std::vector<Voter> voters;  // in order of time; empty unless max_voters > 0
};

// w: the start; on return, the result. Converged if an epoch made no mistake; stalled instead if
// the search for mistakes may miss some. Every output that it finds is a violation, so each step is
// a step of the perceptron.
PerceptronSummary perceptron(const SearchOracle& oracle, const PerceptronOptions& options,
                             std::span<double> w, const LearnControl& control = {});

}  // namespace trellis
