#include "trellis/tasks/label/methods/reverse_training.h"

#include <memory>
#include <utility>
#include <vector>

#include "trellis/fit/fit.h"
#include "trellis/problem/labels/reverse_label_model.h"
#include "trellis/problem/labels/row_products.h"

namespace trellis::label {
namespace {

Fit fit_each_label(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                   const FitControl& control, const LabelSets& instances) {
  Fit fit;
  const auto rows = std::make_shared<const RowProducts>(data.rows);  // shared by all labels
  fit.model.weights.assign(data.rows.width() * data.num_labels, 0.0);
  fit.summary = run_labels(data.num_labels, setting, control, [&](Index v, const RunLabel& run) {
    const ReverseLabelModel model(rows, {instances[v]}, options.measure.set, options.argmax);
    std::vector<double> theta(model.dimension(), 0.0);
    run([&](const FitCall& call) { return trellis::fit(model, call); }, theta);
    put_column(theta, v, data.num_labels, fit.model.weights);
  });
  return fit;
}

Fit fit_jointly(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                const FitControl& control, const LabelSets& instances) {
  std::vector<std::span<const std::uint32_t>> sets;
  for (Index v = 0; v < data.num_labels; ++v) sets.push_back(instances[v]);
  const ReverseLabelModel model(data.rows, std::move(sets), options.measure.set, options.argmax);
  const Index width = data.rows.width();
  const auto model_of = [&](std::span<const double> theta) {
    LabelModel labeller;
    labeller.weights.assign(theta.size(), 0.0);
    for (Index v = 0; v < data.num_labels; ++v) {
      put_column(theta.subspan(v * width, width), v, data.num_labels, labeller.weights);
    }
    return labeller;
  };
  return run_once([&](const FitCall& call) { return fit(model, call); }, model.dimension(), setting,
                  control, model_of);
}

}  // namespace

Fit fit_reverse(const TrainOptions& options, const FitData& data, const FitSetting& setting,
                const FitControl& control) {
  const LabelSets instances = reversed(data.labels, data.num_labels);
  Fit fit = options.joint ? fit_jointly(options, data, setting, control, instances)
                          : fit_each_label(options, data, setting, control, instances);
  if (setting.label_c.empty()) fit.lambda = setting.choice.lambda(data.num_labels);
  return fit;
}

}  // namespace trellis::label
