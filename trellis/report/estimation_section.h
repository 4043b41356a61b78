// How tables of probabilities were estimated: what hidden Markov models and Bayesian networks have
// in common, beyond the curves that all training has.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/margin/margin_training.h"
#include "trellis/report/page.h"
#include "trellis/tasks/generative/discriminative_training.h"

namespace trellis::report {

// What the values of η and γ came to, where they were chosen; nothing where there was no choice.
void add_setting_section(std::span<const generative::MarginTrial> trials,
                         const generative::MarginSetting& chosen, Page& page);

// The hull and the centre of restricted simplicial decomposition, and where its time went; nothing
// where there was no iteration.
void add_decomposition_section(std::span<const MarginIteration> iterations, Page& page);

// One start of expectation–maximisation.
struct ClimbingStart {
  std::vector<double> objectives;  // by iteration
  bool converged = false;
};
// The curves of the best starts among others, and all starts as a table; nothing without any.
void add_starts_section(std::span<const ClimbingStart> starts, Index best, Page& page);

}  // namespace trellis::report
