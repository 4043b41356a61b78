// Kernels (tasks/kernel_pivots.h) over the node attributes of a position, as one vector x of
// numbers (for example the pixels of a letter), scaled to length 1 so that C has the same meaning
// for every kernel.
//
// Training replaces the attributes of each position by the features φ(x) of
// problem/kernels/kernel_map.h, one for each pivot, so that every learner and loss works with
// kernels. Prediction requires one kernel value k(x, x_p) per pivot; the weights of these
// attributes are α = L_P⁻ᵀ w. Both have one row of weights for each pivot, so that weights change
// their meaning but not their positions. With an implicit kernel, every position is a pivot, and
// training finds its coefficients (problem/kernels/kernel_chain_model.h).
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

// One position as a vector: entries in any order; entries of the same dimension add up.
class PositionVector {
 public:
  void clear() { entries_.clear(); }
  void add(AttributeId dimension, float value) { entries_.push_back({dimension, value}); }
  void finish();  // call after the last entry, before the functions below

  std::span<const AttributeId> ids() const { return ids_; }  // ascending
  std::span<const float> values() const { return values_; }
  double squared_length(double others = 0) const;  // plus the squares of other entries
  void scale_to_unit_length();                     // a zero vector stays unchanged

 private:
  struct Entry {
    AttributeId dimension;
    float value;
  };
  std::vector<Entry> entries_;
  std::vector<AttributeId> ids_;
  std::vector<float> values_;
};

// Writes the kernel values k(x_t, x_p) of all positions as attributes: row_of[p] is that of pivot
// p, or kNoAttribute. The length of x_t includes entries in unknown dimensions: find(fingerprint)
// returns a dimension, or kNoAttribute.
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
  Index max_rank = 0;  // maximum number of pivots; 0: as many as needed
  bool implicit = false;
  int threads = 1;
};

// Computes pivots and the features of all positions for training.
class KernelTraining {
 public:
  // Reads all positions of `store` (calls its finish()) as vectors with `num_attributes`
  // dimensions, and replaces it by the store of their features φ or, for an implicit kernel, of
  // their numbers. Throws UsageError if the matrices need more than a few gigabytes.
  KernelTraining(const Kernel& kernel, const KernelTrainingOptions& options, Index num_attributes,
                 Index num_labels, AttributeStore& store);

  const KernelPivots& pivots() const { return pivots_; }
  double residual() const { return map_ == nullptr ? 0 : map_->residual(); }
  const KernelGroup* group() const { return group_.get(); }  // null without implicit kernel
  // Turns weights of φ into weights of k(·, x_p). The weights of pivot p are row row_of[p] of w,
  // which begins with rows of num_labels.
  void to_pivot_weights(std::span<double> w, std::span<const AttributeId> row_of,
                        Index num_labels) const;

 private:
  std::unique_ptr<KernelMap> map_;      // for an explicit kernel
  std::unique_ptr<KernelGroup> group_;  // for an implicit kernel
  KernelPivots pivots_;
};

// With a kernel: the original node attributes (the dimensions of its vectors), and the pivots that
// replace them.
struct KernelPart {
  AttributeIndex dimensions;
  KernelTraining training;
};

// The fingerprint and the name of pivot p as an attribute.
std::uint64_t pivot_fingerprint(Index p);
std::string pivot_name(Index p);

}  // namespace trellis::tag
