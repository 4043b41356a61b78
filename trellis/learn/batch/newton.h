// Newton's method for binary classifiers over the same rows, several at once. For each label v
//
//   f(θ) = ½‖θ‖² + C Σ_i L(±θ·x_i),     H = I + C Xᵀ diag(L″) X
//   logistic        L(m) = log(1 + exp(−m))       logistic regression
//   squared hinge   L(m) = max(0, 1 − m)²         a support vector machine; L″ = 2 [m < 1]
//
// A step solves H d = −∇f by conjugate gradients, until the residual is a fifth of the gradient,
// and is halved until f decreases enough (Lin, Weng & Keerthi 2008, with a line search instead of
// the trust region; the conjugate gradients are preconditioned by the diagonal of H. For the
// squared hinge, Keerthi & DeCoste 2005).
//
// It takes rows instead of an oracle, since the labels share them. Eight labels at a time go
// through the rows side by side, each in one lane of a vector register: a feature that is read once
// serves all eight, and their weights of it are neighbours in memory. A label that has converged
// leaves its lane to the next label. Lanes do not mix, so the bits of a label depend neither on the
// other labels nor on the number of threads.
//
// f is strongly convex, so ½‖∇f‖² bounds f − min f. For logistic regression this is the gap to the
// dual point σ. A run ends when this bound is at most control.gap_tolerance times f.
//
// Cost: one pass over the rows for each step of conjugate gradients and each Newton step. Memory of
// a thread: 64 bytes for each of 5 numbers per instance and 7 per feature.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/learn/frame/learner.h"

namespace trellis {

// One label: what to learn, and the result.
struct BinaryTask {
  std::span<const std::uint32_t> instances;  // those that have the label
  Index width = 0;                           // it sees the features below this one
  double c = 1;
  std::span<double> theta;  // `width` weights: in, the start; out, the result
};

enum class BinaryLoss { kLogistic, kSquaredHinge };

struct NewtonOptions {
  BinaryLoss loss = BinaryLoss::kLogistic;
  Index max_epochs = 200;  // Newton steps
  // A feature that is the same in all rows: a start from 0 begins with the best value of its
  // weight.
  std::optional<Index> constant = {};
};

// Calls done(v, summary) for each task when it is solved, from several threads at a time. The
// summary has the objective λ/2‖θ‖² + (1/n) Σ L, 1/λ = C n. Tasks that are not solved when a stop
// is requested keep their theta, without a call.
//
// Of `control` it takes threads, stop, gap_tolerance and certify. Without certify a run also ends
// after a step that promised to decrease f by at most ten times the tolerance, and so left far
// less; the gap of the summary is then that before the step.
void newton(const FeatureRows& rows, std::span<const BinaryTask> tasks,
            const NewtonOptions& options, const LearnControl& control,
            const std::function<void(Index v, LearnSummary summary)>& done);

}  // namespace trellis
