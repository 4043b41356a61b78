#include "trellis/formats/sets/label_data.h"

#include <algorithm>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/fingerprint_table.h"

namespace trellis::label {
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

std::optional<std::string> label_name_fault(std::string_view name) {
  if (name.empty()) return "expected the name of a label, found an empty one";
  if (find_invalid_utf8(name) != std::string_view::npos) {
    return "expected the name of a label in UTF-8, found invalid bytes in";
  }
  const bool control = std::any_of(name.begin(), name.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20) || c == 0x7F;
  });
  if (control) return "expected the name of a label without control characters, found";
  return std::nullopt;
}

FeatureRows subset(const FeatureRows& rows, std::span<const Index> instances) {
  FeatureRowsBuilder part(rows.width(), rows.is_dense(), instances.size());
  for (const Index i : instances) {
    part.begin_row();
    rows.for_each(i, [&](Index k, double x) { part.add(k, static_cast<float>(x)); });
  }
  return std::move(part).finish();
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
