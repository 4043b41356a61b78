#include "trellis/learn/saddle_point/extragradient_start.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/learn/saddle_point/spectral_norm.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kNormTolerance = 1e-3;

}  // namespace

std::optional<SaddleStart> measure_start(const PartOracle& oracle, const WeightBallOptions& options,
                                         std::span<const double> w, const LearnControl& control,
                                         PartPass& pass, std::span<double> slope) {
  SpectralNormOptions norm_options;
  norm_options.tolerance = kNormTolerance;
  norm_options.seed = control.seed;
  norm_options.threads = control.threads;
  norm_options.stop = control.stop;
  const std::optional<double> norm = spectral_norm(oracle, norm_options);
  if (!norm) return std::nullopt;
  // Numbers: the losses, and Σ_i ‖z_i − z(y_i)‖².
  const std::span<double> sums[] = {slope};
  const auto totals =
      pass.sum(sums, [&](Index i, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
        const Index size = oracle.num_parts(i);
        const std::span<double> y = memory.get(0, size);
        const std::span<double> c = memory.get(1, size);
        const std::span<double> s = memory.get(2, size);
        const std::span<double> z = memory.get(3, size);
        oracle.target(i, y);
        oracle.costs(i, c);
        oracle.scores(i, w, scratch, s);
        axpy(1, c, s);
        terms.numbers[0] = std::max(0.0, oracle.maximize(i, s, scratch, z) - dot(s, y));
        axpy(-1, y, z);
        terms.numbers[1] = squared_norm(z);
        oracle.features(i, z, 1, scratch, terms.slopes[0]);
      });
  if (!totals) return std::nullopt;
  const auto [losses, square, unused] = *totals;
  const double steepness = std::sqrt(std::max(0.0, oracle.inner_product(slope, slope)));
  double reach = steepness > 0 ? losses / steepness : 0.0;
  const double lambda_n = options.lambda * static_cast<double>(oracle.num_examples());
  if (lambda_n > 0) reach = std::min(reach, steepness / lambda_n);
  if (options.ball != WeightBall::kNone) reach = std::min(reach, options.radius);
  return SaddleStart{*norm * (1 + kNormTolerance), reach, std::sqrt(square)};
}

double balance_of(double weight_reach, double part_distance) {
  const double sigma = weight_reach / part_distance;
  return sigma > 0 && std::isfinite(sigma) ? sigma : 1.0;
}

}  // namespace trellis
