// How probability tables were estimated: the sections that hidden Markov models and Bayesian
// networks share, in addition to the training curves of all tasks.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/training/page/training_section.h"
#include "trellis/generative/margin/margin_training.h"
#include "trellis/pictures/page/page.h"
#include "trellis/tasks/tables/discriminative_training.h"
#include "trellis/tasks/tables/table_training.h"

namespace trellis::report {

// One start of expectation–maximisation.
struct ClimbingStart {
  std::vector<double> objectives;  // by iteration; the first precedes all iterations
  bool converged = false;
};

struct EstimationReport {
  std::vector<Tile> figures;  // in addition to those of the history

  // conditional, max-margin
  std::vector<TrainingPoint> history;
  std::vector<MarginIteration> iterations;
  std::vector<generative::MarginTrial> trials;
  generative::MarginSetting setting;

  // em
  std::vector<ClimbingStart> starts;
  Index best_start = 0;
};

// Fills in the training results: per-unit values over `units` units ("a row of the training set"),
// and the number of distributions.
void add_training(const generative::TableTraining& result, Index units, const std::string& unit,
                  Index num_distributions, EstimationReport& report);

// Key figures at the head of a page, under a heading of their own if others stand above.
void add_estimation_figures(const EstimationReport& report, bool others_above, Page& page);

// The curves of training; the hull and the centre of restricted simplicial decomposition, and its
// time by step; the best starts, a chart of starts and a table of all; the losses of the candidate
// values of η and γ. Sections without data are left out.
void add_estimation_sections(const EstimationReport& report, Page& page);

}  // namespace trellis::report
