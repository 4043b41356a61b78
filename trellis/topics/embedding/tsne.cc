#include "trellis/topics/embedding/tsne.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/solve/vectors/matrix_products.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/embedding/affinities.h"
#include "trellis/topics/embedding/leading_axes.h"
#include "trellis/topics/embedding/neighbours.h"
#include "trellis/topics/embedding/quad_tree.h"
#include "trellis/topics/embedding/tsne_gradient.h"

namespace trellis::topics {
namespace {

constexpr Index kPointsAtOnce = 256;
constexpr int kRecordEvery = 50;
constexpr int kExaggerated = 250;  // iterations
constexpr double kExaggeration = 12;
constexpr int kAxesRounds = 30;
constexpr double kStartSpread = 1e-4, kStartNoise = 1e-6;
constexpr double kFirstMomentum = 0.5, kMomentum = 0.8;
constexpr double kGainUp = 0.2, kGainDown = 0.8, kLeastGain = 0.01;
constexpr double kLeastStep = 200;

// The first two principal components.
std::vector<Point> principal_places(std::span<const float> points, Index dimensions, int threads) {
  const Index n = points.size() / dimensions;
  std::vector<double> scores(n);
  const auto centred_scores = [&](std::span<const double> v) {
    const Index runs = (n + kPointsAtOnce - 1) / kPointsAtOnce;
    parallel_for(runs, threads, [&](Index run, int) {
      const Index first = run * kPointsAtOnce, count = std::min(kPointsAtOnce, n - first);
      multiply_dense(points.subspan(first * dimensions, count * dimensions), v,
                     std::span(scores).subspan(first, count));
    });
    const double mean = sum(scores) / static_cast<double>(n);
    for (double& score : scores) score -= mean;
  };
  const auto covariance = [&](std::span<const double> v, std::span<double> out) {
    centred_scores(v);
    parallel_sum(n, threads, out, [&](Index begin, Index end, int, std::span<double> partial) {
      for (Index i = begin; i < end; ++i) {
        axpy(scores[i], points.subspan(i * dimensions, dimensions), partial);
      }
      return 0.0;
    });
  };
  const LeadingAxes axes = leading_axes(dimensions, 2, kAxesRounds, covariance);
  std::vector<Point> places(n);
  for (Index axis = 0; axis < axes.vectors.size(); ++axis) {
    centred_scores(axes.vectors[axis]);
    for (Index i = 0; i < n; ++i) (axis == 0 ? places[i].x : places[i].y) = scores[i];
  }
  return places;
}

// Scales the first coordinate to the standard deviation kStartSpread, so small that no point
// obstructs another, and separates equal points.
void shrink(std::uint64_t seed, std::span<Point> places) {
  double squares = 0;
  for (const Point& p : places) squares += p.x * p.x;
  const double deviation = std::sqrt(squares / static_cast<double>(places.size()));
  const double factor = deviation > 0 ? kStartSpread / deviation : 0;
  for (Index i = 0; i < places.size(); ++i) {
    Random random(seed, i);
    const double u = random.uniform() - 0.5, v = random.uniform() - 0.5;
    places[i] = {factor * places[i].x + kStartNoise * u, factor * places[i].y + kStartNoise * v};
  }
}

// Momentum and gains: a coordinate whose gradient keeps its sign gets larger steps.
class Steps {
 public:
  Steps(Index n, double size) : size_(size), velocity_(n), gains_(n, Point{1, 1}) {}

  void take(std::span<const Point> gradient, double momentum, std::span<Point> places) {
    Point mean;
    for (Index i = 0; i < places.size(); ++i) {
      move(gradient[i].x, momentum, velocity_[i].x, gains_[i].x, places[i].x);
      move(gradient[i].y, momentum, velocity_[i].y, gains_[i].y, places[i].y);
      mean = {mean.x + places[i].x, mean.y + places[i].y};
    }
    const auto n = static_cast<double>(places.size());
    for (Point& place : places) place = {place.x - mean.x / n, place.y - mean.y / n};
  }

