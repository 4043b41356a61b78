#include "trellis/tasks/label/reading/label_libsvm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/label/reading/label_names.h"
#include "trellis/tasks/libsvm_fields.h"

namespace trellis::label {
namespace {

// Numbers in their order, before other names in the order of their bytes.
bool label_before(const std::string& a, const std::string& b) {
  const auto x = parse_double(a);
  const auto y = parse_double(b);
  if (x && y) return *x != *y ? *x < *y : a < b;
  if (x || y) return x.has_value();
  return a < b;
}

class LibsvmLabelReader {
 public:
  LibsvmLabelReader(InputFile& file, const ReadOptions& options) : file_(file), options_(options) {
    data_.file = file.name();
    data_.label_names = options.label_names;
    for (Index v = 0; v < options.label_names.size(); ++v) {
      label_ids_.emplace(options.label_names[v], static_cast<std::uint32_t>(v));
    }
    // Numbers of the list may be written in another form than here; a name itself goes first.
    for (Index v = 0; v < options.label_names.size(); ++v) {
      label_ids_.emplace(canonical_label(options.label_names[v]), static_cast<std::uint32_t>(v));
    }
  }

  LabelData read(std::string_view first_line) {
    std::string_view line = first_line;
    Index empty = 0;  // the first line of nothing behind the last instance
    do {
      if (trim(line).empty()) {
        if (empty == 0) empty = file_.line_number();
        continue;
      }
      if (empty > 0) {
        throw InputError(file_.name(), empty,
                         "expected labels and index:value, found an empty line (an instance "
                         "without either is written 0:0)");
      }
      read_line(line);
    } while (file_.read_line(line));
    if (options_.label_names.empty() || options_.add_labels) sort_new_labels();
    make_features();
    return std::move(data_);
  }

 private:
  void read_line(std::string_view line) {
    LibsvmFields fields(line, file_.name(), file_.line_number());
    std::string_view field;
    if (!fields.next(field)) return;  // a comment
    labels_.clear();
    values_.clear();
    bool more = true;
    if (!begins_with_index(field)) {
      read_labels(fields, field);
      more = fields.next(field);
    }
    if (more) parse_indexed_values(fields, field, values_);
    if (indices_.size() + values_.size() > std::numeric_limits<std::uint32_t>::max()) {
      fields.refuse_line("expected fewer than 2^32 values that are not 0");
    }
    for (const IndexedValue& value : values_) {
      indices_.push_back(value.index);
      numbers_.push_back(value.value);
    }
    begin_.push_back(static_cast<std::uint32_t>(indices_.size()));
    data_.labels.append(labels_);
  }

  void read_labels(const LibsvmFields& fields, std::string_view field) {
    if (field.starts_with("qid:")) fields.refuse("expected labels first, found", field);
    split(field, ',', names_);
    for (const std::string_view name : names_) {
      if (name.empty()) fields.refuse("expected labels with commas between them, found", field);
      if (begins_with_index(name)) {
        fields.refuse("expected blanks between labels and index:value, found", field);
      }
      labels_.push_back(label_id(fields, name));
    }
    std::sort(labels_.begin(), labels_.end());
    const auto twice = std::adjacent_find(labels_.begin(), labels_.end());
    if (twice != labels_.end()) {
      fields.refuse("expected each label once, found twice:", data_.label_names[*twice]);
    }
  }

  std::uint32_t label_id(const LibsvmFields& fields, std::string_view text) {
    std::string name(text);
    auto found = label_ids_.find(name);
    if (found == label_ids_.end()) {
      name = canonical_label(text);
      found = label_ids_.find(name);
    }
    if (found != label_ids_.end()) return found->second;
    if (!options_.label_names.empty() && !options_.add_labels) {
      fields.refuse("expected a label of the list, found", text);
    }
    if (const auto fault = label_name_fault(name)) fields.refuse(*fault, text);
    const auto id = static_cast<std::uint32_t>(data_.label_names.size());
    data_.label_names.push_back(name);
    label_ids_.emplace(std::move(name), id);
    return id;
  }

  // Labels that were not given come after those that were.
  void sort_new_labels() {
    const auto given = static_cast<std::ptrdiff_t>(options_.label_names.size());
    std::vector<std::uint32_t> order(data_.label_names.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin() + given, order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return label_before(data_.label_names[a], data_.label_names[b]);
    });
    std::vector<std::string> names;
    std::vector<std::uint32_t> place(order.size());
    for (Index v = 0; v < order.size(); ++v) {
      names.push_back(std::move(data_.label_names[order[v]]));
      place[order[v]] = static_cast<std::uint32_t>(v);
    }
    data_.label_names = std::move(names);
    LabelSets& sets = data_.labels;
    for (std::uint32_t& v : sets.ids) v = place[v];
    for (Index i = 0; i < sets.size(); ++i) {
      std::sort(sets.ids.begin() + static_cast<std::ptrdiff_t>(sets.begin[i]),
                sets.ids.begin() + static_cast<std::ptrdiff_t>(sets.begin[i + 1]));
    }
  }

  void make_features() {
    std::vector<std::uint32_t> distinct = indices_;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const std::uint32_t index : distinct) {
      data_.feature_names.push_back(fmt::format("{}", index));
    }
    for (std::uint32_t& index : indices_) {
      const auto at = std::lower_bound(distinct.begin(), distinct.end(), index);
      index = static_cast<std::uint32_t>(at - distinct.begin());
    }
    data_.features = FeatureRows::sparse(distinct.size(), std::move(begin_), std::move(indices_),
                                         std::move(numbers_));
  }

  InputFile& file_;
  const ReadOptions& options_;
  LabelData data_;
  std::unordered_map<std::string, std::uint32_t> label_ids_;
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<std::uint32_t> indices_;  // as in the file, later columns
  std::vector<float> numbers_;
  std::vector<std::string_view> names_;
  std::vector<std::uint32_t> labels_;  // of the line at hand
  std::vector<IndexedValue> values_;
};

}  // namespace

LabelData read_libsvm_label_data(InputFile& file, std::string_view first_line,
                                 const ReadOptions& options) {
  return LibsvmLabelReader(file, options).read(first_line);
}

}  // namespace trellis::label
