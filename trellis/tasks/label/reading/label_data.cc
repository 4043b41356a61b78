#include "trellis/tasks/label/reading/label_data.h"

#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"

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

FeatureRows subset(const FeatureRows& rows, std::span<const Index> instances) {
  return rows.is_dense() ? dense_subset(rows, instances) : sparse_subset(rows, instances);
}

LabelSets subset(const LabelSets& sets, std::span<const Index> instances) {
  LabelSets part;
  for (const Index i : instances) part.append(sets[i]);
  return part;
}

std::uint64_t digest(const LabelData& data) {
  std::uint64_t hash = data.num_instances();
  const auto mix = [&hash](const auto& values) {
    const auto bytes = std::as_bytes(std::span(values));
    hash = fingerprint({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, hash + 1);
  };
  for (const auto* names : {&data.label_names, &data.feature_names}) {
    for (const std::string& name : *names) mix(name);
  }
  mix(data.labels.begin);
  mix(data.labels.ids);
  mix(data.features.is_dense() ? data.features.dense_values() : std::span<const float>());
  for (Index i = 0; !data.features.is_dense() && i < data.features.num_rows(); ++i) {
    mix(data.features.ids(i));
    mix(data.features.values(i));
  }
  return hash;
}

}  // namespace trellis::label
