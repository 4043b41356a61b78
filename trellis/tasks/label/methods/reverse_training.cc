#include "trellis/tasks/label/methods/reverse_training.h"

#include <memory>
#include <utility>
#include <vector>

#include "trellis/learn/batch/bmrm.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/reverse_label_model.h"
#include "trellis/problem/labels/row_products.h"

namespace trellis::label {
namespace {

BmrmOptions bundle_options(const TrainOptions& options, double lambda) {
  BmrmOptions bmrm_options;
  bmrm_options.lambda = lambda;
  if (options.epochs > 0) bmrm_options.max_iterations = options.epochs;
  return bmrm_options;
}

Fit fit_each_label(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                   const FitControl& control, const LabelSets& instances) {
  Fit fit;
  const auto rows = std::make_shared<const RowProducts>(data.rows);  // shared by all labels
  fit.parts.weights.assign(data.rows.width() * data.num_labels, 0.0);
  const std::vector<LearnSummary> summaries =
      run_labels(data.num_labels, options, control, [&](Index v, const LearnControl& learn) {
        const ReverseLabelModel model(rows, {instances[v]}, options.measure.set, options.argmax);
        const HingeProblem<ReverseLabelModel> problem(model);
        std::vector<double> theta(problem.dimension(), 0.0);
        LearnSummary summary = bmrm(
            problem, bundle_options(options, lambda_from_c(c_of(setting, v), 1)), theta, learn);
        put_column(theta, v, data.num_labels, fit.parts.weights);
        return summary;
      });
  fit.summary = summary_of_labels(summaries);
  return fit;
}

Fit fit_jointly(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                const FitControl& control, const LabelSets& instances) {
  std::vector<std::span<const std::uint32_t>> sets;
  for (Index v = 0; v < data.num_labels; ++v) sets.push_back(instances[v]);
  const ReverseLabelModel model(data.rows, std::move(sets), options.measure.set, options.argmax);
  const HingeProblem<ReverseLabelModel> problem(model);
  std::vector<double> theta(problem.dimension(), 0.0);
  Fit fit;
  const double lambda = lambda_from_c(setting.c, data.num_labels);
  fit.summary = run_alone(options, control, [&](const LearnControl& learn) {
    return bmrm(problem, bundle_options(options, lambda), theta, learn);
  });
  fit.parts.weights.assign(theta.size(), 0.0);
  const Index width = data.rows.width();
  for (Index v = 0; v < data.num_labels; ++v) {
    put_column(std::span(theta).subspan(v * width, width), v, data.num_labels, fit.parts.weights);
  }
  return fit;
}

}  // namespace

Fit fit_reverse(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                const FitControl& control) {
  const LabelSets instances = reversed(data.labels, data.num_labels);
  Fit fit = options.joint ? fit_jointly(options, data, setting, control, instances)
                          : fit_each_label(options, data, setting, control, instances);
  if (setting.label_c.empty()) fit.lambda = lambda_from_c(setting.c, data.num_labels);
  return fit;
}

}  // namespace trellis::label
