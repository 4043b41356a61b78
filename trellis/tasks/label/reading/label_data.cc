#include "trellis/tasks/label/reading/label_data.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/error.h"

namespace trellis::label {
namespace {

FeatureRows dense_subset(const FeatureRows& rows, std::span<const Index> chosen) {
  std::vector<float> values;
  values.reserve(chosen.size() * rows.width());
  for (const Index r : chosen) {
    const auto row = rows.dense_row(r);
    values.insert(values.end(), row.begin(), row.end());
  }
  return FeatureRows::dense(rows.width(), std::move(values));
}

FeatureRows sparse_subset(const FeatureRows& rows, std::span<const Index> chosen) {
  std::vector<std::uint32_t> begin = {0};
  std::vector<std::uint32_t> ids;
  std::vector<float> values;
  for (const Index r : chosen) {
    const auto row_ids = rows.ids(r);
    const auto row_values = rows.values(r);
    ids.insert(ids.end(), row_ids.begin(), row_ids.end());
    values.insert(values.end(), row_values.begin(), row_values.end());
    begin.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  return FeatureRows::sparse(rows.width(), std::move(begin), std::move(ids), std::move(values));
}

}  // namespace

LabelSets reversed(const LabelSets& sets, Index num_labels) {
  LabelSets instances;
  instances.begin.assign(num_labels + 1, 0);
  for (const std::uint32_t v : sets.ids) {
    if (v >= num_labels) throw UsageError("a label set has a label beyond the number of labels");
    ++instances.begin[v + 1];
  }
  for (Index v = 0; v < num_labels; ++v) instances.begin[v + 1] += instances.begin[v];
  instances.ids.resize(sets.ids.size());
  std::vector<std::uint64_t> next(instances.begin.begin(), instances.begin.end() - 1);
  for (Index i = 0; i < sets.size(); ++i) {
    for (const std::uint32_t v : sets[i]) instances.ids[next[v]++] = static_cast<std::uint32_t>(i);
  }
  return instances;
}

LabelData subset(const LabelData& data, std::span<const Index> instances) {
  LabelData part;
  part.file = data.file;
  part.label_names = data.label_names;
  part.feature_names = data.feature_names;
  part.declares_features = data.declares_features;
  for (const Index i : instances) {
    if (i >= data.num_instances()) {
      throw UsageError(fmt::format("a subset of {} instances with instance {} (counted from 0)",
                                   data.num_instances(), i));
    }
    part.labels.append(data.labels[i]);
  }
  part.features = data.features.is_dense() ? dense_subset(data.features, instances)
                                           : sparse_subset(data.features, instances);
  return part;
}

}  // namespace trellis::label
