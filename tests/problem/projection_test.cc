// Points of polytopes, also where a structure's own projection ends before it is there.
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/problem/part_problem.h"
#include "trellis/structure/sets/multiclass.h"

namespace trellis::testing {
namespace {

class Unfinished : public Multiclass {
 public:
  using Multiclass::Multiclass;

  ProjectionResult project(std::span<const double>, Scratch&, std::span<double> z) const {
    for (double& part : z) part = 7;  // no point of Z
    return {ProjectionStatus::kNotConverged, 1, 0};
  }
};

TEST(Projection, ThatEndsEarlyIsMadeAnewByBestOutputs) {
  constexpr Index kLabels = 5;
  Multiclass::Scratch scratch;
  Label output = 0;
  for (Index trial = 0; trial < 50; ++trial) {
    Random random(1, trial);
    std::vector<double> v(kLabels), nearest(kLabels), z(kLabels);
    for (double& part : v) part = random.normal();
    Multiclass(kLabels).project(v, scratch, nearest);
    project_safely(Unfinished(kLabels), v, scratch, output, z);
    for (Index y = 0; y < kLabels; ++y) EXPECT_NEAR(z[y], nearest[y], 1e-9);
  }
}

}  // namespace
}  // namespace trellis::testing
