// Kernels for the saddle-point learners (Lacoste-Julien 2009, sec. 2.5.1): a block model
// (block_model.h) in which some blocks of features are seen through a kernel. Where a block has
// weights w_t for its targets, the kernelised model has coefficients α_lt, one for each row l of
// that block in all examples (kernel_group.h); blocks without a kernel keep their weights. So
// extragradient runs as it stands, with a penalty or in a ball: ‖w‖² is αᵀ K α, and what it returns
// are coefficients.
//
//   weights of the model: the coefficients of the kernels, in the order of KernelBlock, then the
//   weights of the other blocks, in the order of the block model.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/oracle/part_oracle.h"
#include "trellis/problem/block_model.h"
#include "trellis/problem/kernels/kernel_group.h"
#include "trellis/problem/part_problem.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

// The blocks that begin at this weight get this kernel.
struct KernelBlock {
  Index weight_begin = 0;
  Kernel kernel;
};

template <class S>
class KernelModel {
 public:
  using Structure = S;
  struct Workspace {
    KernelGroup::Workspace kernel;
    std::vector<std::uint32_t> distinct;
    SparseVector slope;
  };

  // `model` must outlive this one. Throws UsageError for a kernel on weights that no block begins
  // at, on blocks that differ in width or targets, or on weights that must stay ≥ 0.
  KernelModel(const BlockModel<S>& model, std::span<const KernelBlock> kernels, int threads = 1,
              Index cache_bytes = KernelGroup::kCacheBytes)
      : model_(&model) {
    for (const KernelBlock& block : kernels) add_group(block);
    place_blocks();
    for (Index g = 0; g < groups_.size(); ++g) {
      group_begin_.push_back(num_coefficients_);
      groups_[g].finish(threads, cache_bytes);
      num_coefficients_ += groups_[g].num_coefficients();
    }
    for (const WeightRange& range : model.nonnegative()) {
      require_explicit(range);
      nonnegative_.push_back({range.begin + num_coefficients_, range.end + num_coefficients_});
    }
  }

  Index num_examples() const { return model_->num_examples(); }
  Index dimension() const { return num_coefficients_ + model_->dimension(); }
  std::span<const WeightRange> nonnegative() const { return nonnegative_; }
  double example_weight(Index i) const { return model_->example_weight(i); }
  const S& structure(Index i) const { return model_->structure(i); }
  const typename S::Output& gold(Index i) const { return model_->gold(i); }

