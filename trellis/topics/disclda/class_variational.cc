#include "trellis/topics/disclda/class_variational.h"

#include <algorithm>
#include <cmath>

#include "trellis/solve/vectors/gamma_functions.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

double largest_difference(std::span<const double> x, std::span<const double> y) {
  double largest = 0;
  for (Index i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

}  // namespace

void ClassVariational::begin(const DocumentTables& document, Index components) {
  const double uniform = 1 / static_cast<double>(components);
  gamma_.assign(document.words().size() * components, uniform);
  counts_.assign(components, static_cast<double>(document.num_tokens()) * uniform);
  weights_.resize(components);
  mixed_ = 0;
}

double ClassVariational::fit_mean_field(const DocumentTables& document, Index y, double alpha,
                                        Index components, const VariationalOptions& options) {
  begin(document, components);
  if (document.num_tokens() == 0) return 0;
  for (Index sweep = 0; sweep < std::max<Index>(options.max_sweeps, 1); ++sweep) {
    if (mean_field_sweep(document, y, alpha) <= options.tolerance) break;
  }
  const double alpha_sum = alpha * static_cast<double>(components);
  double value = mixed_ + log_gamma(alpha_sum) -
                 log_gamma(alpha_sum + static_cast<double>(document.num_tokens()));
  const double of_alpha = log_gamma(alpha);
  for (const double count : counts_) value += log_gamma(alpha + count) - of_alpha;
  return value;
}

void ClassVariational::fit_collapsed(const DocumentTables& document, Index y, double alpha,
                                     Index components, const VariationalOptions& options) {
  begin(document, components);
  for (Index sweep = 0; sweep < options.max_sweeps; ++sweep) {
    if (collapsed_sweep(document, y, alpha) <= options.tolerance) break;
  }
}

double ClassVariational::mean_field_sweep(const DocumentTables& document, Index y, double alpha) {
  const Index size = counts_.size();
  previous_ = counts_;
  for (Index l = 0; l < size; ++l) weights_[l] = digamma(alpha + counts_[l]);
  const std::vector<double> log_weights = weights_;
  const double largest = max_value(log_weights);  // the others may underflow, as their γ do
  exp_shifted(log_weights, largest, weights_);
  std::fill(counts_.begin(), counts_.end(), 0.0);
  mixed_ = 0;
  for (Index w = 0; w < document.words().size(); ++w) {
    const auto phi = document.class_phi(y, w);
    double* gamma = &gamma_[w * size];
    for (Index l = 0; l < size; ++l) gamma[l] = phi[l] * weights_[l];
    const double total = sum({gamma, size}), inverse = 1 / total, times = document.times()[w];
    for (Index l = 0; l < size; ++l) gamma[l] *= inverse;
    for (Index l = 0; l < size; ++l) counts_[l] += times * gamma[l];
    mixed_ += times * (portable_log(total) + largest);
  }
  mixed_ -= dot(counts_, log_weights);
  return largest_difference(counts_, previous_);
}

double ClassVariational::collapsed_sweep(const DocumentTables& document, Index y, double alpha) {
  const Index size = counts_.size();
  previous_ = counts_;
  for (Index w = 0; w < document.words().size(); ++w) {
    const auto phi = document.class_phi(y, w);
    double* gamma = &gamma_[w * size];
    // Rounding may leave a count a little below the γ that it contains.
    for (Index l = 0; l < size; ++l) {
      weights_[l] = phi[l] * (alpha + std::max(0.0, counts_[l] - gamma[l]));
    }
    const double inverse = 1 / sum(weights_), times = document.times()[w];
    for (Index l = 0; l < size; ++l) {
      const double next = weights_[l] * inverse;
      counts_[l] += times * (next - gamma[l]);
      gamma[l] = next;
    }
  }
  return largest_difference(counts_, previous_);
}

}  // namespace trellis::topics
