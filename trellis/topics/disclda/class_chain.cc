#include "trellis/topics/disclda/class_chain.h"

namespace trellis::topics {

void ClassChain::start(const DocumentTables& document, Index y, double alpha, Index components,
                       Random& random) {
  document_ = &document;
  class_ = y;
  alpha_ = alpha;
  counts_.assign(components, 0.0);
  prior_.assign(components, alpha);
  weights_.resize(components);
  components_.resize(document.num_tokens());
  for (Index i = 0; i < components_.size(); ++i) {
    const Index l = draw_one(document.class_phi(y, document.tokens()[i]), random);
    components_[i] = static_cast<std::uint16_t>(l);
    counts_[l] += 1;
    prior_[l] = alpha_ + counts_[l];
  }
}

// Leaves the partial sums of the weights in weights_.
Index ClassChain::draw_one(std::span<const double> phi, Random& random) {
  const Index size = weights_.size();
  double* weights = weights_.data();
  for (Index l = 0; l < size; ++l) weights[l] = phi[l] * prior_[l];
  for (Index l = 1; l < size; ++l) weights[l] += weights[l - 1];
  const double threshold = random.uniform() * weights[size - 1];
  Index l = 0;
  while (l + 1 < size && weights[l] <= threshold) ++l;
  return l;
}

template <bool kWithOccupancy>
void ClassChain::draw_all(Random& random, std::span<double> occupancy) {
  for (Index i = 0; i < components_.size(); ++i) {
    const Index old = components_[i], word = document_->tokens()[i];
    counts_[old] -= 1;
    prior_[old] = alpha_ + counts_[old];
    const auto phi = document_->class_phi(class_, word);
    const Index l = draw_one(phi, random);
    if constexpr (kWithOccupancy) {
      const double inverse = 1 / weights_.back();
      double* out = &occupancy[word * weights_.size()];
      for (Index m = 0; m < weights_.size(); ++m) out[m] += phi[m] * prior_[m] * inverse;
    }
    components_[i] = static_cast<std::uint16_t>(l);
    counts_[l] += 1;
    prior_[l] = alpha_ + counts_[l];
  }
}

void ClassChain::sweep(Random& random) {
  draw_all<false>(random, {});
}

void ClassChain::sweep(Random& random, std::span<double> occupancy) {
  draw_all<true>(random, occupancy);
}

}  // namespace trellis::topics
