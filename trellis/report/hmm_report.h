// The report of a hidden Markov model: how training went, how its dials were chosen, the mistakes
// it makes, some sequences with what was found for them, and its tables of probabilities.
//
// The caller gathers plain data; a part that is empty has no section. The page depends on nothing
// else, so the same data gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "trellis/report/estimation_section.h"
#include "trellis/report/page.h"
#include "trellis/report/training_section.h"
#include "trellis/tasks/generative/discriminative_training.h"
#include "trellis/tasks/hmm/evaluate.h"
#include "trellis/tasks/hmm/sequence_model.h"
#include "trellis/tasks/hmm/train.h"

namespace trellis::report {

struct HmmReport {
  std::string title;
  std::string subtitle;
  const hmm::SequenceModel* model = nullptr;  // there must be one
  std::vector<Tile> figures;                  // of training, beyond those of the history

  // conditional, max-margin
  std::vector<TrainingPoint> history;
  std::vector<MarginIteration> iterations;
  std::vector<generative::MarginTrial> trials;
  generative::MarginSetting setting;

  // em
  std::vector<ClimbingStart> starts;
  Index best_start = 0;

  std::string evaluated_on;
  const hmm::Evaluation* evaluation = nullptr;
};

// What training tells, but for title and evaluation. The result must outlive the report.
HmmReport training_report(const hmm::TrainResult& result, const hmm::SequenceModel& model);

std::string hmm_report(const HmmReport& report);

}  // namespace trellis::report
