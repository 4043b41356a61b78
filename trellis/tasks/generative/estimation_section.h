// How tables of probabilities were estimated: what hidden Markov models and Bayesian networks have
// in common, beyond the curves that all training has.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/training/page/training_section.h"
#include "trellis/generative/margin/margin_training.h"
#include "trellis/pictures/page/page.h"
#include "trellis/tasks/generative/discriminative_training.h"
#include "trellis/tasks/generative/table_training.h"

namespace trellis::report {

// One start of expectation–maximisation.
struct ClimbingStart {
  std::vector<double> objectives;  // by iteration; the first is before any
  bool converged = false;
};

struct EstimationReport {
  std::vector<Tile> figures;  // beyond those of the history

  // conditional, max-margin
  std::vector<TrainingPoint> history;
  std::vector<MarginIteration> iterations;
  std::vector<generative::MarginTrial> trials;
  generative::MarginSetting setting;

  // em
  std::vector<ClimbingStart> starts;
  Index best_start = 0;
};

// What training tells of itself: over so many `units` ("a row of the training set"), with so many
// distributions.
void add_training(const generative::TableTraining& result, Index units, const std::string& unit,
                  Index num_distributions, EstimationReport& report);

// Figures at the head of a page, under a heading of their own where others stand above.
void add_estimation_figures(const EstimationReport& report, bool others_above, Page& page);

// The curves of training; the hull and the centre of restricted simplicial decomposition, and where
// its time went; the best starts among others, and all of them as a table; what the values of η and
// γ came to, where they were chosen. Nothing of what there was none.
void add_estimation_sections(const EstimationReport& report, Page& page);

}  // namespace trellis::report
