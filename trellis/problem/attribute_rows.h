// The weights of sparse attributes: each attribute a owns a *row*, a contiguous block of weights,
// one for each target (a label or a transition) that it can score.
//
//   score[target] += value · w[begin(a) + j]      for the j-th target of a
//
// Rows hold either all targets (then the inner loop is a dense vector operation) or only those that
// were observed with the attribute, as CRFsuite does: on text that is one or two of twenty labels.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"

namespace trellis {

using AttributeId = std::uint32_t;
inline constexpr AttributeId kNoAttribute = ~AttributeId{0};

// A view: the arrays belong to a training set or to a mapped model file. Row a is
// targets[begin[a] … begin[a+1]), ascending; begin has one entry more than there are attributes.
class AttributeRows {
 public:
  AttributeRows() = default;
  AttributeRows(std::span<const std::uint64_t> begin, std::span<const std::uint32_t> targets,
                Index num_targets)
      : begin_(begin), targets_(targets), num_targets_(num_targets) {}

  Index num_attributes() const { return begin_.empty() ? 0 : begin_.size() - 1; }
  Index num_weights() const { return targets_.size(); }
  Index num_targets() const { return num_targets_; }
  Index begin(AttributeId a) const { return begin_[a]; }
  Index size(AttributeId a) const { return begin_[a + 1] - begin_[a]; }
  std::span<const std::uint32_t> targets(AttributeId a) const {
    return targets_.subspan(begin_[a], size(a));
  }

  // scores += value · (row a of w); `w` holds the weights of all rows.
  void add_scores(AttributeId a, double value, const double* w, double* scores) const {
    const Index first = begin_[a];
    const Index n = begin_[a + 1] - first;
    const double* row = w + first;
    if (n == num_targets_) {
      for (Index j = 0; j < n; ++j) scores[j] += value * row[j];
    } else {
      const std::uint32_t* target = targets_.data() + first;
      for (Index j = 0; j < n; ++j) scores[target[j]] += value * row[j];
    }
  }

  // row += value · z[targets of a]; `row` is the block of a alone.
  void add_features(AttributeId a, double value, const double* z, double* row) const {
    const Index first = begin_[a];
    const Index n = begin_[a + 1] - first;
    if (n == num_targets_) {
      for (Index j = 0; j < n; ++j) row[j] += value * z[j];
    } else {
      const std::uint32_t* target = targets_.data() + first;
      for (Index j = 0; j < n; ++j) row[j] += value * z[target[j]];
    }
  }

 private:
  std::span<const std::uint64_t> begin_;
  std::span<const std::uint32_t> targets_;
  Index num_targets_ = 0;
};

}  // namespace trellis
