#include "trellis/tasks/label/reading/arff_label_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/data/name_list.h"
#include "trellis/tasks/label/reading/arff.h"
#include "trellis/tasks/label/reading/arff_columns.h"

namespace trellis::label {
namespace {

// Rows as they come: dense while all of them are, by their non-zeros from the first that is not.
class RowStore {
 public:
  RowStore(Index width, bool dense) : width_(width), dense_(dense && width > 0) {}

  void add_dense(const std::vector<ArffColumn::Feature>& features) {
    if (!dense_) return add_sparse(features);
    const Index begin = values_.size();
    values_.resize(begin + width_, 0.0F);
    for (const auto& feature : features) values_[begin + feature.id] = feature.value;
  }

  void add_sparse(const std::vector<ArffColumn::Feature>& features) {
    if (dense_) become_sparse();
    for (const auto& feature : features) {
      if (feature.value == 0) continue;
      ids_.push_back(feature.id);
      values_.push_back(feature.value);
    }
    begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
  }

  bool full() const { return ids_.size() > std::numeric_limits<std::uint32_t>::max() - width_; }

  FeatureRows rows() && {
    if (dense_) return FeatureRows::dense(width_, std::move(values_));
    return FeatureRows::sparse(width_, std::move(begin_), std::move(ids_), std::move(values_));
  }

 private:
  void become_sparse() {
    dense_ = false;
    const std::vector<float> dense = std::exchange(values_, {});
    for (Index row = 0; row < dense.size(); row += width_) {
      for (Index k = 0; k < width_; ++k) {
        if (dense[row + k] == 0) continue;
        ids_.push_back(static_cast<std::uint32_t>(k));
        values_.push_back(dense[row + k]);
      }
      begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
    }
  }

  Index width_;
  bool dense_;
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<std::uint32_t> ids_;
  std::vector<float> values_;
};

class ArffLabelReader {
 public:
  ArffLabelReader(InputFile& file, std::string_view first_line, const ReadOptions& options)
      : arff_(file, first_line), options_(options) {
    data_.file = file.name();
    data_.declares_features = true;
    data_.label_names = options.label_names;
    make_columns();
  }

  LabelData read() {
    RowStore rows(data_.num_features(), stored_densely());
    ArffRow row;
    while (arff_.read(row)) {
      features_.clear();
      labels_.clear();
      row.sparse ? read_sparse(row) : read_all(row);
      if (rows.full()) arff_.refuse("expected fewer than 2^32 values that are not 0");
      row.sparse ? rows.add_sparse(features_) : rows.add_dense(features_);
      std::sort(labels_.begin(), labels_.end());
      data_.labels.append(labels_);
    }
    data_.features = std::move(rows).rows();
    return std::move(data_);
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
    for (Index k = 0; k < names.size(); ++k) data_.feature_names.emplace_back(names[k]);
  }

  void add_names(const ArffAttribute& attribute, const ArffColumn& column, NameList& names) {
    const auto add = [&](const std::string& name) {
      const Index before = names.size();
      names.add(name);
      if (names.size() == before) {
        throw InputError(data_.file, 0,
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
          data_.file, 0,
          fmt::format("expected an attribute for each label, found none for '{}'", name));
    }
  }

  // Lists of many values make rows of many zeros: those are not worth their memory.
  bool stored_densely() const {
    const auto num_features = static_cast<Index>(std::count_if(
        columns_.begin(), columns_.end(),
        [](const ArffColumn& column) { return column.use() != ArffColumn::Use::kLabel; }));
    return data_.num_features() <= 2 * num_features;
  }

  void read_all(const ArffRow& row) {
    for (const ArffCell& cell : row.cells) read_cell(cell);
  }

  // What the row leaves out has the first value of its list, which may be other than 0.
  void read_sparse(const ArffRow& row) {
    auto implied = implied_.begin();
    const auto add_implied_before = [&](std::uint32_t attribute) {
      for (; implied != implied_.end() && *implied < attribute; ++implied) {
        count_implied();
        read_cell({*implied, false, columns_[*implied].first_value()});
      }
    };
    for (const ArffCell& cell : row.cells) {
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
      if (!cell.missing) features_.push_back(column.feature_of(arff_, cell.text));
      return;
    }
    if (cell.missing) {
      if (!options_.labels_required) return;
      arff_.refuse(fmt::format("expected 0 or 1 for the label '{}', found a missing value",
                               arff_.attributes()[cell.attribute].name));
    }
    if (column.given(arff_, cell.text)) labels_.push_back(column.id());
  }

  ArffReader arff_;
  const ReadOptions& options_;
  LabelData data_;
  std::vector<ArffColumn> columns_;     // of the attributes
  std::vector<std::uint32_t> implied_;  // attributes that say something where they are left out
  Index num_implied_ = 0;
  std::vector<ArffColumn::Feature> features_;  // of the row at hand, ascending
  std::vector<std::uint32_t> labels_;
};

}  // namespace

LabelData read_arff_label_data(InputFile& file, std::string_view first_line,
                               const ReadOptions& options) {
  return ArffLabelReader(file, first_line, options).read();
}

}  // namespace trellis::label
