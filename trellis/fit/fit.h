// Any part model × any learner × any loss. What a part model can do is read off its type; which of
// that a call needs, off the choice. The only template above the problems: a column of the table
// in docs/learners.md.
//
//   static_assert(able_of<MyModel>().hinge);
//   const LearnerChoice choice = choose(said, defaults, able_of<MyModel>());   // or a UsageError
//   const Fitted fitted = fit(model, {choice, w, control});
#pragma once

#include <concepts>

#include "trellis/fit/choose.h"
#include "trellis/fit/run.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/label_problem.h"
#include "trellis/problem/monte_carlo_problem.h"
#include "trellis/problem/part_problem.h"
#include "trellis/problem/partial_problem.h"
#include "trellis/problem/slack_search.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis {

// A model whose parts count (tied tables) has a twin whose parts are indicators, for the learners
// that move marginals: M::Untied, made from the model.
template <class M>
concept TiedModel = requires {
  typename M::Untied;
};

template <PartScorer M>
consteval Able able_of() {
  using S = typename M::Structure;
  Able able;
  able.hinge = HingeModel<M> || SearchModel<M>;
  able.linear_costs =
      PartModel<M> && (BoundingMaximizer<S> || Searcher<S>)&&!CostMaximizer<M> && !CostSearcher<M>;
  able.k_best = able.linear_costs && KBest<S> && HingeModel<M>;
  able.sums = PartModel<M> && Summer<S> && !CostMaximizer<M> &&
              !CostSearcher<M>;  // also without best outputs
  able.draws = able.linear_costs && SumEstimator<S>;
  able.projects = able.linear_costs && Projector<S>;
  able.flat = std::same_as<M, MulticlassModel>;
  able.faces = TiedModel<M> || requires(const S& structure) {
    structure.faces_by_zeros();
  };
  // Of models that may have such weights, those that cannot do without: a block model of matchings
  // says with its data whether it has any, and the learners ask for that.
  able.nonnegative = SignedScores<S> && requires(const M& model) {
    model.nonnegative();
  };
  able.partial = PartialModel<M>;
  able.relaxed = RelaxedProgram<S>;
  able.bounded = able.sums && standing_of_sums<S>() == Standing::kUpperBound;
  able.slack = SlackModel<M> || SlackSearchModel<M>;
  able.estimated = able.sums && standing_of_sums<S>() != Standing::kExact && !able.bounded;
  return able;
}

template <PartScorer M>
Fitted fit_cuts(const M& model, const FitCall& call) {
  constexpr Able kAble = able_of<M>();
  const Loss& loss = call.choice.loss;
  if (call.choice.partial) {
    if constexpr (kAble.partial) {
      return run(PartialProblem<M>(model, loss.beta, loss.gamma, call.examples), call);
    }
  } else if (call.choice.learner == LearnerKind::kMira) {
    if constexpr (kAble.k_best) return run(KBestProblem<M>(model, loss.gamma, call.examples), call);
  } else if (call.choice.slack()) {
    if constexpr (kAble.slack) {
      return run(RescaledProblem<M>(model, loss.gamma, call.examples), call);
    }
  } else if (loss.hinge()) {
    if constexpr (kAble.hinge) return run(MarginProblem<M>(model, loss.gamma, call.examples), call);
  } else if (call.choice.values.draws.value_or(0) > 0) {
    if constexpr (kAble.draws) {
      const MonteCarloOptions options{*call.choice.values.draws, call.control.seed, loss.beta,
                                      loss.gamma};
      return run(MonteCarloProblem<M>(model, options, call.examples), call);
    }
  } else {
    if constexpr (kAble.sums) {
      return run(SmoothProblem<M>(model, loss.beta, loss.gamma, call.examples), call);
    }
  }
  throw_no_oracle(call.choice);
}

// The learners that move points of the polytopes, from where they are told to start.
template <PartScorer M>
Fitted fit_parts(const M& model, const FitCall& call) {
  constexpr Able kAble = able_of<M>();
  const double gamma = call.choice.loss.gamma;
  if constexpr (kAble.linear_costs) {
    if (call.choice.learner == LearnerKind::kExtragradient && call.choice.entropic()) {
      // Sums are at home in counts, too: no table for each position.
      if constexpr (kAble.sums && !kAble.bounded && !kAble.estimated) {
        return run(EntropicPartProblem<M>(model, gamma, call.examples), call);
      }
    } else if (call.choice.learner == LearnerKind::kExtragradient && call.choice.by_examples()) {
      // Nearest points by best outputs (euclidean_moves.h), which are at home in counts as well.
      if constexpr (kAble.projects) {
        return run(EuclideanPartProblem<M>(model, gamma, call.examples), call);
      }
    } else if constexpr (TiedModel<M>) {
      return fit_parts(typename M::Untied(model), call);
    } else if (call.choice.learner == LearnerKind::kStructuredSmo ||
               call.choice.learner == LearnerKind::kQp) {
      if constexpr (!kAble.relaxed && BoundingMaximizer<typename M::Structure>) {
        return run(PartProblem<M>(model, gamma, call.examples), call);
      }
    } else if constexpr (kAble.projects) {
      return run(EuclideanPartProblem<M>(model, gamma, call.examples), call);
    }
  }
  throw_no_oracle(call.choice);
}

// The same, after the warm-up that may be asked for.
template <PartScorer M>
Fitted fit_warm_parts(const M& model, const FitCall& call) {
  if constexpr (able_of<M>().linear_costs) {
    const MarginProblem<M> cuts(model, call.choice.loss.gamma, call.examples);
    if (!warm_up(cuts, call)) return interrupted();
  }
  return fit_parts(model, call);
}

// Minimises from call.w on. The choice must be one that choose() made for what M is able to do.
template <PartScorer M>
Fitted fit(const M& model, const FitCall& call) {
  switch (call.choice.learner) {
    case LearnerKind::kSmo:
      if constexpr (able_of<M>().flat) {
        return run(LabelProblem(model, call.choice.loss.gamma, call.examples), call);
      }
      break;
    case LearnerKind::kExtragradient:
    case LearnerKind::kProjectedGradient:
    case LearnerKind::kStructuredSmo:
    case LearnerKind::kQp:
      return fit_warm_parts(model, call);
    default:
      return fit_cuts(model, call);
  }
  throw_no_oracle(call.choice);
}

}  // namespace trellis
