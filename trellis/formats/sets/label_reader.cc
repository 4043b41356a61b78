#include "trellis/formats/sets/label_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::label {
namespace {

// Rows as they come: dense while all of them are, by their non-zeros from the first that is not.
class RowStore {
 public:
  RowStore(Index width, bool dense) : width_(width), dense_(dense && width > 0) {}

  // False: there are too many.
  bool add(const Instance& instance) {
    if (dense_ && !instance.sparse) {
      const Index begin = values_.size();
      values_.resize(begin + width_, 0.0F);
      for (const Feature& feature : instance.features) values_[begin + feature.id] = feature.value;
      return true;
    }
    if (dense_) become_sparse();
    for (const Feature& feature : instance.features) add(feature.id, feature.value);
    begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
    return ids_.size() <= std::numeric_limits<std::uint32_t>::max();
  }

  // Of the ids that occur, ascending: ids become places in it.
  std::vector<std::uint32_t> number_columns() {
    std::vector<std::uint32_t> distinct = ids_;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (std::uint32_t& id : ids_) {
      const auto at = std::lower_bound(distinct.begin(), distinct.end(), id);
      id = static_cast<std::uint32_t>(at - distinct.begin());
    }
    width_ = distinct.size();
    return distinct;
  }

  FeatureRows rows() && {
    if (dense_) return FeatureRows::dense(width_, std::move(values_));
    return FeatureRows::sparse(width_, std::move(begin_), std::move(ids_), std::move(values_));
  }

 private:
  void add(std::uint32_t id, float value) {
    if (value == 0) return;
    ids_.push_back(id);
    values_.push_back(value);
  }

  void become_sparse() {
    dense_ = false;
    const std::vector<float> dense = std::exchange(values_, {});
    for (Index row = 0; row < dense.size(); row += width_) {
      for (Index k = 0; k < width_; ++k) add(static_cast<std::uint32_t>(k), dense[row + k]);
      begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
    }
  }

  Index width_;
  bool dense_;
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<std::uint32_t> ids_;
  std::vector<float> values_;
};

// Numbers in their order, before other names in the order of their bytes.
bool label_before(const std::string& a, const std::string& b) {
  const auto x = parse_double(a);
  const auto y = parse_double(b);
  if (x && y) return *x != *y ? *x < *y : a < b;
  if (x || y) return x.has_value();
  return a < b;
}

// Labels that were not given come after those that were.
void sort_new_labels(Index given, LabelData& data) {
  std::vector<std::uint32_t> order(data.label_names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(given), order.end(),
            [&](std::uint32_t a, std::uint32_t b) {
              return label_before(data.label_names[a], data.label_names[b]);
            });
  std::vector<std::string> names;
  std::vector<std::uint32_t> place(order.size());
  for (Index v = 0; v < order.size(); ++v) {
    names.push_back(std::move(data.label_names[order[v]]));
    place[order[v]] = static_cast<std::uint32_t>(v);
  }
  data.label_names = std::move(names);
  LabelSets& sets = data.labels;
  for (std::uint32_t& v : sets.ids) v = place[v];
  for (Index i = 0; i < sets.size(); ++i) {
    std::sort(sets.ids.begin() + static_cast<std::ptrdiff_t>(sets.begin[i]),
              sets.ids.begin() + static_cast<std::ptrdiff_t>(sets.begin[i + 1]));
  }
}

}  // namespace

std::vector<std::string> read_label_names(const std::string& xml_path) {
  constexpr Index kLargest = Index{1} << 28;
  return parse_mulan_xml(read_file(xml_path, kLargest), xml_path);
}

std::string labels_beside(const std::string& arff_path) {
  const std::filesystem::path path(arff_path);
  std::string name = path.filename().string();
  const auto cut = [&name](std::string_view end) {
    if (!name.ends_with(end)) return false;
    name.resize(name.size() - end.size());
    return true;
  };
  for (const std::string_view packed : {".gz", ".zst"}) cut(packed);
  if (!cut(".arff")) return {};
  std::vector<std::string> names = {name};
  for (const std::string_view part : {"train", "test", "Train", "Test"}) {
    if (!cut(part)) continue;
    while (cut("-") || cut("_") || cut(".")) continue;
    if (!name.empty()) names.push_back(name);
    break;
  }
  std::vector<std::string> found;
  for (const std::string& one : names) {
    const std::filesystem::path xml = path.parent_path() / (one + ".xml");
    std::error_code unknown;
    if (std::filesystem::is_regular_file(xml, unknown)) found.push_back(xml.string());
  }
  return found.size() == 1 ? found.front() : std::string();
}

std::unique_ptr<InstanceReader> open_instances(InputFile file, const ReadOptions& options) {
  const std::unordered_set<std::string_view> distinct(options.label_names.begin(),
                                                      options.label_names.end());
  if (distinct.size() < options.label_names.size()) {
    throw UsageError("the names of labels must be distinct");
  }
  std::string_view line;
  bool found = false;
  while (!found && file.read_line(line)) found = !trim(line).empty();
  if (!found) return open_libsvm_instances(std::move(file), {}, options);
  if (!begins_arff(line)) return open_libsvm_instances(std::move(file), line, options);
  return open_arff_instances(std::move(file), line, options);
}

LabelData read_label_data(InputFile file, const ReadOptions& options) {
  const std::unique_ptr<InstanceReader> reader = open_instances(std::move(file), options);
  RowStore rows(reader->feature_names().size(), reader->dense());
  LabelData data;
  data.file = reader->file();
  data.declares_features = reader->declares_features();
  data.recognised = reader->recognised();
  Instance instance;
  while (reader->read(instance)) {
    if (!rows.add(instance)) {
      throw InputError(data.file, reader->line_number(),
                       "expected fewer than 2^32 non-zero values");
    }
    data.labels.append(instance.labels);
  }
  data.feature_names = reader->feature_names();
  data.label_names = reader->label_names();
  if (!data.declares_features) {
    sort_new_labels(options.label_names.size(), data);
    for (const std::uint32_t index : rows.number_columns()) {
      data.feature_names.push_back(fmt::format("{}", index));
    }
  }
  data.features = std::move(rows).rows();
  if (options.labels_required && data.num_instances() == 0) {
    throw InputError(data.file, 0, "expected instances, found none");
  }
  if (options.labels_required && data.num_labels() == 0) {
    throw InputError(data.file, 0, "expected instances with labels, found none");
  }
  return data;
}

LabelData read_label_data(const std::string& path, const ReadOptions& options) {
  return read_label_data(InputFile(path), options);
}

}  // namespace trellis::label
