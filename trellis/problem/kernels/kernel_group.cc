#include "trellis/problem/kernels/kernel_group.h"

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/dense_products.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// Rows of K that one task of an inner product handles.
constexpr Index kRowBlock = 64;

void grow(std::vector<double>& memory, Index size) {
  if (memory.size() < size) memory.resize(size);
}

double squared_norm_of(std::span<const float> values) {
  double norm = 0;
  for (const float value : values) norm += static_cast<double>(value) * value;
  return norm;
}

}  // namespace

KernelGroup::KernelGroup(const Kernel& kernel, Index width, Index targets)
    : kernel_(kernel), width_(width), targets_(targets) {
  kernel.validate();
  if (width == 0 || targets == 0) throw UsageError("a kernel needs feature vectors and targets");
}

Index KernelGroup::add(const FeatureRows& rows) {
  if (rows.width() != width_) throw UsageError("the feature vectors of a kernel differ in width");
  if (num_rows_ == 0) dense_ = rows.is_dense();
  if (rows.num_rows() > 0 && rows.is_dense() != dense_) {
    throw UsageError("the feature vectors of a kernel must be all dense or all sparse");
  }
  const Index first = num_rows_;
  for (Index r = 0; r < rows.num_rows(); ++r) {
    const std::span<const float> values = dense_ ? rows.dense_row(r) : rows.values(r);
    values_.insert(values_.end(), values.begin(), values.end());
    if (dense_) continue;
    const std::span<const std::uint32_t> ids = rows.ids(r);
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    begin_.push_back(ids_.size());
    norms_.push_back(squared_norm_of(values));
  }
  num_rows_ += rows.num_rows();
  return first;
}

void KernelGroup::finish(int threads, Index cache_bytes) {
  threads_ = resolve_threads(threads);
  if (num_rows_ == 0) return;
  if (dense_) vectors_.emplace(values_, width_);
  for (Index r = 0; r < num_rows_; ++r) {
    const double norm = dense_ ? vectors_->norm(r) : norms_[r];
    if (!std::isfinite(kernel_.of_products(norm, norm, norm))) {
      throw UsageError("the kernel of a feature vector with itself is not a finite number");
    }
  }
  const Index cached = std::min(num_rows_, cache_bytes / (num_rows_ * sizeof(double)));
  cache_.resize(cached * num_rows_);
  std::vector<Workspace> workspaces(static_cast<Index>(threads_));
  parallel_for((cached + kRowBlock - 1) / kRowBlock, threads_, [&](Index block, int worker) {
    const Index begin = block * kRowBlock;
    const Index count = std::min(kRowBlock, cached - begin);
    make_rows(begin, count, workspaces[static_cast<Index>(worker)],
              cache_.data() + begin * num_rows_);
  });
  num_cached_ = cached;
}

void KernelGroup::make_rows(Index begin, Index count, Workspace& workspace, double* out) const {
  if (dense_) {
    gram_block(kernel_, *vectors_, begin, begin + count, *vectors_, 0, num_rows_, out, num_rows_);
  } else {
    for (Index r = 0; r < count; ++r) {
      const Index row = begin + r;
      const Index size = begin_[row + 1] - begin_[row];
      sparse_row(std::span(ids_).subspan(begin_[row], size),
                 std::span(values_).subspan(begin_[row], size), workspace, out + r * num_rows_);
    }
  }
}

// Kernels of one sparse vector with all representers: it is spread out, so that each product costs
// the non-zeros of the other one.
void KernelGroup::sparse_row(std::span<const std::uint32_t> ids, std::span<const float> values,
                             Workspace& workspace, double* out) const {
  if (workspace.scattered.size() < width_) workspace.scattered.resize(width_, 0.0);
  for (Index k = 0; k < ids.size(); ++k) workspace.scattered[ids[k]] = values[k];
  const double norm = squared_norm_of(values);
  for (Index l = 0; l < num_rows_; ++l) {
    double product = 0;
    for (Index k = begin_[l]; k < begin_[l + 1]; ++k) {
      product += workspace.scattered[ids_[k]] * static_cast<double>(values_[k]);
    }
    out[l] = kernel_.of_products(product, norm, norms_[l]);
  }
  for (const std::uint32_t id : ids) workspace.scattered[id] = 0;
}

const double* KernelGroup::gram_rows(Index begin, Index count, Workspace& workspace) const {
  const Index kept = begin < num_cached_ ? std::min(count, num_cached_ - begin) : 0;
  if (kept == count) return cache_.data() + begin * num_rows_;
  grow(workspace.gram, count * num_rows_);
  if (kept > 0) {  // else `begin` is beyond the cache
    std::copy_n(cache_.begin() + static_cast<std::ptrdiff_t>(begin * num_rows_), kept * num_rows_,
                workspace.gram.begin());
  }
  make_rows(begin + kept, count - kept, workspace, workspace.gram.data() + kept * num_rows_);
  return workspace.gram.data();
}

// s += factor · K α for `count` rows of K.
void KernelGroup::multiply(const double* gram, Index count, std::span<const double> alpha,
                           double factor, Workspace& workspace, std::span<double> s) const {
  grow(workspace.scores, count * targets_);
  std::fill_n(workspace.scores.begin(), count * targets_, 0.0);
  add_product({count, num_rows_, targets_}, 1, {gram, num_rows_}, {alpha.data(), targets_},
              {workspace.scores.data(), targets_});
  axpy(factor, std::span<const double>(workspace.scores).first(count * targets_), s);
}

void KernelGroup::add_scores(Index begin, Index count, std::span<const double> alpha, double factor,
                             Workspace& workspace, std::span<double> s) const {
  for (Index r = 0; r < count; r += kRowBlock) {
    const Index size = std::min(kRowBlock, count - r);
    const double* const gram = gram_rows(begin + r, size, workspace);
    multiply(gram, size, alpha, factor, workspace, s.subspan(r * targets_, size * targets_));
  }
}

void KernelGroup::add_scores(const FeatureRows& rows, std::span<const double> alpha, double factor,
                             Workspace& workspace, std::span<double> s) const {
  if (rows.width() != width_ || rows.is_dense() != dense_) {
    throw UsageError("the feature vectors are not like those of the kernel's representers");
  }
  for (Index r = 0; r < rows.num_rows(); r += kRowBlock) {
    const Index size = std::min(kRowBlock, rows.num_rows() - r);
    grow(workspace.gram, size * num_rows_);
    double* const gram = workspace.gram.data();
    if (dense_) {
      const GramRows block({rows.dense_row(r).data(), size * width_}, width_);
      gram_block(kernel_, block, 0, size, *vectors_, 0, num_rows_, gram, num_rows_);
    } else {
      for (Index k = 0; k < size; ++k) {
        sparse_row(rows.ids(r + k), rows.values(r + k), workspace, gram + k * num_rows_);
      }
    }
    multiply(gram, size, alpha, factor, workspace, s.subspan(r * targets_, size * targets_));
  }
}

double KernelGroup::inner_product(std::span<const double> beta,
                                  std::span<const double> alpha) const {
  std::vector<Workspace> workspaces(static_cast<Index>(threads_));
  std::vector<double> image(num_coefficients(), 0.0);  // K α
  parallel_for((num_rows_ + kRowBlock - 1) / kRowBlock, threads_, [&](Index block, int worker) {
    const Index begin = block * kRowBlock;
    const Index count = std::min(kRowBlock, num_rows_ - begin);
    add_scores(begin, count, alpha, 1, workspaces[static_cast<Index>(worker)],
               std::span(image).subspan(begin * targets_, count * targets_));
  });
  return dot(beta, image);
}

}  // namespace trellis
