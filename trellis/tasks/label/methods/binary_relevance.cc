#include "trellis/tasks/label/methods/binary_relevance.h"

#include <vector>

#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::label {
namespace {

LearnSummary fit_svm(const TrainOptions& options, const BinaryModel& model, double c,
                     std::span<double> theta, const LearnControl& control) {
  DcaOptions dca_options;
  dca_options.lambda = lambda_from_c(c, model.num_examples());
  dca_options.dual = DcaDual::kStored;
  dca_options.max_epochs = options.epochs > 0 ? options.epochs : 1000;
  return dca(HingeProblem<BinaryModel>(model), dca_options, theta, control);
}

}  // namespace

LearnSummary fit_logistic(const TrainOptions& options, const BinaryModel& model, double c,
                          std::span<double> theta, const LearnControl& control) {
  LbfgsOptions lbfgs_options;
  lbfgs_options.lambda = lambda_from_c(c, model.num_examples());
  if (options.epochs > 0) lbfgs_options.max_iterations = options.epochs;
  // The gap ends the run: it means the same for every method.
  lbfgs_options.epsilon = 0;
  lbfgs_options.delta = 0;
  return lbfgs(SmoothProblem<BinaryModel>(model), lbfgs_options, theta, control);
}

Fit fit_binary_relevance(const TrainOptions& options, const FitData& data,
                         const FitSetting& setting, const FitControl& control) {
  const LabelSets instances = reversed(data.labels, data.num_labels);
  Fit fit;
  fit.parts.weights.assign(data.rows.width() * data.num_labels, 0.0);
  const std::vector<LearnSummary> summaries =
      run_labels(data.num_labels, options, control, [&](Index v, const LearnControl& learn) {
        const std::vector<std::uint8_t> has = indicator(instances[v], data.rows.num_rows());
        const BinaryModel model(data.rows, has, data.rows.width());
        std::vector<double> theta(model.dimension(), 0.0);
        const double c = c_of(setting, v);
        LearnSummary summary = options.method == Method::kSvm
                                   ? fit_svm(options, model, c, theta, learn)
                                   : fit_logistic(options, model, c, theta, learn);
        put_column(theta, v, data.num_labels, fit.parts.weights);
        return summary;
      });
  fit.summary = summary_of_labels(summaries);
  if (setting.label_c.empty()) fit.lambda = lambda_from_c(setting.c, data.rows.num_rows());
  return fit;
}

}  // namespace trellis::label
