// The risk R(w) = (1/n) Σ_i L_i(w) and the objective around it, by passes over all examples that
// are spread over the threads and whose bits do not depend on the number of threads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/base/types.h"
#include "trellis/oracle/inference_tally.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

double inner_product(std::span<const double> x, std::span<const double> y);

// λ/2 ‖w‖² + ρ ‖w‖₁
double penalty(std::span<const double> w, double lambda, double rho);

// Holds the memory of the threads, so one Risk serves one run, one call at a time. `oracle` must
// outlive it.
class Risk {
 public:
  // Throws UsageError if the oracle has no examples. `estimates` is the same oracle, or null.
  Risk(const Oracle& oracle, int threads, const ApproximateOracle* estimates = nullptr);

  // Returns R(w) and writes the mean of the slopes over `slope`: the tangent of the risk at w is
  // R(w) + ⟨v − w, slope⟩. Nothing, and a meaningless slope, if `stop` was requested meanwhile.
  std::optional<double> evaluate(std::span<const double> w, std::span<double> slope,
                                 const std::stop_token& stop = {});

  // How the sums of the passes of evaluate() ended, with `estimates`; for the caller to reset.
  InferenceTally& inference() { return inference_; }
  const InferenceTally& inference() const { return inference_; }

  // The mean loss of the given examples alone.
  double evaluate(std::span<const double> w, std::span<const Index> examples);

 protected:
  // The means of what `accumulate` returns and adds to the slope, from several threads.
  using Accumulate = std::function<double(Index i, Scratch& scratch, std::span<double> slope)>;
  std::optional<double> mean(std::span<double> slope, const std::stop_token& stop,
                             const Accumulate& accumulate);

 private:
  const Oracle& oracle_;
  const ApproximateOracle* estimates_;
  std::vector<Convergence> ended_;  // by example
  InferenceTally inference_;
  int threads_;
  std::vector<std::unique_ptr<Scratch>> scratch_;  // one per thread
  SumBuffers buffers_;
};

// A cut of the risk, and R(w) between two bounds.
class CutRisk : private Risk {
 public:
  CutRisk(const CutOracle& oracle, int threads);

  // value + ⟨v − w, slope⟩ ≤ R(v) for all v, and value ≤ R(w) ≤ upper, which are the same where all
  // cuts touch. Nothing if `stop` was requested meanwhile.
  std::optional<LossBounds> evaluate(std::span<const double> w, std::span<double> slope,
                                     const std::stop_token& stop = {});

 private:
  const CutOracle& cuts_;
  std::vector<double> missed_;  // upper − value of each example
};

}  // namespace trellis
