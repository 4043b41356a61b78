#include "trellis/generative/alignment/lexicon_estimate.h"

#include <algorithm>

#include "trellis/solve/vectors/gamma_functions.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kLeast = 1e-30;

}  // namespace

LexiconEstimate::LexiconEstimate(const Lexicon::Options& options, double total, Index words)
    : smoothing_(options.smoothing),
      prior_(options.prior),
      floor_(portable_log(options.floor)),
      log_total_(0) {
  const double sum = std::max(total + prior_ * static_cast<double>(words), kLeast);
  log_total_ = smoothing_ == Smoothing::kBayes ? digamma(sum) : portable_log(sum);
}

float LexiconEstimate::operator()(double count) const {
  const double x = count + prior_;
  double value = floor_;
  if (smoothing_ == Smoothing::kBayes) {
    // ψ(x) < log x − 1/2x ≤ x − 1 − 1/2x: most counts are next to nothing, and end here.
    const double bound = x - 1 - 0.5 / std::max(x, kLeast);
    if (bound > floor_ + log_total_) value = digamma(x) - log_total_;
  } else if (x > kLeast) {
    value = portable_log(x) - log_total_;
  }
  return static_cast<float>(std::max(value, floor_));
}

}  // namespace trellis