 private:
  void move(double slope, double momentum, double& velocity, double& gain, double& place) const {
    const bool turned = (slope > 0) == (velocity > 0);
    gain = std::max(kLeastGain, turned ? gain * kGainDown : gain + kGainUp);
    velocity = momentum * velocity - size_ * gain * slope;
    place += velocity;
  }

  double size_;
  std::vector<Point> velocity_;
  std::vector<Point> gains_;
};

void check(std::span<const float> points, Index dimensions, const TsneOptions& options) {
  if (dimensions == 0 || points.size() % dimensions != 0) {
    throw UsageError("t-SNE: the number of values is not a multiple of the row length");
  }
  if (!std::all_of(points.begin(), points.end(), [](float x) { return std::isfinite(x); })) {
    throw UsageError("t-SNE: a coordinate is not finite");
  }
  if (!(options.perplexity >= 1) || !std::isfinite(options.perplexity)) {
    throw UsageError("t-SNE: perplexity must be at least 1");
  }
  if (!(options.theta >= 0 && options.theta <= 1)) {
    throw UsageError("t-SNE: theta must lie between 0 and 1");
  }
  if (options.iterations < 0) {
    throw UsageError("t-SNE: the number of iterations must not be negative");
  }
}

// nullopt if the caller stopped it.
std::optional<Affinities> affinities_of(std::span<const float> points, Index dimensions,
                                        const TsneOptions& options, int threads) {
  const Index n = points.size() / dimensions;
  const double perplexity =
      std::min(options.perplexity, std::max(1.0, static_cast<double>(n - 1) / 3));
  const Index per_point = std::min(n - 1, static_cast<Index>(3 * perplexity));
  bool stopped = false;
  const Neighbours neighbours =
      nearest_neighbours(points, dimensions, per_point, threads, [&](Index done) {
        stopped = options.on_neighbours && !options.on_neighbours(done);
        return !stopped;
      });
  if (stopped) return std::nullopt;
  return affinities(neighbours, perplexity, threads);
}

}  // namespace

std::vector<float> hellinger_points(std::span<const double> mixtures) {
  std::vector<float> points(mixtures.size());
  std::transform(mixtures.begin(), mixtures.end(), points.begin(),
                 [](double share) { return static_cast<float>(std::sqrt(share)); });
  return points;
}

Embedding tsne(std::span<const float> points, Index dimensions, const TsneOptions& options) {
  check(points, dimensions, options);
  const Index n = points.size() / dimensions;
  Embedding out;
  if (n < 2) {
    out.places.resize(n);
    return out;
  }
  const int threads = resolve_threads(options.threads);
  out.places = principal_places(points, dimensions, threads);
  shrink(options.seed, out.places);
  const std::optional<Affinities> known = affinities_of(points, dimensions, options, threads);
  if (!known) return out;
  const Affinities& p = *known;
  QuadTree tree;
  TsneGradient gradient;
  Steps steps(n, std::max(kLeastStep, static_cast<double>(n) / kExaggeration));
  for (int iteration = 1; iteration <= options.iterations; ++iteration) {
    const bool early = iteration <= kExaggerated;
    tsne_gradient(p, out.places, early ? kExaggeration : 1, options.theta, threads, tree, gradient);
    steps.take(gradient.gradient, early ? kFirstMomentum : kMomentum, out.places);
    const bool stop = options.on_iteration && !options.on_iteration(iteration);
    if (iteration % kRecordEvery == 0 || iteration == options.iterations || stop) {
      tsne_gradient(p, out.places, 1, options.theta, threads, tree, gradient);
      const double divergence = tsne_divergence(p, out.places, gradient.normaliser, threads);
      out.history.push_back({iteration, divergence});
    }
    if (stop) break;
  }
  return out;
}

}  // namespace trellis::topics
