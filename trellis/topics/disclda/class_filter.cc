#include "trellis/topics/disclda/class_filter.h"

#include <algorithm>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {

double ClassFilter::run(const DocumentTables& document, Index y, double alpha, Index components,
                        std::span<double> occupancy) {
  const Index tokens = document.num_tokens();
  gamma_.resize(tokens * components);
  inverse_.resize(tokens);
  counts_.resize(components);
  slopes_.resize(components);
  std::fill(occupancy.begin(), occupancy.end(), 0.0);
  const double forwards = pass(
      document, y, alpha, [](Index i) { return i; }, occupancy);
  const double backwards = pass(
      document, y, alpha, [=](Index i) { return tokens - 1 - i; }, occupancy);
  return (forwards + backwards) / 2;
}

// Adds half of what it finds to the occupancy.
template <class Order>
double ClassFilter::pass(const DocumentTables& document, Index y, double alpha, const Order& order,
                         std::span<double> occupancy) {
  const Index tokens = document.num_tokens(), size = counts_.size();
  const double alpha_sum = alpha * static_cast<double>(size);
  std::fill(counts_.begin(), counts_.end(), 0.0);
  double value = 0;
  for (Index i = 0; i < tokens; ++i) {
    const auto phi = document.class_phi(y, document.tokens()[order(i)]);
    const std::span<double> gamma = std::span(gamma_).subspan(i * size, size);
    for (Index l = 0; l < size; ++l) gamma[l] = phi[l] * (alpha + counts_[l]);
    const double total = sum(gamma);
    inverse_[i] = 1 / total;
    for (Index l = 0; l < size; ++l) gamma[l] *= inverse_[i];
    for (Index l = 0; l < size; ++l) counts_[l] += gamma[l];
    value += portable_log(total / (alpha_sum + static_cast<double>(i)));
  }
  std::fill(slopes_.begin(), slopes_.end(), 0.0);
  for (Index i = tokens; i-- > 0;) {
    const Index word = document.tokens()[order(i)];
    const auto phi = document.class_phi(y, word);
    const std::span<const double> gamma = std::span(gamma_).subspan(i * size, size);
    const double mean = dot(gamma, slopes_);
    double* out = &occupancy[word * size];
    for (Index l = 0; l < size; ++l) {
      const double share = 1 + slopes_[l] - mean;
      out[l] += 0.5 * gamma[l] * share;
      slopes_[l] += phi[l] * inverse_[i] * share;
    }
  }
  return value;
}

}  // namespace trellis::topics
