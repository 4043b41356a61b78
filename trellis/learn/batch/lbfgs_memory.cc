#include "trellis/learn/batch/lbfgs_memory.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

LbfgsMemory::LbfgsMemory(Index dimension, Index capacity, int threads)
    : capacity_(capacity),
      blocks_(dimension, threads),
      s_(capacity, std::vector<double>(dimension)),
      y_(capacity, std::vector<double>(dimension)),
      curvature_(capacity, 0.0),
      squared_norm_(capacity, 0.0) {}

void LbfgsMemory::begin_pair(std::span<const double> x, std::span<const double> g) {
  size_ = std::min(size_, capacity_ - 1);
  blocks_.each([&](Block b) {
    std::copy(b.of(x).begin(), b.of(x).end(), b.of(s_[next_]).begin());
    std::copy(b.of(g).begin(), b.of(g).end(), b.of(y_[next_]).begin());
  });
}

void LbfgsMemory::end_pair(std::span<const double> x, std::span<const double> g) {
  std::vector<double>& s = s_[next_];
  std::vector<double>& y = y_[next_];
  const auto [sy, yy] = blocks_.sums<2>([&](Block b) {
    for (Index j = b.begin; j < b.end; ++j) s[j] = x[j] - s[j];
    for (Index j = b.begin; j < b.end; ++j) y[j] = g[j] - y[j];
    return std::array<double, 2>{dot(b.of(s), b.of(y)), squared_norm(b.of(y))};
  });
  if (!(sy > std::numeric_limits<double>::epsilon() * yy)) return;
  curvature_[next_] = sy;
  squared_norm_[next_] = yy;
  next_ = (next_ + 1) % capacity_;
  ++size_;
}

void LbfgsMemory::multiply(std::span<double> q) const {
  if (size_ == 0) return;
  std::vector<double> alpha(size_);
  // From the newest pair to the oldest: q ← q − α y, and the product that the next α needs.
  double product = blocks_.sum([&](Block b) { return dot(b.of(s_[slot(0)]), b.of(q)); });
  const double initial_scale = curvature_[slot(0)] / squared_norm_[slot(0)];
  for (Index age = 0; age < size_; ++age) {
    const Index k = slot(age);
    const bool oldest = age + 1 == size_;
    alpha[age] = product / curvature_[k];
    product = blocks_.sum([&](Block b) {
      axpy(-alpha[age], b.of(y_[k]), b.of(q));
      if (!oldest) return dot(b.of(s_[slot(age + 1)]), b.of(q));
      scale(initial_scale, b.of(q));
      return dot(b.of(y_[k]), b.of(q));
    });
  }
  // And back: q ← q + (α − β) s.
  for (Index age = size_; age-- > 0;) {
    const Index k = slot(age);
    const double step = alpha[age] - product / curvature_[k];
    product = blocks_.sum([&](Block b) {
      axpy(step, b.of(s_[k]), b.of(q));
      return age == 0 ? 0.0 : dot(b.of(y_[slot(age - 1)]), b.of(q));
    });
  }
}

void LbfgsMemory::save(Checkpoint& checkpoint) const {
  const std::uint64_t counters[] = {next_, size_};
  checkpoint.put_integers("lbfgs/memory", counters);
  checkpoint.put("lbfgs/curvature", curvature_);
  checkpoint.put("lbfgs/squared_norm", squared_norm_);
  for (Index k = 0; k < capacity_; ++k) {
    checkpoint.put(fmt::format("lbfgs/s{}", k), s_[k]);
    checkpoint.put(fmt::format("lbfgs/y{}", k), y_[k]);
  }
}

void LbfgsMemory::load(const Checkpoint& checkpoint) {
  std::uint64_t counters[2];
  checkpoint.get_integers("lbfgs/memory", counters);
  if (counters[0] >= capacity_ || counters[1] > capacity_) {
    throw InputError("checkpoint", 0, "entry 'lbfgs/memory' is out of range");
  }
  next_ = counters[0];
  size_ = counters[1];
  checkpoint.get("lbfgs/curvature", curvature_);
  checkpoint.get("lbfgs/squared_norm", squared_norm_);
  for (Index k = 0; k < capacity_; ++k) {
    checkpoint.get(fmt::format("lbfgs/s{}", k), s_[k]);
    checkpoint.get(fmt::format("lbfgs/y{}", k), y_[k]);
  }
}

}  // namespace trellis
