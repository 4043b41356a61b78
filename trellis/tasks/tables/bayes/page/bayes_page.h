// Collects the data of a page about a Bayesian network.
#pragma once

#include <string>

#include "trellis/tasks/tables/bayes/bayes_model.h"
#include "trellis/tasks/tables/bayes/evaluate.h"
#include "trellis/tasks/tables/bayes/page/bayes_report.h"
#include "trellis/tasks/tables/bayes/train.h"

namespace trellis::report {

// Network, roles and options of a model, which must outlive the report.
BayesReport model_report(const bayes::BayesModel& model, const std::string& title);

// Adds the results of training.
void add_training(const bayes::TrainResult& result, BayesReport& report);

void add_evaluation(const bayes::Evaluation& evaluation, const std::string& evaluated_on,
                    BayesReport& report);

}  // namespace trellis::report
