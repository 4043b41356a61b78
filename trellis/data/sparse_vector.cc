#include "trellis/data/sparse_vector.h"

#include <algorithm>
#include <cassert>

namespace trellis {
namespace {

// Four sums side by side, so that additions need not wait for one another; the order of additions
// is part of the definition, and the same everywhere.
double dot_product(const double* a, const double* b, Index n) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; ++i) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

void add_scaled(double* into, const double* from, Index n, double scale) {
  for (Index i = 0; i < n; ++i) into[i] += scale * from[i];
}

Index end_of(const SparseVector::Run& run) {
  return run.begin + run.size;
}

}  // namespace

void SparseVector::clear() {
  runs_.clear();
  values_.clear();
}

std::span<double> SparseVector::append(Index begin, Index size) {
  assert(runs_.empty() || begin >= end_of(runs_.back()));
  runs_.push_back({begin, size, values_.size()});
  values_.resize(values_.size() + size, 0.0);
  return values(runs_.back());
}

double SparseVector::dot(std::span<const double> dense) const {
  double sum = 0;
  for (const Run& run : runs_) {
    assert(end_of(run) <= dense.size());
    // Vectors without zeros are mostly runs of one, where a call costs more than the product.
    sum += run.size == 1
               ? values_[run.offset] * dense[run.begin]
               : dot_product(values_.data() + run.offset, dense.data() + run.begin, run.size);
  }
  return sum;
}

double SparseVector::dot(const SparseVector& other) const {
  double sum = 0;
  for (auto a = runs_.begin(), b = other.runs_.begin();
       a != runs_.end() && b != other.runs_.end();) {
    const Index begin = std::max(a->begin, b->begin), end = std::min(end_of(*a), end_of(*b));
    if (begin < end) {
      sum += dot_product(values_.data() + a->offset + (begin - a->begin),
                         other.values_.data() + b->offset + (begin - b->begin), end - begin);
    }
    end_of(*a) < end_of(*b) ? ++a : ++b;
  }
  return sum;
}

double SparseVector::squared_norm() const {
  return dot_product(values_.data(), values_.data(), values_.size());
}

void SparseVector::add_to(std::span<double> dense, double scale) const {
  for (const Run& run : runs_) {
    assert(end_of(run) <= dense.size());
    if (run.size == 1) {
      dense[run.begin] += scale * values_[run.offset];
    } else {
      add_scaled(dense.data() + run.begin, values_.data() + run.offset, run.size, scale);
    }
  }
}

void SparseVector::scale(double factor) {
  for (double& value : values_) value *= factor;
}

// Adds in place where every run of the other lies within one of ours; false: nothing was changed.
bool SparseVector::add_within(const SparseVector& other, double scale) {
  const auto find_home = [this](auto mine, const Run& theirs) {
    while (mine != runs_.end() && end_of(*mine) < end_of(theirs)) ++mine;
    return mine;
  };
  auto mine = runs_.begin();
  for (const Run& theirs : other.runs_) {
    mine = find_home(mine, theirs);
    if (mine == runs_.end() || mine->begin > theirs.begin) return false;
  }
  mine = runs_.begin();
  for (const Run& theirs : other.runs_) {
    mine = find_home(mine, theirs);
    add_scaled(values_.data() + mine->offset + (theirs.begin - mine->begin),
               other.values_.data() + theirs.offset, theirs.size, scale);
  }
  return true;
}

void SparseVector::add(const SparseVector& other, double scale) {
  if (add_within(other, scale)) return;
  SparseVector sum;
  sum.runs_.reserve(runs_.size() + other.runs_.size());
  sum.values_.reserve(values_.size() + other.values_.size());
  auto a = runs_.begin();
  auto b = other.runs_.begin();
  while (a != runs_.end() || b != other.runs_.end()) {
    // The next run of the sum: the union of all runs that overlap one another from here on.
    const auto first_a = a;
    const auto first_b = b;
    const bool starts_with_a = b == other.runs_.end() || (a != runs_.end() && a->begin <= b->begin);
    const Index begin = starts_with_a ? a->begin : b->begin;
    Index end = starts_with_a ? end_of(*a++) : end_of(*b++);
    while (true) {
      if (a != runs_.end() && a->begin < end) {
        end = std::max(end, end_of(*a++));
      } else if (b != other.runs_.end() && b->begin < end) {
        end = std::max(end, end_of(*b++));
      } else {
        break;
      }
    }
    double* values = sum.append(begin, end - begin).data();
    for (auto run = first_a; run != a; ++run) {
      std::copy_n(values_.data() + run->offset, run->size, values + (run->begin - begin));
    }
    for (auto run = first_b; run != b; ++run) {
      add_scaled(values + (run->begin - begin), other.values_.data() + run->offset, run->size,
                 scale);
    }
  }
  *this = std::move(sum);
}

void SparseVector::assign_dense(std::span<const double> dense) {
  clear();
  const auto is_zero = [](double value) { return value == 0; };
  const auto first = dense.begin();
  for (auto begin = std::find_if_not(first, dense.end(), is_zero); begin != dense.end();) {
    const auto end = std::find_if(begin, dense.end(), is_zero);
    const std::span<double> run =
        append(static_cast<Index>(begin - first), static_cast<Index>(end - begin));
    std::copy(begin, end, run.begin());
    begin = std::find_if_not(end, dense.end(), is_zero);
  }
}

}  // namespace trellis
