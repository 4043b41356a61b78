#include "trellis/tasks/tables/bayes/page/bayes_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trellis/frame/training/result.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/tasks/tables/value_confusion.h"

namespace trellis::report {
namespace {}  // namespace

BayesReport model_report(const bayes::BayesModel& model, const std::string& title) {
  BayesReport report;
  report.title = title;
  report.network = &model.network();
  report.targets = model.roles().targets;
  report.latent = model.roles().latent;
  for (const auto& [name, value] : provenance_words(model.training())) {
    report.options.push_back({name, value});
  }
  return report;
}

void add_training(const bayes::TrainResult& result, BayesReport& report) {
  report.subtitle = fmt::format("{}: {} variables, {} arrows, {} parameters; {} rows",
                                to_string(result.estimator), format_count(result.variables),
                                format_count(result.arrows), format_count(result.parameters),
                                format_count(result.rows));
  add_training(result, result.rows, "a row of the training set",
               report.network->distributions().num(), report);
}

void add_evaluation(const bayes::Evaluation& evaluation, const std::string& evaluated_on,
                    BayesReport& report) {
  report.evaluated_on = evaluated_on;
  const auto rows = static_cast<double>(std::max<Index>(evaluation.rows, 1));
  report.scores = {
      {"Loss", format_fixed(evaluation.loss, 4),
       fmt::format("{}, the mean of {} rows, deviation {}", evaluation.loss_name,
                   format_count(evaluation.rows), format_fixed(evaluation.loss_deviation, 2))},
      {"Error", format_fixed(evaluation.error, 2) + " %",
       fmt::format("{} of {} cells", format_count(evaluation.wrong),
                   format_count(evaluation.cells))},
      {"log P", format_fixed(evaluation.log_likelihood / rows, 4),
       "of the visible values of a row"}};
  for (const bayes::VariableEvaluation& one : evaluation.variables) {
    report.mistakes.push_back(
        {one.name, one.cells, one.wrong, one.loss,
         generative::confusion_matrix(one.confusion, one.values, !one.unseen_values.empty())});
  }
}

}  // namespace trellis::report
