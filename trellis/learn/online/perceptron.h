// The perceptron for structures: averaged (Collins 2002) and voted (Freund & Schapire 1999).
//
//   ŷ = the maximiser that the oracle's cut belongs to;     ŷ ≠ y_i:  w ← w − F_i(z(ŷ) − z(y_i))
//
// The slope of a hinge oracle's cut is F_i(z(ŷ) − z(y_i)), so the step is w ← w − slope, whenever
// the slope is not zero. With γ = 0 that is the perceptron of the papers; with γ > 0 the same rule
// asks for a margin of γ·cost. A procedure, not the minimisation of an objective: what is reported
// as the objective is the mean loss (λ = 0), and its certified bound is 0, but where weights must
// stay ≥ 0 and all slopes pull them down.
//
// Weights that must stay ≥ 0 are clipped after each step.
//
// Averaged: the result is the mean of the vectors w_1 … w_T, each taken after its example, at the
// cost of the touched coordinates (running_mean.h).
//
// Voted: beside that, the run is told as a list of vectors and the number of examples that each
// survived (its creation counted as one, as in Freund & Schapire's Figure 1). Prediction lets each
// voter choose an output and cast its votes. There can be as many vectors as mistakes, and each is
// as long as w; so at most max_voters of them are kept. Where there are more, the T = max_epochs·n
// visits are cut into max_voters slices of equal length, and of the vectors that were born in a
// slice the longest survivor is kept (the first, among equals).
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
  // Return the mean of the vectors; else the last one.
  bool average = true;
  // How many voters to keep; 0: none, the run is not voted. Memory: that many weight vectors.
  Index max_voters = 0;
};

struct Voter {
  std::vector<double> weights;
  double votes;  // how many examples these weights survived
};

struct PerceptronSummary : LearnSummary {
  std::vector<Voter> voters;  // in order of time; empty unless max_voters > 0
};

// w: in, the start; out, the result. Converged when an epoch made no mistake; stalled, where the
// search for mistakes may miss some. What it finds violates, so each step is one of the
// perceptron's.
PerceptronSummary perceptron(const SearchOracle& oracle, const PerceptronOptions& options,
                             std::span<double> w, const LearnControl& control = {});

}  // namespace trellis
