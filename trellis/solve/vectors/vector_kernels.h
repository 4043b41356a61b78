// Vector arithmetic whose bits are the same on every machine.
//
// The loops use the widest vector instructions of the processor (Highway, chosen at run time). No
// result depends on that choice: element-wise operations are the same IEEE operations in every
// lane, products are never fused into sums, and a reduction has a fixed shape of eight partial
// sums,
//
//   l_j = x_j + x_{8+j} + x_{16+j} + …,    sum = ((l0+l4) + (l2+l6)) + ((l1+l5) + (l3+l7)),
//
// where lane j of an incomplete last group is x_{n−8+j}; fewer than eight values are added one
// after another.
//
// exp and log are computed here too, by a fixed sequence of operations: the C library selects them
// by processor (with or without fused multiply-add), and they differ in the last bit.
#pragma once

#include <span>

#include "trellis/base/types.h"

namespace trellis {

double dot(std::span<const double> x, std::span<const double> y);
double squared_norm(std::span<const double> x);
double sum(std::span<const double> x);
void axpy(double a, std::span<const double> x, std::span<double> y);  // y += a x
void axpy(double a, std::span<const float> x, std::span<double> y);
void scale(double a, std::span<double> x);    // x *= a
double max_value(std::span<const double> x);  // −∞ where x is empty
// Σ x_i log x_i, where 0 log 0 = 0. Requires x ≥ 0, and not denormal.
double sum_x_log_x(std::span<const double> x);

// e^x to within 1 ulp; 0 below −708 and for −∞ (no denormals), +∞ above 709.78.
double portable_exp(double x);
// log x to within 1 ulp; log 0 = −∞. Requires x ≥ 0, and not denormal.
double portable_log(double x);
// log(1 + x) for x ≥ 0, accurate for small x.
double portable_log1p(double x);

// out_i = exp(x_i − shift). −∞ gives 0. `out` may be x itself.
void exp_shifted(std::span<const double> x, double shift, std::span<double> out);

// For each of `rows` rows of `width` values, `stride` apart: shifts[r] = max_i x_ri (0 if all are
// −∞) and out_ri = exp(x_ri − shifts[r]). Returns the largest spread of a row: its maximum minus
// its smallest finite value.
double exp_rows(const double* x, Index rows, Index width, Index stride, double* out,
                double* shifts);

// log Σ exp x_i; −∞ if all are −∞ or x is empty.
double log_sum_exp(std::span<const double> x);
// p_i = exp(x_i) / Σ exp x; returns log Σ exp x. All 0 if every x is −∞. `p` may be x itself.
double softmax(std::span<const double> x, std::span<double> p);
// −Σ p_i log p_i of that distribution, as a sum of non-negative terms: it keeps its relative
// accuracy when nearly all the mass is on one i. 0 if every x is −∞.
double softmax_entropy(std::span<const double> x);

}  // namespace trellis
