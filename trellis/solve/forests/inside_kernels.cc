#include "trellis/solve/forests/inside_kernels.h"

#include <algorithm>
#include <cassert>

#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/forests/inside_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

// For `count` edges of a node: x_e − max x and the masses of their tails. Returns max x.
HWY_INLINE double GatherTails(const PackedForest::Slots* slots, const double* scores, size_t count,
                              const InsideSum* sums, double* exponents, double* tail_masses) {
  for (size_t e = 0; e < count; ++e) {
    const InsideSum left = sums[slots[e].left], right = sums[slots[e].right];
    exponents[e] = scores[e] + (left.shift + right.shift);
    tail_masses[e] = left.mass * right.mass;
  }
  const double largest =
      fixed_max(count, [=](auto d, size_t e) HWY_ATTR { return hn::LoadU(d, exponents + e); });
  const double shift = largest == -kInfinity ? 0.0 : largest;
  sweep(0, count, [=](auto d, size_t e) HWY_ATTR {
    hn::StoreU(hn::Sub(hn::LoadU(d, exponents + e), hn::Set(d, shift)), d, exponents + e);
  });
  return largest;
}

// w_e of many edges; `weights` may be the exponents. An exponential is a long chain of operations
// that wait for each other: an octet is read, and then written, as a whole, so that the compiler
// may go through its vectors together.
HWY_INLINE void WeighEdges(const double* exponents, const double* tail_masses, size_t count,
                           double* weights) {
  const Wide d;
  size_t whole = 0;
  for (; whole + kOctet <= count; whole += kOctet) {
    Octet octet;
    for (size_t k = 0; k < Octet::kParts; ++k) {
      octet.part[k] = hn::LoadU(d, exponents + whole + k * Octet::kLanes);
    }
    for (size_t k = 0; k < Octet::kParts; ++k) octet.part[k] = exp(d, octet.part[k]);
    for (size_t k = 0; k < Octet::kParts; ++k) {
      const size_t e = whole + k * Octet::kLanes;
      hn::StoreU(hn::Mul(octet.part[k], hn::LoadU(d, tail_masses + e)), d, weights + e);
    }
  }
  sweep(whole, count, [=](auto narrow, size_t e) HWY_ATTR {
    const auto power = exp(narrow, hn::LoadU(narrow, exponents + e));
    hn::StoreU(hn::Mul(power, hn::LoadU(narrow, tail_masses + e)), narrow, weights + e);
  });
}

// The nodes from first to last, none of which is a tail of another.
HWY_INLINE void SumNodes(const PackedForest& forest, const double* scores, size_t first,
                         size_t last, const InsideTables& tables) {
  const uint32_t* begin = forest.begins().data();
  const PackedForest::Slots* slots = forest.slots().data();
  const double* edge_scores = scores + forest.num_nodes();
  const size_t origin = begin[first];
  for (size_t v = first; v < last; ++v) {
    const size_t e = begin[v], place = e - origin;
    const double largest = GatherTails(slots + e, edge_scores + e, begin[v + 1] - e, tables.sums,
                                       tables.exponents + place, tables.tail_masses + place);
    tables.sums[v + 1].shift = largest + scores[v];
  }
  double* weights = tables.weights == nullptr ? tables.exponents : tables.weights + origin;
  WeighEdges(tables.exponents, tables.tail_masses, begin[last] - origin, weights);
  for (size_t v = first; v < last; ++v) {
    const double* row = weights + (begin[v] - origin);
    InsideSum& sum = tables.sums[v + 1];
    sum.mass = fixed_sum(begin[v + 1] - begin[v],
                         [=](auto d, size_t e) HWY_ATTR { return hn::LoadU(d, row + e); });
    tables.totals[v] = sum.mass;
    if (sum.mass > kLargestMass) {
      sum.shift += hn::GetLane(log(One(), hn::Set(One(), sum.mass)));
      sum.mass = 1;
    }
  }
}

void SumInside(const PackedForest& forest, const double* scores, const InsideTables& tables) {
  const auto begin = forest.begins();
  const auto stages = forest.stages();
  for (size_t stage = 0; stage < stages.size(); ++stage) {
    const size_t end = stage + 1 < stages.size() ? stages[stage + 1] : forest.num_nodes();
    for (size_t first = stages[stage], last = first; first < end; first = last) {
      while (last < end && begin[last] - begin[first] < kEdgesAtOnce) ++last;
      SumNodes(forest, scores, first, last, tables);
    }
  }
}

// Σ r log(1/r) of ratios 0 ≤ r ≤ 1. One that is not a normal number counts for nothing.
double EntropySlope(const double* ratios, size_t count) {
  return fixed_sum(count, [=](auto d, size_t e) HWY_ATTR {
    const auto ratio = hn::LoadU(d, ratios + e);
    const auto normal = hn::Ge(ratio, hn::Set(d, std::numeric_limits<double>::min()));
    const auto safe = hn::IfThenElse(normal, ratio, hn::Set(d, 1.0));
    return hn::Mul(ratio, hn::Neg(log(d, safe)));
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trellis {

HWY_EXPORT(SumInside);
HWY_EXPORT(EntropySlope);

void sum_inside(const PackedForest& forest, const double* scores, const InsideTables& tables) {
  HWY_DYNAMIC_DISPATCH(SumInside)(forest, scores, tables);
}

// With r = w / max w and R = Σ r − 1: H = log(1 + R) + Σ r log(1/r) / (1 + R).
double entropy_of_weights(std::span<double> weights) {
  const auto top = std::max_element(weights.begin(), weights.end());
  const double largest = *top;
  assert(largest > 0);
  for (double& weight : weights) weight /= largest;
  *top = 0;
  const double rest = sum(weights);
  return portable_log1p(rest) +
         HWY_DYNAMIC_DISPATCH(EntropySlope)(weights.data(), weights.size()) / (1 + rest);
}

}  // namespace trellis
#endif  // HWY_ONCE
