#include "trellis/tasks/label/methods/binary_relevance.h"

#include <vector>

#include "trellis/tasks/label/methods/binary_model.h"

namespace trellis::label {

Fit fit_binary_relevance(const FitData& data, const FitSetting& setting,
                         const FitControl& control) {
  const LabelSets instances = reversed(data.labels, data.num_labels);
  const Index width = data.rows.width();
  Fit fit;
  fit.model.weights.assign(width * data.num_labels, 0.0);
  fit.summary = run_labels(data.num_labels, setting, control, [&](Index v, const RunLabel& run) {
    const std::vector<std::uint8_t> has = indicator(instances[v], data.rows.num_rows());
    const BinaryModel model(data.rows, has, width);
    std::vector<double> theta(width, 0.0);
    run([&](const FitCall& call) { return fit_binary(model, call); }, theta);
    put_column(theta, v, data.num_labels, fit.model.weights);
  });
  if (setting.label_c.empty()) fit.lambda = setting.choice.lambda(data.rows.num_rows());
  return fit;
}

}  // namespace trellis::label
