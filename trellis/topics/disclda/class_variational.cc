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

// log Γ(A) / Γ(A + N): what all components together owe.
double log_rising_inverse(double alpha_sum, double tokens) {
  return log_gamma(alpha_sum) - log_gamma(alpha_sum + tokens);
}

}  // namespace

double ClassVariational::fit(const DocumentTables& document, Index y, double alpha,
                             Index components, VariationalKind kind,
                             const VariationalOptions& options) {
  const auto tokens = static_cast<double>(document.num_tokens());
  const double uniform = 1 / static_cast<double>(components);
  gamma_.assign(document.words().size() * components, uniform);
  counts_.assign(components, tokens * uniform);
  weights_.resize(components);
  if (document.num_tokens() == 0) return 0;
  const bool mean_field = kind == VariationalKind::kMeanField;
  for (Index sweep = 0; sweep < options.max_sweeps; ++sweep) {
    const double change =
        mean_field ? mean_field_sweep(document, y, alpha) : collapsed_sweep(document, y, alpha);
    if (change <= options.tolerance) break;
  }
  return mean_field ? mean_field_value(document, alpha) : collapsed_value(document, y, alpha);
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

double ClassVariational::mean_field_value(const DocumentTables& document, double alpha) const {
  const double alpha_sum = alpha * static_cast<double>(counts_.size());
  double value = log_rising_inverse(alpha_sum, static_cast<double>(document.num_tokens())) + mixed_;
  const double of_alpha = log_gamma(alpha);
  for (const double count : counts_) value += log_gamma(alpha + count) - of_alpha;
  return value;
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

double ClassVariational::collapsed_value(const DocumentTables& document, Index y,
                                         double alpha) const {
  const Index size = counts_.size();
  std::vector<double> means(size, 0.0), variances(size, 0.0), log_none(size, 0.0);
  double value = log_rising_inverse(alpha * static_cast<double>(size),
                                    static_cast<double>(document.num_tokens()));
  for (Index w = 0; w < document.words().size(); ++w) {
    const auto phi = document.class_phi(y, w);
    const auto gamma = this->gamma(w);
    const double times = document.times()[w];
    for (Index l = 0; l < size; ++l) {
      if (gamma[l] < 1e-12) continue;  // contributes nothing that a double keeps
      means[l] += times * gamma[l];
      variances[l] += times * gamma[l] * (1 - gamma[l]);
      log_none[l] += times * portable_log(std::max(0.0, 1 - gamma[l]));
      value += times * gamma[l] * portable_log(phi[l] / gamma[l]);
    }
  }
  const double of_alpha = log_gamma(alpha);
  for (Index l = 0; l < size; ++l) {
    const double some = 1 - portable_exp(log_none[l]);  // p(n_l > 0)
    if (some < 1e-12) continue;
    const double mean = means[l] / some;
    const double variance =
        std::max(0.0, (variances[l] + means[l] * means[l]) / some - mean * mean);
    value += some * (log_gamma(alpha + mean) - of_alpha + trigamma(alpha + mean) * variance / 2);
  }
  return value;
}

}  // namespace trellis::topics
