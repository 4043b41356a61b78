// The report of a Bayesian network: the network drawn, the mistakes about each variable, the tables
// of what is predicted and of what depends on it, and how training went.
//
// The caller gathers plain data; a part that is empty has no section. The page depends on nothing
// else, so the same data gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/pictures/charts/heat_map.h"
#include "trellis/pictures/page/page.h"
#include "trellis/tasks/generative/estimation_section.h"

namespace trellis::report {

// What was found for one variable, over the rows that have its value.
struct VariableMistakes {
  std::string name;
  Index cells = 0;
  Index wrong = 0;
  double loss = 0;  // the mean of a cell
  ConfusionMatrix confusion;
};

struct BayesReport : EstimationReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  const BayesNetwork* network = nullptr;  // there must be one
  std::vector<Index> targets;             // variables that are to be predicted, rising
  std::vector<Index> latent;              // variables that were never seen, rising

  std::string evaluated_on;
  std::vector<Tile> scores;
  std::vector<VariableMistakes> mistakes;
};

// Variables that are drawn; of more, those that are nearest to the targets.
inline constexpr Index kMostVariablesDrawn = 200;

std::string bayes_report(const BayesReport& report);

}  // namespace trellis::report
