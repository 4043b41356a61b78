// Kernels k(x, y) = ⟨φ(x), φ(y)⟩ of feature vectors (Lacoste-Julien 2009, sec. 2.5.1):
//
//   linear       ⟨x, y⟩
//   polynomial   (scale ⟨x, y⟩ + offset)^degree
//   RBF          exp(−γ ‖x − y‖²)
//
// All are functions of ⟨x, y⟩, ⟨x, x⟩ and ⟨y, y⟩, so a block of a Gram matrix is one matrix product
// and a function of each entry. Products are sums of doubles; the bits of a Gram matrix depend
// neither on the number of threads nor on the sizes of the processor's caches.
#pragma once

#include <span>

#include "trellis/base/types.h"

namespace trellis {

enum class KernelKind { kLinear, kPolynomial, kRbf };

struct Kernel {
  KernelKind kind = KernelKind::kLinear;
  int degree = 2;     // of kPolynomial, ≥ 1
  double offset = 1;  // of kPolynomial, ≥ 0: below that k is not positive semidefinite
  double scale = 1;   // of kPolynomial, > 0
  double gamma = 1;   // of kRbf, > 0

  // Throws UsageError where a parameter that the kind reads is out of its range.
  void validate() const;

  // k(x, y) of the products ⟨x, y⟩, ⟨x, x⟩ and ⟨y, y⟩.
  double of_products(double xy, double xx, double yy) const;
  // Vectors of equal size.
  double operator()(std::span<const float> x, std::span<const float> y) const;
};

// gram[a·m + b] ← k(x_a, y_b) for the n vectors x_a and m vectors y_b of `width` values each, one
// after another. By blocked matrix products, on `threads` threads.
void gram_matrix(const Kernel& kernel, std::span<const float> x, std::span<const float> y,
                 Index width, std::span<double> gram, int threads = 1);

}  // namespace trellis
