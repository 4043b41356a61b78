// Kernels (tasks/kernel_pivots.h) over the node attributes of a position, taken as one vector x of
// numbers (the pixels of a letter, say), scaled to length 1 so that C means the same for every
// kernel.
//
// Training replaces the attributes of each position by the features φ(x) of
// problem/kernels/kernel_map.h, as many as there are pivots, so that every learner and loss works
// with kernels. Prediction then needs one kernel value per pivot, k(x, x_p): as attributes they
// have the weights α = L_P⁻ᵀ w. Both have one row of weights for each pivot, so the weights change
// their meaning but not their places. Where the kernel stays implicit, every position is a pivot,
// and its coefficients are what is learned (problem/kernels/kernel_chain_model.h).
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/chain/attribute_store.h"
#include "trellis/problem/kernels/kernel_group.h"
#include "trellis/problem/kernels/kernel_map.h"
#include "trellis/tasks/kernel_pivots.h"
#include "trellis/tasks/tag/model/attribute_index.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

// One position as a vector: entries in any order, of which those of one dimension add up.
class PositionVector {
 public:
  void clear() { entries_.clear(); }
  void add(AttributeId dimension, float value) { entries_.push_back({dimension, value}); }
  void finish();  // after the last entry, before what follows

  std::span<const AttributeId> ids() const { return ids_; }  // ascending
  std::span<const float> values() const { return values_; }
  double squared_length(double others = 0) const;  // with the squares of other entries
  void scale_to_unit_length();                     // a vector of zeros stays

 private:
  struct Entry {
    AttributeId dimension;
    float value;
  };
  std::vector<Entry> entries_;
  std::vector<AttributeId> ids_;
  std::vector<float> values_;
};

// The kernel values k(x_t, x_p) of all positions as attributes: row_of[p] is that of pivot p, or
// kNoAttribute. The length of x_t counts entries in dimensions that are not known:
// find(fingerprint) names a dimension, or kNoAttribute.
template <class Find>
void expand_positions(const AttributeList& attributes, const Find& find, const KernelPivots& pivots,
                      std::span<const AttributeId> row_of, KnownAttributes& out) {
  out.clear();
  PositionVector x;
  std::vector<double> products;
  std::vector<float> values(pivots.size());
  for (Index t = 0; t + 1 < attributes.begin.size(); ++t) {
    double squares = 0;
    x.clear();
    for (Index k = attributes.begin[t]; k < attributes.begin[t + 1]; ++k) {
      const float value = attributes.values.empty() ? 1.0F : attributes.values[k];
      const AttributeId dimension = find(attributes.fingerprints[k]);
      if (dimension == kNoAttribute) {
        squares += static_cast<double>(value) * value;
      } else {
        x.add(dimension, value);
      }
    }
    x.finish();
    squares = x.squared_length(squares);
    pivots.expand(x.ids(), x.values(), squares > 0 ? 1 / std::sqrt(squares) : 0.0,
                  squares > 0 ? 1.0 : 0.0, products, values);
    for (Index p = 0; p < values.size(); ++p) {
      if (row_of[p] == kNoAttribute) continue;
      out.ids.push_back(row_of[p]);
      out.values.push_back(values[p]);
    }
    out.begin.push_back(out.ids.size());
  }
}

struct KernelTrainingOptions {
  Index max_rank = 0;  // pivots at most; 0: as many as it takes
  bool implicit = false;
  int threads = 1;
};

// The training side: pivots, and the features of all positions.
class KernelTraining {
 public:
  // Reads all positions of `store` (finished here) as vectors over `num_attributes` dimensions, and
  // replaces it by the store of their features φ; or, of an implicit kernel, of their numbers.
  // Throws UsageError where the matrices would not fit into a few gigabytes.
  KernelTraining(const Kernel& kernel, const KernelTrainingOptions& options, Index num_attributes,
                 Index num_labels, AttributeStore& store);

  const KernelPivots& pivots() const { return pivots_; }
  double residual() const { return map_ == nullptr ? 0 : map_->residual(); }
  const KernelGroup* group() const { return group_.get(); }  // of an implicit kernel; or null
  // Weights on φ become weights on k(·, x_p). The weights of pivot p are row row_of[p] of w, which
  // begins with rows of num_labels.
  void to_pivot_weights(std::span<double> w, std::span<const AttributeId> row_of,
                        Index num_labels) const;

 private:
  std::unique_ptr<KernelMap> map_;      // of an explicit kernel
  std::unique_ptr<KernelGroup> group_;  // of an implicit one
  KernelPivots pivots_;
};

// With a kernel: what the node attributes were before (the dimensions of its vectors), and the
// pivots that stand for them since.
struct KernelPart {
  AttributeIndex dimensions;
  KernelTraining training;
};

// The fingerprint and the name of pivot p as an attribute.
std::uint64_t pivot_fingerprint(Index p);
std::string pivot_name(Index p);

}  // namespace trellis::tag
