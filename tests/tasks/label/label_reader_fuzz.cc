// Any bytes are label data and a list of labels, or an InputError; and what is read holds together.
// The first byte chooses the options.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/formats/sets/label_reader.h"
#include "trellis/tasks/label/metrics/label_scores.h"

namespace {

using namespace trellis;
using namespace trellis::label;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_names(const std::vector<std::string>& names) {
  require(std::set<std::string>(names.begin(), names.end()).size() == names.size());
}

void check(const LabelData& data, const ReadOptions& options) {
  check_names(data.label_names);
  check_names(data.feature_names);
  require(data.label_names.size() >= options.label_names.size());
  require(data.features.num_rows() == data.num_instances());
  require(data.num_instances() == 0 || data.features.width() == data.num_features());
  for (Index i = 0; i < data.num_instances(); ++i) {
    const auto labels = data.labels[i];
    for (Index k = 0; k < labels.size(); ++k) {
      require(labels[k] < data.num_labels());
      require(k == 0 || labels[k - 1] < labels[k]);
    }
    const auto values =
        data.features.is_dense() ? data.features.dense_row(i) : data.features.values(i);
    for (const float value : values) require(std::isfinite(value));
  }
  if (data.num_instances() == 0 || data.num_labels() == 0) return;
  require(score_label_sets(data.label_names, data.labels, data.labels).macro.f1 == 1);
}

void read_data(std::string_view bytes, std::uint8_t choice) {
  ReadOptions options;
  options.labels_required = (choice & 1) != 0;
  options.add_labels = (choice & 2) != 0;
  if ((choice & 4) != 0) options.label_names = {"L", "M"};
  try {
    check(read_label_data(InputFile::from_bytes(bytes, "fuzz"), options), options);
  } catch (const InputError&) {
  }
}

void read_names(std::string_view bytes) {
  try {
    const auto names = parse_mulan_xml(bytes, "fuzz");
    require(!names.empty());
    check_names(names);
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  (data[0] & 8) != 0 ? read_names(bytes) : read_data(bytes, data[0]);
  return 0;
}
