// A multi-label data set: instances with feature vectors and sets of labels, as the files of
// label_reader.h have them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"

namespace trellis::label {

// A set of labels for each instance, ascending within it.
struct LabelSets {
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> ids;

  Index size() const { return begin.size() - 1; }
  std::span<const std::uint32_t> operator[](Index i) const {
    return std::span(ids).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  void append(std::span<const std::uint32_t> labels) {
    ids.insert(ids.end(), labels.begin(), labels.end());
    begin.push_back(ids.size());
  }
  void append_all(const LabelSets& more) {
    for (Index i = 0; i < more.size(); ++i) append(more[i]);
  }
};

// The other direction: for each of `num_labels` labels the instances that have it.
LabelSets reversed(const LabelSets& sets, Index num_labels);

struct LabelData {
  std::string file;                        // for messages
  std::vector<std::string> label_names;    // distinct
  std::vector<std::string> feature_names;  // distinct; a name for each column of `features`
  FeatureRows features;                    // a row for each instance, as in the file
  LabelSets labels;
  // The file lists its features (ARFF), so that one that is not here is not meant to be; else only
  // those are here that occur (LIBSVM).
  bool declares_features = false;
  std::string recognised;  // how it was found out which attributes are labels; empty: it was said

  Index num_instances() const { return labels.size(); }
  Index num_labels() const { return label_names.size(); }
  Index num_features() const { return feature_names.size(); }
};

// What is wrong with the name of a label ("expected …, found"), or nothing: names are UTF-8, not
// empty, and have no control characters, as predictions are written as names with tabs between
// them, a line for each instance.
std::optional<std::string> label_name_fault(std::string_view name);

// A part of the instances, in the order of `instances`, which must exist.
FeatureRows subset(const FeatureRows& rows, std::span<const Index> instances);
LabelSets subset(const LabelSets& sets, std::span<const Index> instances);

// A fingerprint of the whole content, without the name of the file.
std::uint64_t digest(const LabelData& data);

}  // namespace trellis::label
