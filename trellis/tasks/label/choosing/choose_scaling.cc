#include "trellis/tasks/label/choosing/choose_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::label {
namespace {

// visit(feature, value) for what is stored of all rows.
template <class Visit>
void each_value(const FeatureRows& rows, const Visit& visit) {
  for (Index r = 0; r < rows.num_rows(); ++r) rows.for_each(r, visit);
}

// Two passes: the mean first, as a variance from sums of squares cancels where the mean is large.
FeatureScaling standard_scaling(const FeatureRows& rows) {
  const Index width = rows.width();
  const auto n = static_cast<double>(std::max<Index>(rows.num_rows(), 1));
  FeatureScaling scaling;
  scaling.mean.assign(width, 0.0);
  each_value(rows, [&](Index j, double x) { scaling.mean[j] += x / n; });
  std::vector<double> variance(width, 0.0);
  each_value(rows, [&](Index j, double x) {
    variance[j] += (x - scaling.mean[j]) * (x - scaling.mean[j]) / n;
  });
  const auto varying = static_cast<double>(
      std::max<Index>(1, static_cast<Index>(std::count_if(variance.begin(), variance.end(),
                                                          [](double v) { return v > 0; }))));
  scaling.scale.assign(width, 0.0);  // a feature that never changes says nothing
  for (Index j = 0; j < width; ++j) {
    if (variance[j] > 0) scaling.scale[j] = 1 / std::sqrt(variance[j] * varying);
  }
  return scaling;
}

FeatureScaling max_scaling(const FeatureRows& rows) {
  FeatureScaling scaling;
  scaling.scale.assign(rows.width(), 0.0);
  each_value(
      rows, [&](Index j, double x) { scaling.scale[j] = std::max(scaling.scale[j], std::abs(x)); });
  for (double& scale : scaling.scale) scale = scale > 0 ? 1 / scale : 0.0;
  double squares = 0;
  each_value(rows,
             [&](Index j, double x) { squares += x * scaling.scale[j] * x * scaling.scale[j]; });
  if (squares == 0) return scaling;
  const double factor = std::sqrt(static_cast<double>(rows.num_rows()) / squares);
  for (double& scale : scaling.scale) scale *= factor;
  return scaling;
}

}  // namespace

Scaling resolve_scaling(const FeatureRows& rows, Scaling scaling) {
  if (scaling != Scaling::kAuto) return scaling;
  return rows.is_dense() ? Scaling::kStandard : Scaling::kUnit;
}

FeatureScaling choose_scaling(const FeatureRows& rows, Scaling scaling, double bias) {
  if (!(bias >= 0) || !std::isfinite(bias)) {
    throw UsageError(fmt::format("--bias is {}: expected a finite number of at least 0", bias));
  }
  FeatureScaling result;
  switch (resolve_scaling(rows, scaling)) {
    case Scaling::kStandard:
      if (!rows.is_dense()) {
        throw UsageError(
            "--scale standard centres the features, which makes sparse rows dense: choose unit or "
            "max");
      }
      result = standard_scaling(rows);
      break;
    case Scaling::kMax:
      result = max_scaling(rows);
      break;
    case Scaling::kUnit:
      result.unit_length = true;
      break;
    case Scaling::kNone:
    case Scaling::kAuto:
      break;
  }
  result.bias = bias;
  return result;
}

}  // namespace trellis::label
