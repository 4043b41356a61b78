#include "trellis/topics/disclda/class_filter.h"

#include <algorithm>
#include <numeric>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {

double ClassFilter::run(const DocumentTables& document, Index y, double alpha, Index components,
                        std::span<double> occupancy) {
  counts_.resize(components);
  slopes_.resize(components);
  weights_.assign(components, 1.0);
  order_tokens(document, y);
  forwards(document, y, alpha);
  for (Index l = 0; l < components; ++l) weights_[l] = alpha + counts_[l];
  order_tokens(document, y);
  const double value = forwards(document, y, alpha);
  backwards(document, y, occupancy);
  return value;
}

void ClassFilter::order_tokens(const DocumentTables& document, Index y) {
  const Index words = document.words().size();
  certainty_.resize(words);
  for (Index w = 0; w < words; ++w) {
    const auto phi = document.class_phi(y, w);
    double most = 0, total = 0;
    for (Index l = 0; l < weights_.size(); ++l) {
      const double weight = phi[l] * weights_[l];
      most = std::max(most, weight);
      total += weight;
    }
    certainty_[w] = most / total;
  }
  order_.resize(words);
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return certainty_[a] != certainty_[b] ? certainty_[a] > certainty_[b] : a < b;
  });
  tokens_.clear();
  for (const std::uint32_t w : order_) {
    tokens_.insert(tokens_.end(), static_cast<Index>(document.times()[w]), w);
  }
}

double ClassFilter::forwards(const DocumentTables& document, Index y, double alpha) {
  const Index size = counts_.size();
  const double alpha_sum = alpha * static_cast<double>(size);
  gamma_.resize(tokens_.size() * size);
  inverse_.resize(tokens_.size());
  std::fill(counts_.begin(), counts_.end(), 0.0);
  double value = 0;
  for (Index i = 0; i < tokens_.size(); ++i) {
    const auto phi = document.class_phi(y, tokens_[i]);
    const std::span<double> gamma = std::span(gamma_).subspan(i * size, size);
    for (Index l = 0; l < size; ++l) gamma[l] = phi[l] * (alpha + counts_[l]);
    const double total = sum(gamma);
    inverse_[i] = 1 / total;
    for (Index l = 0; l < size; ++l) gamma[l] *= inverse_[i];
    for (Index l = 0; l < size; ++l) counts_[l] += gamma[l];
    value += portable_log(total / (alpha_sum + static_cast<double>(i)));
  }
  return value;
}

void ClassFilter::backwards(const DocumentTables& document, Index y, std::span<double> occupancy) {
  const Index size = counts_.size();
  std::fill(occupancy.begin(), occupancy.end(), 0.0);
  std::fill(slopes_.begin(), slopes_.end(), 0.0);
  for (Index i = tokens_.size(); i-- > 0;) {
    const auto phi = document.class_phi(y, tokens_[i]);
    const std::span<const double> gamma = std::span(gamma_).subspan(i * size, size);
    const double mean = dot(gamma, slopes_);
    double* out = &occupancy[tokens_[i] * size];
    for (Index l = 0; l < size; ++l) {
      const double share = 1 + slopes_[l] - mean;
      out[l] += gamma[l] * share;
      slopes_[l] += phi[l] * inverse_[i] * share;
    }
  }
}

}  // namespace trellis::topics
