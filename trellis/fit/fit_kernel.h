// The kernelised learner: weights that are known as coefficients of training vectors alone
// (problem/kernels/kernel_problem.h). A column of its own in the table of docs/learners.md, since
// cuts of such a model are no vectors.
#pragma once

#include "trellis/fit/run.h"
#include "trellis/problem/kernels/kernel_chain_model.h"
#include "trellis/problem/kernels/kernel_problem.h"

namespace trellis {

// call.w holds coefficients, model.dimension() of them. The choice must be one that choose() made
// with Able::implicit; the examples are those of the model.
template <class M>
Fitted fit_kernel(const M& model, const FitCall& call) {
  const double gamma = call.choice.loss.gamma;
  if (call.choice.entropic()) {
    if constexpr (Summer<typename M::Structure>) {
      return run(EntropicKernelProblem<M>(model, gamma), call);
    }
  } else {
    if constexpr (Projector<typename M::Structure>) {
      return run(EuclideanKernelProblem<M>(model, gamma), call);
    }
  }
  throw_no_oracle(call.choice);
}

// A chain model with a kernel over its nodes (kernel_chain_model.h): all of its examples, or those
// of the call.
template <class M>
Fitted fit_kernel(const M& model, const KernelGroup& group, const FitCall& call) {
  if (call.choice.entropic()) {
    return fit_kernel(KernelChainModel<M>(model, group, call.examples), call);
  }
  const typename M::Untied untied(model);  // projections want indicators, not counts
  return fit_kernel(KernelChainModel<typename M::Untied>(untied, group, call.examples), call);
}

}  // namespace trellis
