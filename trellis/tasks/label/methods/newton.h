// Binary classifiers for many labels over the same rows, by Newton's method: for each label v
//
//   f(θ) = ½‖θ‖² + C Σ_i L(±θ·x_i),     H = I + C Xᵀ diag(L″) X
//   logistic        L(m) = log(1 + exp(−m))       logistic regression
//   squared hinge   L(m) = max(0, 1 − m)²         a support vector machine; L″ = 2 [m < 1]
//
// where a step solves H d = −∇f by conjugate gradients, to a fifth of the gradient, and is halved
// until f falls enough (Lin, Weng & Keerthi 2008, with a line search in the place of the trust
// region; the conjugate gradients are preconditioned by the diagonal of H. For the squared hinge,
// Keerthi & DeCoste 2005).
//
// What labels share are the rows. Eight labels at a time go through them side by side, a lane of a
// vector register each: a feature that is read once serves all of them, and their weights of it lie
// side by side. A label that has converged leaves its lane to the next, so none waits for another;
// lanes do not mix, so a label's bits depend neither on its neighbours nor on the threads.
//
// Since f is strongly convex, ½‖∇f‖² bounds f − min f: the gap, which for logistic
// regression is that of the dual point σ. A run ends when it is at most `gap` times f.
//
// Cost: a pass over the rows for each step of conjugate gradients and of Newton; memory of a
// thread: 64 bytes for each of 5 numbers per instance and 7 per feature.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/learn/frame/learner.h"

namespace trellis::label {

// One label: what it is to learn, and what came of it.
struct BinaryTask {
  std::span<const std::uint32_t> instances;  // those that have the label
  Index width = 0;                           // it sees the features below this one
  double c = 1;
  std::span<double> theta;  // `width` weights: in, the start; out, the result
};

enum class BinaryLoss { kLogistic, kSquaredHinge };

struct NewtonOptions {
  BinaryLoss loss = BinaryLoss::kLogistic;
  double gap = 1e-3;  // relative
  Index epochs = 200;
  int threads = 1;
  std::stop_token stop = {};
  // A feature that is the same in all rows, by whose weight alone a start from 0 sets out.
  std::optional<Index> constant = {};
  // Whether the gap must be proven. Else a run also ends after a step that has promised to lower f
  // by no more than ten times that, and so left far less; its gap is then that before the step.
  bool certify = true;
};

// Calls done(v, summary) for each task when it is solved, from several threads at a time; the
// summary has the objective λ/2‖θ‖² + (1/n) Σ L, 1/λ = C n. Tasks that are not solved when a stop
// is requested are left, and not called for.
void fit_by_newton(const FeatureRows& rows, std::span<const BinaryTask> tasks,
                   const NewtonOptions& options,
                   const std::function<void(Index v, LearnSummary summary)>& done);

}  // namespace trellis::label
