// Elementary functions with the same bits on every machine, one value at a time: fixed sequences of
// operations that IEEE 754 rounds exactly. exp and log are those of vector_kernels.h; the library
// computes roots, and powers with integer exponents, by products and square roots.
#pragma once

namespace trellis {

// log₂ x to within 2 ulp, and exact where x is a power of two. Requires x > 0, and not denormal.
double portable_log2(double x);

// cos x to within 3 ulp, for every finite x.
double portable_cos(double x);

// The angle of the vector (x, y), in [−π, π], to within 3 ulp; treats signs of zeros as the C
// library does. Requires that both are finite, and that the ratio of the smaller to the larger does
// not underflow.
double portable_atan2(double y, double x);

}  // namespace trellis
