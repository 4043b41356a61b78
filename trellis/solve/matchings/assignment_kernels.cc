#include "trellis/solve/matchings/assignment_kernels.h"

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/matchings/assignment_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

using Lanes = hn::Vec<Wide>;

// In each lane: the largest value so far, its index (as a double: exact up to 2^53) and the second.
struct LaneBestTwo {
  Lanes best, second, index;

  HWY_INLINE void add(Lanes x, Lanes j) {
    const auto better = hn::Gt(x, best);
    second = hn::Max(second, hn::Min(x, best));
    best = hn::Max(best, x);
    index = hn::IfThenElse(better, j, index);
  }
};

// Lanes to one: the largest, of equal ones the smallest index; the second may sit in another lane.
BestTwo combine(const LaneBestTwo& lanes) {
  const Wide d;
  constexpr size_t kLanes = kLanesOf<Wide>;
  double best[kLanes], second[kLanes], index[kLanes];
  hn::StoreU(lanes.best, d, best);
  hn::StoreU(lanes.second, d, second);
  hn::StoreU(lanes.index, d, index);
  size_t winner = 0;
  for (size_t l = 1; l < kLanes; ++l) {
    if (best[l] > best[winner] || (best[l] == best[winner] && index[l] < index[winner])) winner = l;
  }
  double runner_up = second[winner];
  for (size_t l = 0; l < kLanes; ++l) {
    if (l != winner && best[l] > runner_up) runner_up = best[l];
  }
  return {best[winner], runner_up, static_cast<Index>(index[winner])};
}

BestTwo BestTwoOf(const double* s, const double* p, size_t n) {
  const Wide d;
  constexpr size_t kLanes = kLanesOf<Wide>;
  if (n < kLanes) {
    BestTwo two = {s[0] - p[0], -kInfinity, 0};
    for (size_t j = 1; j < n; ++j) {
      const double x = s[j] - p[j];
      const double lower = x > two.best ? two.best : x;
      two.second = lower > two.second ? lower : two.second;
      if (x > two.best) {
        two.best = x;
        two.argbest = j;
      }
    }
    return two;
  }
  const Lanes lowest = hn::Set(d, -kInfinity);
  LaneBestTwo lanes = {lowest, lowest, hn::Zero(d)};
  Lanes j = hn::Iota(d, 0.0);
  const Lanes step = hn::Set(d, static_cast<double>(kLanes));
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    lanes.add(hn::Sub(hn::LoadU(d, s + i), hn::LoadU(d, p + i)), j);
    j = hn::Add(j, step);
  }
  if (i < n) {  // the last vector overlaps with what has been seen; that must not count twice
    const size_t start = n - kLanes;
    const Lanes x = hn::Sub(hn::LoadU(d, s + start), hn::LoadU(d, p + start));
    lanes.add(hn::IfThenElse(hn::FirstN(d, i - start), lowest, x),
              hn::Iota(d, static_cast<double>(start)));
  }
  return combine(lanes);
}

// In each lane: the smallest value so far and its index.
struct LaneLeast {
  Lanes value, index;

  HWY_INLINE void add(Lanes x, Lanes j) {
    index = hn::IfThenElse(hn::Lt(x, value), j, index);
    value = hn::Min(value, x);
  }
  void reduce(double& least, Index& where) const {
    const Wide d;
    const Lanes smallest = hn::MinOfLanes(d, value);
    const Lanes candidates = hn::IfThenElse(hn::Eq(value, smallest), index, hn::Set(d, 0x1p53));
    least = hn::GetLane(smallest);
    where = static_cast<Index>(hn::GetLane(hn::MinOfLanes(d, candidates)));
  }
};

NearestColumns RelaxScalar(const double* s, double h, double node, const ColumnLabels& labels,
                           size_t n) {
  NearestColumns nearest = {kInfinity, 0, kInfinity, 0};
  for (size_t j = 0; j < n; ++j) {
    const double t = h - (s[j] - labels.price[j]);
    if (t < labels.distance[j]) {
      labels.distance[j] = t;
      labels.origin[j] = node;
    }
    const double distance = labels.distance[j];
    if (distance < nearest.distance) {
      nearest.distance = distance;
      nearest.column = j;
    }
    if (distance + labels.blocked[j] < nearest.free_distance) {
      nearest.free_distance = distance;
      nearest.free_column = j;
    }
  }
  return nearest;
}

// Relaxing a column twice changes nothing, so the last vector may overlap the one before.
NearestColumns Relax(const double* s, double h, double node, const ColumnLabels& labels, size_t n) {
  const Wide d;
  constexpr size_t kLanes = kLanesOf<Wide>;
  if (n < kLanes) return RelaxScalar(s, h, node, labels, n);
  const Lanes from = hn::Set(d, h), name = hn::Set(d, node);
  LaneLeast all = {hn::Set(d, kInfinity), hn::Zero(d)};
  LaneLeast free = all;
  const auto visit = [&](size_t i) HWY_ATTR {
    const Lanes gain = hn::Sub(hn::LoadU(d, s + i), hn::LoadU(d, labels.price + i));
    const Lanes t = hn::Sub(from, gain);
    const Lanes old = hn::LoadU(d, labels.distance + i);
    const Lanes distance = hn::Min(t, old);
    hn::StoreU(distance, d, labels.distance + i);
    const Lanes origin = hn::LoadU(d, labels.origin + i);
    hn::StoreU(hn::IfThenElse(hn::Lt(t, old), name, origin), d, labels.origin + i);
    const Lanes j = hn::Iota(d, static_cast<double>(i));
    all.add(distance, j);
    free.add(hn::Add(distance, hn::LoadU(d, labels.blocked + i)), j);
  };
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) visit(i);
  if (i < n) visit(n - kLanes);
  NearestColumns nearest;
  all.reduce(nearest.distance, nearest.column);
  free.reduce(nearest.free_distance, nearest.free_column);
  return nearest;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis {

HWY_EXPORT(BestTwoOf);
HWY_EXPORT(Relax);

BestTwo best_two(const double* s, const double* p, Index n) {
  return HWY_DYNAMIC_DISPATCH(BestTwoOf)(s, p, n);
}

NearestColumns relax(const double* s, double h, double node, const ColumnLabels& labels, Index n) {
  return HWY_DYNAMIC_DISPATCH(Relax)(s, h, node, labels, n);
}

}  // namespace trellis

#endif  // HWY_ONCE
