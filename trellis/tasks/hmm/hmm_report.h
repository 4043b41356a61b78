// The report of a hidden Markov model: how training went, how its dials were chosen, the mistakes
// it makes, some sequences with what was found for them, and its tables of probabilities.
//
// The caller gathers plain data; a part that is empty has no section. The page depends on nothing
// else, so the same data gives the same bytes.
#pragma once

#include <string>

#include "trellis/pictures/page/page.h"
#include "trellis/tasks/generative/estimation_section.h"
#include "trellis/tasks/hmm/evaluate.h"
#include "trellis/tasks/hmm/sequence_model.h"
#include "trellis/tasks/hmm/train.h"

namespace trellis::report {

struct HmmReport : EstimationReport {
  std::string title;
  std::string subtitle;
  const hmm::SequenceModel* model = nullptr;  // there must be one
  std::string evaluated_on;
  const hmm::Evaluation* evaluation = nullptr;
};

// What training tells, but for title and evaluation. The result must outlive the report.
HmmReport training_report(const hmm::TrainResult& result, const hmm::SequenceModel& model);

std::string hmm_report(const HmmReport& report);

}  // namespace trellis::report
