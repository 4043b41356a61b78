#include "trellis/topics/embedding/sign_projection.h"

#include <algorithm>
#include <cmath>

#include "trellis/base/random.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {

SignProjection::SignProjection(Index dimensions, Index directions, std::uint64_t seed)
    : directions_(directions), signs_(dimensions * directions) {
  const auto size = static_cast<float>(1 / std::sqrt(static_cast<double>(directions)));
  Random random(seed);
  for (float& sign : signs_) sign = random.below(2) == 0 ? -size : size;
}

void SignProjection::project(std::span<const float> point, std::span<float> out) const {
  std::vector<double> sums(directions_, 0.0);
  for (Index k = 0; k < point.size(); ++k) {
    axpy(static_cast<double>(point[k]), std::span(signs_).subspan(k * directions_, directions_),
         sums);
  }
  std::transform(sums.begin(), sums.end(), out.begin(),
                 [](double x) { return static_cast<float>(x); });
}

}  // namespace trellis::topics
