#include "trellis/solve/vectors/lane_kernels.h"

#include <cstddef>

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/vectors/lane_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

void LaneSums(const LaneRow& row, const double* table, double* sums) {
  const Wide d;
  Octet octet = Octet::zero();
  for (size_t k = 0; k < row.length; ++k) {
    const double* lanes = table + kOctet * (row.ids == nullptr ? k : row.ids[k]);
    const auto x = hn::Set(d, static_cast<double>(row.values[k]));
    for (size_t part = 0; part < Octet::kParts; ++part) {
      const auto term = hn::Mul(x, hn::LoadU(d, lanes + part * Octet::kLanes));
      octet.part[part] = hn::Add(octet.part[part], term);
    }
  }
  for (size_t part = 0; part < Octet::kParts; ++part) {
    hn::StoreU(octet.part[part], d, sums + part * Octet::kLanes);
  }
}

void AddToLanes(const LaneRow& row, const double* factors, bool squared, double* table) {
  const Wide d;
  Octet octet = Octet::zero();
  for (size_t part = 0; part < Octet::kParts; ++part) {
    octet.part[part] = hn::LoadU(d, factors + part * Octet::kLanes);
  }
  for (size_t k = 0; k < row.length; ++k) {
    double* lanes = table + kOctet * (row.ids == nullptr ? k : row.ids[k]);
    const double value = static_cast<double>(row.values[k]);
    const auto x = hn::Set(d, squared ? value * value : value);
    for (size_t part = 0; part < Octet::kParts; ++part) {
      double* at = lanes + part * Octet::kLanes;
      hn::StoreU(hn::Add(hn::LoadU(d, at), hn::Mul(x, octet.part[part])), d, at);
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis {

HWY_EXPORT(LaneSums);
HWY_EXPORT(AddToLanes);

void lane_sums(const LaneRow& row, const double* table, double* sums) {
  HWY_DYNAMIC_DISPATCH(LaneSums)(row, table, sums);
}

void add_to_lanes(const LaneRow& row, const double* factors, bool squared, double* table) {
  HWY_DYNAMIC_DISPATCH(AddToLanes)(row, factors, squared, table);
}

}  // namespace trellis

#endif  // HWY_ONCE
