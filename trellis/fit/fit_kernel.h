// The kernelised learner: weights that are known as coefficients of training vectors alone
// (problem/kernels/kernel_problem.h). A column of its own in the table of docs/learners.md, since
// cuts of such a model are no vectors.
#pragma once

#include "trellis/base/error.h"
#include "trellis/fit/run.h"
#include "trellis/problem/kernels/kernel_problem.h"

namespace trellis {

// call.w holds coefficients, model.dimension() of them. The choice must be one that choose() made
// with Able::implicit; call.examples must be empty: a fold has a model of its own.
template <class S>
Fitted fit_kernel(const KernelModel<S>& model, const FitCall& call) {
  const double gamma = call.choice.loss.gamma;
  if (call.choice.entropic()) {
    if constexpr (Summer<S>) return run(EntropicKernelProblem<S>(model, gamma), call);
  } else {
    if constexpr (Projector<S>) return run(EuclideanKernelProblem<S>(model, gamma), call);
  }
  throw UsageError("this model has no oracle for " + call.choice.description());
}

}  // namespace trellis
