// The report of a hidden Markov model: the course of training, the choice of settings, the
// mistakes, some sequences with their predictions, and the probability tables.
//
// The caller provides plain data, and the page depends on nothing else, so the same data give the
// same bytes. A part without data has no section.
#pragma once

#include <string>

#include "trellis/pictures/page/page.h"
#include "trellis/tasks/tables/estimation_section.h"
#include "trellis/tasks/tables/hmm/evaluate.h"
#include "trellis/tasks/tables/hmm/sequence_model.h"
#include "trellis/tasks/tables/hmm/train.h"

namespace trellis::report {

struct HmmReport : EstimationReport {
  std::string title;
  std::string subtitle;
  const hmm::SequenceModel* model = nullptr;  // required
  std::string evaluated_on;
  const hmm::Evaluation* evaluation = nullptr;
};

// The results of training, without title and evaluation. The result must outlive the report.
HmmReport training_report(const hmm::TrainResult& result, const hmm::SequenceModel& model);

std::string hmm_report(const HmmReport& report);

}  // namespace trellis::report
