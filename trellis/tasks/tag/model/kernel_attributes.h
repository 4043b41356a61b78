// Kernels over the node attributes of a position, taken as one vector x of numbers (the pixels of a
// letter, say), scaled to length 1 so that C means the same for every kernel:
//
//   linear        x·x'
//   poly:D[:O]    ((x·x' + O) / (1 + O))^D,     O = 1 unless given
//   rbf:G         exp(−G ‖x − x'‖²)
//
// Training replaces the attributes of each position by the features φ(x) of
// problem/kernels/kernel_map.h, as many as there are pivots, so that every learner and loss works
// with kernels. Prediction then needs one kernel value per pivot, k(x, x_p): as attributes they
// have the weights α = L_P⁻ᵀ w. Both have one row of weights for each pivot, so the weights change
// their meaning but not their places.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/chain/attribute_store.h"
#include "trellis/problem/kernels/kernel.h"
#include "trellis/problem/kernels/kernel_map.h"
#include "trellis/tasks/tag/model/attribute_index.h"
#include "trellis/tasks/tag/templates/attributes.h"

namespace trellis::tag {

Kernel parse_kernel(std::string_view text);  // throws UsageError
std::string to_string(const Kernel& kernel);

// k(x, x_p) for all pivots p of one position. Const and thread-safe.
class KernelExpansion {
 public:
  KernelExpansion() = default;
  // `pivots`: vectors of `width` numbers, one after another.
  KernelExpansion(const Kernel& kernel, std::span<const float> pivots, Index width);

  const Kernel& kernel() const { return kernel_; }
  Index num_pivots() const { return norms_.size(); }
  Index width() const { return width_; }

  // An entry of x before scaling; those of one dimension add up.
  struct Entry {
    Index dimension;
    float value;
  };
  // values ← k(x, ·); the length of x counts its entries beyond the known dimensions, whose squares
  // sum to `unknown`.
  void expand(std::span<const Entry> x, double unknown, std::span<float> values) const;

 private:
  Kernel kernel_;
  Index width_ = 0;
  std::vector<double> transposed_;  // width × pivots
  std::vector<double> norms_;       // ‖x_p‖²: 1, or 0 for a vector without entries
};

// T × P values: k(x_t, x_p) for all positions. find(fingerprint) names a dimension, or
// kNoAttribute.
template <class Find>
void expand_positions(const AttributeList& attributes, const Find& find,
                      const KernelExpansion& expansion, std::vector<float>& values) {
  const Index length = attributes.begin.size() - 1;
  const Index pivots = expansion.num_pivots();
  values.resize(length * pivots);
  std::vector<KernelExpansion::Entry> entries;
  for (Index t = 0; t < length; ++t) {
    double unknown = 0;
    entries.clear();
    for (Index k = attributes.begin[t]; k < attributes.begin[t + 1]; ++k) {
      const float value = attributes.values.empty() ? 1.0F : attributes.values[k];
      const AttributeId dimension = find(attributes.fingerprints[k]);
      if (dimension == kNoAttribute) {
        unknown += static_cast<double>(value) * value;
      } else {
        entries.push_back({dimension, value});
      }
    }
    expansion.expand(entries, unknown, std::span(values).subspan(t * pivots, pivots));
  }
}

// Scales to length 1; a vector of zeros stays.
void scale_to_unit_length(std::span<float> x);

// The training side: pivots, and the features of all positions.
class KernelTraining {
 public:
  // Reads all positions of `store` (finished here) as vectors over `num_attributes` dimensions, and
  // replaces it by the store of their features φ. max_rank 0: as many pivots as it takes. Throws
  // UsageError where the matrices would not fit into a few gigabytes.
  KernelTraining(const Kernel& kernel, Index max_rank, Index num_attributes, int threads,
                 AttributeStore& store);

  Index num_pivots() const { return map_->rank(); }
  double residual() const { return map_->residual(); }
  const KernelExpansion& expansion() const { return expansion_; }
  std::span<const float> pivots() const { return map_->pivot_vectors(); }
  // Weights on φ become weights on k(·, x_p). The weights of pivot p are row row_of[p] of w, which
  // begins with rows of num_labels.
  void to_pivot_weights(std::span<double> w, std::span<const AttributeId> row_of,
                        Index num_labels) const;

 private:
  std::unique_ptr<KernelMap> map_;
  KernelExpansion expansion_;
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
