// The report of a Bayesian network: the drawn network, the mistakes about each variable, the tables
// of predicted variables and of those that depend on them, and the course of training.
//
// The caller provides plain data, and the page depends on nothing else, so the same data give the
// same bytes. A part without data has no section.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/pictures/charts/heat_map.h"
#include "trellis/pictures/page/page.h"
#include "trellis/tasks/tables/estimation_section.h"

namespace trellis::report {

// The predictions of one variable, over the rows that have its value.
struct VariableMistakes {
  std::string name;
  Index cells = 0;
  Index wrong = 0;
  double loss = 0;  // mean over cells
  ConfusionMatrix confusion;
};

struct BayesReport : EstimationReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  const BayesNetwork* network = nullptr;  // required
  std::vector<Index> targets;             // variables to predict, ascending
  std::vector<Index> latent;              // variables never observed, ascending

  std::string evaluated_on;
  std::vector<Tile> scores;
  std::vector<VariableMistakes> mistakes;
};

// Maximum number of drawn variables; those nearest to the targets are drawn.
inline constexpr Index kMostVariablesDrawn = 200;

std::string bayes_report(const BayesReport& report);

}  // namespace trellis::report
