#include "trellis/learn/frame/risk.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/learn/frame/blocks.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

double inner_product(std::span<const double> x, std::span<const double> y) {
  return Blocks(x.size()).sum([&](Block b) { return dot(b.of(x), b.of(y)); });
}

double penalty(std::span<const double> w, double lambda, double rho) {
  const Blocks blocks(w.size());
  double value = 0;
  if (lambda > 0) value += lambda / 2 * blocks.sum([&](Block b) { return squared_norm(b.of(w)); });
  if (rho > 0) {
    value +=
        rho * blocks.sum([&](Block b) { return b.sum([&](Index j) { return std::abs(w[j]); }); });
  }
  return value;
}

Risk::Risk(const Oracle& oracle, int threads, const ApproximateOracle* estimates)
    : oracle_(oracle),
      estimates_(estimates),
      ended_(estimates == nullptr ? 0 : oracle.num_examples()),
      threads_(resolve_threads(threads)) {
  if (oracle.num_examples() == 0) throw UsageError("there are no examples to learn from");
  for (int t = 0; t < threads_; ++t) scratch_.push_back(oracle.make_scratch());
}

std::optional<double> Risk::evaluate(std::span<const double> w, std::span<double> slope,
                                     const std::stop_token& stop) {
  const std::optional<double> risk =
      mean(slope, stop, [&](Index i, Scratch& scratch, std::span<double> partial) {
        const double loss = oracle_.accumulate(i, w, scratch, partial);
        if (estimates_ != nullptr) ended_[i] = estimates_->convergence(scratch);
        return loss;
      });
  if (risk) {
    for (const Convergence& example : ended_) inference_.add(example);
  }
  return risk;
}

std::optional<double> Risk::mean(std::span<double> slope, const std::stop_token& stop,
                                 const Accumulate& accumulate) {
  const Index n = oracle_.num_examples();
  std::atomic<bool> abandoned = false;
  const double sum = parallel_sum(
      n, threads_, slope,
      [&](Index begin, Index end, int worker, std::span<double> partial) {
        Scratch& scratch = *scratch_[static_cast<Index>(worker)];
        double value = 0;
        for (Index i = begin; i < end; ++i) {
          if (stop.stop_requested()) {
            abandoned.store(true, std::memory_order_relaxed);
            break;
          }
          value += accumulate(i, scratch, partial);
        }
        return value;
      },
      buffers_);
  if (abandoned.load(std::memory_order_relaxed)) return std::nullopt;
  const double inverse_n = 1 / static_cast<double>(n);
  Blocks(slope.size(), threads_).each([&](Block b) { scale(inverse_n, b.of(slope)); });
  return sum * inverse_n;
}

double Risk::evaluate(std::span<const double> w, std::span<const Index> examples) {
  std::vector<Cut> cuts(static_cast<Index>(threads_));
  const double sum = parallel_sum(
      examples.size(), threads_, {}, [&](Index begin, Index end, int worker, std::span<double>) {
        const Index own = static_cast<Index>(worker);
        double value = 0;
        for (Index k = begin; k < end; ++k) {
          value += oracle_.evaluate(examples[k], w, *scratch_[own], cuts[own]);
        }
        return value;
      });
  return sum / static_cast<double>(examples.size());
}

CutRisk::CutRisk(const CutOracle& oracle, int threads)
    : Risk(oracle, threads), cuts_(oracle), missed_(oracle.num_examples()) {}

std::optional<LossBounds> CutRisk::evaluate(std::span<const double> w, std::span<double> slope,
                                            const std::stop_token& stop) {
  const std::optional<double> value =
      mean(slope, stop, [&](Index i, Scratch& scratch, std::span<double> partial) {
        const LossBounds loss = cuts_.accumulate_bounds(i, w, scratch, partial);
        missed_[i] = std::max(0.0, loss.upper - loss.value);
        return loss.value;
      });
  if (!value) return std::nullopt;
  const double missed = std::accumulate(missed_.begin(), missed_.end(), 0.0);
  return LossBounds{*value, *value + missed / static_cast<double>(missed_.size())};
}

}  // namespace trellis