  // Where the coefficients of the g-th kernel stand in the weights, and what they multiply.
  const KernelGroup& group(Index g) const { return groups_[g]; }
  std::span<const double> coefficients(Index g, std::span<const double> w) const {
    return w.subspan(group_begin_[g], groups_[g].num_coefficients());
  }
  // The weights of the block model; those of kernelised blocks are 0.
  std::span<const double> explicit_weights(std::span<const double> w) const {
    return w.subspan(num_coefficients_);
  }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    Workspace workspace;
    scores(i, w, workspace, s);
  }
  void scores(Index i, std::span<const double> w, Workspace& workspace, std::span<double> s) const {
    std::fill(s.begin(), s.end(), 0.0);
    each_block(i, [&](const FeatureBlock& block, const Place& place) {
      if (!place.kernelised) {
        block.add_scores(explicit_weights(w), s);
        return;
      }
      const Index count = block.rows.num_rows();
      groups_[place.group].add_scores(place.first, count, coefficients(place.group, w), block.scale,
                                      workspace.kernel,
                                      s.subspan(block.part_begin, count * block.targets));
    });
  }
  void add_costs(Index i, double scale, std::span<double> s) const {
    model_->add_costs(i, scale, s);
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    each_block(i, [&](const FeatureBlock& block, const Place& place) {
      if (!place.kernelised) {
        block.add_features(z, scale, gradient.subspan(num_coefficients_));
        return;
      }
      const Index count = block.rows.num_rows() * block.targets;
      axpy(scale * block.scale, z.subspan(block.part_begin, count),
           gradient.subspan(coefficient_begin(place), count));
    });
  }
  // F_i z as coefficients and weights, not as a vector of features.
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    slope.clear();
    each_block(i, [&](const FeatureBlock& block, const Place& place) {
      if (!place.kernelised) return;
      const Index count = block.rows.num_rows() * block.targets;
      const std::span<double> values = slope.append(coefficient_begin(place), count);
      for (Index k = 0; k < count; ++k) values[k] = scale * block.scale * z[block.part_begin + k];
    });
    workspace.slope.clear();
    each_block(i, [&](const FeatureBlock& block, const Place& place) {
      if (!place.kernelised) block.append_features(z, scale, workspace.distinct, workspace.slope);
    });
    for (const SparseVector::Run& run : workspace.slope.runs()) {
      const std::span<const double> from = std::as_const(workspace.slope).values(run);
      const std::span<double> to = slope.append(num_coefficients_ + run.begin, run.size);
      std::copy(from.begin(), from.end(), to.begin());
    }
  }

  double inner_product(std::span<const double> v, std::span<const double> w) const {
    double product = dot(explicit_weights(v), explicit_weights(w));
    for (Index g = 0; g < groups_.size(); ++g) {
      product += groups_[g].inner_product(coefficients(g, v), coefficients(g, w));
    }
    return product;
  }

 private:
  struct Place {
    bool kernelised = false;
    Index group = 0;
    Index first = 0;  // the number of the block's first row among the representers
  };

  void add_group(const KernelBlock& kernel) {
    for (Index i = 0; i < model_->num_examples(); ++i) {
      for (const FeatureBlock& block : model_->example(i).blocks) {
        if (block.weight_begin != kernel.weight_begin) continue;
        groups_.emplace_back(kernel.kernel, block.rows.width(), block.targets);
        group_weights_.push_back({block.weight_begin, block.weight_end()});
        return;
      }
    }
    throw UsageError("there is a kernel for weights that no block of features begins at");
  }

  void place_blocks() {
    for (Index i = 0; i < model_->num_examples(); ++i) {
      place_begin_.push_back(places_.size());
      for (const FeatureBlock& block : model_->example(i).blocks) {
        Place place;
        for (Index g = 0; g < groups_.size(); ++g) {
          if (group_weights_[g].begin != block.weight_begin) continue;
          if (groups_[g].targets() != block.targets) {
            throw UsageError("the blocks of a kernel differ in their targets");
          }
          place = {true, g, groups_[g].add(block.rows)};
        }
        places_.push_back(place);
      }
    }
  }

  void require_explicit(const WeightRange& range) const {
    for (const WeightRange& kernelised : group_weights_) {
      if (range.begin < kernelised.end && kernelised.begin < range.end) {
        throw UsageError("a kernel has no explicit weights, so they cannot be kept >= 0");
      }
    }
  }

  Index coefficient_begin(const Place& place) const {
    return group_begin_[place.group] + place.first * groups_[place.group].targets();
  }

  template <class Visit>
  void each_block(Index i, const Visit& visit) const {
    const std::vector<FeatureBlock>& blocks = model_->example(i).blocks;
    for (Index b = 0; b < blocks.size(); ++b) visit(blocks[b], places_[place_begin_[i] + b]);
  }

  const BlockModel<S>* model_;
  std::vector<KernelGroup> groups_;
  std::vector<WeightRange> group_weights_;  // of the block model, that the group replaces
  std::vector<Index> group_begin_;          // of its coefficients
  Index num_coefficients_ = 0;
  std::vector<WeightRange> nonnegative_;
  std::vector<Index> place_begin_;  // of each example
  std::vector<Place> places_;       // of all blocks of all examples
};

// The oracles of part_problem.h with the geometry of the kernels, for a model that has an inner
// product of its weights: the one above, or that of kernel_chain_model.h.
template <class M>
class KernelFacade : public PartFacade<M> {
 public:
  using PartFacade<M>::PartFacade;

  void scores(Index i, std::span<const double> w, Scratch& scratch,
              std::span<double> s) const override {
    this->model_->scores(this->chosen_[i], w, this->memory(scratch).features, s);
    const double weight = this->weight(i);
    if (weight != 1) scale(weight, s);
  }
  double inner_product(std::span<const double> v, std::span<const double> w) const override {
    return this->model_->inner_product(v, w);
  }
  bool implicit_features() const override { return true; }
};

template <class M>
requires Projector<typename M::Structure>
class EuclideanKernelProblem final : public KernelFacade<M>, public EuclideanPartOracle {
 public:
  using KernelFacade<M>::KernelFacade;
  void project(Index i, std::span<const double> v, Scratch& scratch,
               std::span<double> z) const override {
    auto& memory = this->memory(scratch);
    project_safely(this->structure(i), v, memory.structure, memory.output, z);
  }
};

template <class M>
requires Summer<typename M::Structure>
class EntropicKernelProblem final : public KernelFacade<M>, public EntropicPartOracle {
 public:
  using KernelFacade<M>::KernelFacade;
  double log_partition(Index i, std::span<const double> s, Scratch& scratch,
                       std::span<double> z) const override {
    return this->structure(i).log_partition(s, this->memory(scratch).structure, z);
  }
};

}  // namespace trellis
