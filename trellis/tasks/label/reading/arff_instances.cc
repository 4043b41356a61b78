// The instances of an ARFF file (arff.h): which attributes are labels, ReadOptions says; what the
// others are, arff_columns.h.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/data/name_list.h"
#include "trellis/tasks/label/reading/arff.h"
#include "trellis/tasks/label/reading/arff_columns.h"
#include "trellis/tasks/label/reading/instance_reader.h"

namespace trellis::label {
namespace {

class ArffInstances : public InstanceReader {
 public:
  ArffInstances(InputFile file, std::string_view first_line, const ReadOptions& options)
      : file_(std::move(file)), arff_(file_, first_line), options_(options) {
    make_columns();
  }

  bool read(Instance& instance) override {
    if (!arff_.read(row_)) return false;
    instance_ = &instance;
    instance.number = ++number_;
    instance.sparse = row_.sparse;
    instance.features.clear();
    instance.labels.clear();
    row_.sparse ? read_sparse() : read_all();
    std::sort(instance.labels.begin(), instance.labels.end());
    return true;
  }

  const std::string& file() const override { return file_.name(); }
  Index line_number() const override { return file_.line_number(); }
  bool declares_features() const override { return true; }
  const std::vector<std::string>& feature_names() const override { return feature_names_; }
  const std::vector<std::string>& label_names() const override { return options_.label_names; }

  // Lists of many values make rows of many zeros: those are not worth their memory.
  bool dense() const override {
    const auto attributes = static_cast<Index>(std::count_if(
        columns_.begin(), columns_.end(),
        [](const ArffColumn& column) { return column.use() != ArffColumn::Use::kLabel; }));
    return feature_names_.size() <= 2 * attributes;
  }

 private:
  void make_columns() {
    std::unordered_map<std::string_view, std::uint32_t> labels;
    for (Index v = 0; v < options_.label_names.size(); ++v) {
      labels.emplace(options_.label_names[v], static_cast<std::uint32_t>(v));
    }
    NameList names;
    for (const ArffAttribute& attribute : arff_.attributes()) {
      const auto label = labels.find(attribute.name);
      if (label != labels.end()) {
        columns_.push_back(ArffColumn::label(arff_, attribute, label->second));
      } else {
        columns_.push_back(
            ArffColumn::feature(attribute, static_cast<std::uint32_t>(names.size())));
        add_names(attribute, columns_.back(), names);
      }
      if (columns_.back().implies_something()) {
        implied_.push_back(static_cast<std::uint32_t>(columns_.size() - 1));
      }
    }
    if (options_.labels_required) require_all_labels();
    for (Index k = 0; k < names.size(); ++k) feature_names_.emplace_back(names[k]);
  }

  void add_names(const ArffAttribute& attribute, const ArffColumn& column, NameList& names) {
    const auto add = [&](const std::string& name) {
      const Index before = names.size();
      names.add(name);
      if (names.size() == before) {
        throw InputError(file_.name(), 0,
                         fmt::format("the feature '{}' is there twice: as an attribute, and as a "
                                     "value of another",
                                     name));
      }
    };
    if (column.use() != ArffColumn::Use::kIndicators) return add(attribute.name);
    for (const std::string& value : attribute.values) add(attribute.name + "=" + value);
  }

  void require_all_labels() const {
    std::unordered_set<std::string_view> attributes;
    for (const ArffAttribute& attribute : arff_.attributes()) attributes.insert(attribute.name);
    for (const std::string& name : options_.label_names) {
      if (attributes.contains(name)) continue;
      throw InputError(
          file_.name(), 0,
          fmt::format("expected an attribute for each label, found none for '{}'", name));
    }
  }

  void read_all() {
    for (const ArffCell& cell : row_.cells) read_cell(cell);
  }

  // What the row leaves out has the first value of its list, which may be other than 0.
  void read_sparse() {
    auto implied = implied_.begin();
    const auto add_implied_before = [&](std::uint32_t attribute) {
      for (; implied != implied_.end() && *implied < attribute; ++implied) {
        count_implied();
        read_cell({*implied, false, columns_[*implied].first_value()});
      }
    };
    for (const ArffCell& cell : row_.cells) {
      add_implied_before(cell.attribute);
      if (implied != implied_.end() && *implied == cell.attribute) ++implied;
      read_cell(cell);
    }
    add_implied_before(std::numeric_limits<std::uint32_t>::max());
  }

  // Short rows of many such attributes must not unfold to more than a multiple of the file.
  void count_implied() {
    constexpr Index kPerByte = 4;
    constexpr Index kAlways = Index{1} << 20;
    if (++num_implied_ <= kAlways + kPerByte * arff_.bytes_read()) return;
    arff_.refuse(
        "sparse rows leave out too many values that are not 0 (the first of a list is what a "
        "sparse row may leave out): write those rows out");
  }

  void read_cell(const ArffCell& cell) {
    const ArffColumn& column = columns_[cell.attribute];
    if (column.use() != ArffColumn::Use::kLabel) {
      if (!cell.missing) instance_->features.push_back(column.feature_of(arff_, cell.text));
      return;
    }
    if (cell.missing) {
      if (!options_.labels_required) return;
      arff_.refuse(fmt::format("expected 0 or 1 for the label '{}', found a missing value",
                               arff_.attributes()[cell.attribute].name));
    }
    if (column.given(arff_, cell.text)) instance_->labels.push_back(column.id());
  }

  InputFile file_;
  ArffReader arff_;
  ReadOptions options_;
  std::vector<std::string> feature_names_;
  std::vector<ArffColumn> columns_;     // of the attributes
  std::vector<std::uint32_t> implied_;  // attributes that say something where they are left out
  Index num_implied_ = 0;
  Index number_ = 0;
  ArffRow row_;
  Instance* instance_ = nullptr;  // the one at hand
};

}  // namespace

std::unique_ptr<InstanceReader> open_arff_instances(InputFile file, std::string_view first_line,
                                                    const ReadOptions& options) {
  return std::make_unique<ArffInstances>(std::move(file), first_line, options);
}

}  // namespace trellis::label
