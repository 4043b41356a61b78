#include "trellis/problem/kernels/kernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/problem/kernels/kernel_gram.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

namespace {

// x^k by squaring: the C library's pow differs between machines in the last bit.
double power(double x, int k) {
  double result = 1;
  for (; k > 0; k /= 2, x *= x) {
    if (k % 2 == 1) result *= x;
  }
  return result;
}

}  // namespace

void Kernel::validate() const {
  if (kind == KernelKind::kPolynomial) {
    if (degree < 1) throw UsageError("the degree of a polynomial kernel must be at least 1");
    if (!(offset >= 0 && std::isfinite(offset))) {
      throw UsageError("the offset of a polynomial kernel must be at least 0 and finite");
    }
    if (!(scale > 0 && std::isfinite(scale))) {
      throw UsageError("the scale of a polynomial kernel must be above 0 and finite");
    }
  }
  if (kind == KernelKind::kRbf && !(gamma > 0 && std::isfinite(gamma))) {
    throw UsageError("the gamma of an RBF kernel must be above 0 and finite");
  }
}

double Kernel::of_products(double xy, double xx, double yy) const {
  switch (kind) {
    case KernelKind::kLinear:
      return xy;
    case KernelKind::kPolynomial:
      return power(scale * xy + offset, degree);
    case KernelKind::kRbf:
      // Rounding may leave −ε where x = y.
      return portable_exp(-gamma * std::max(0.0, xx + yy - 2 * xy));
  }
  return 0;
}

double Kernel::operator()(std::span<const float> x, std::span<const float> y) const {
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (Index d = 0; d < x.size(); ++d) {
    const double a = x[d];
    const double b = y[d];
    xy += a * b;
    xx += a * a;
    yy += b * b;
  }
  return of_products(xy, xx, yy);
}

void gram_matrix(const Kernel& kernel, std::span<const float> x, std::span<const float> y,
                 Index width, std::span<double> gram, int threads) {
  kernel.validate();
  if (width == 0 || x.size() % width != 0 || y.size() % width != 0 ||
      gram.size() != (x.size() / width) * (y.size() / width)) {
    throw UsageError("the sizes of a Gram matrix and of its vectors do not fit");
  }
  const GramRows rows(x, width);
  const GramRows columns(y, width);
  const Index m = columns.size();
  const Index blocks = (rows.size() + kGramBlock - 1) / kGramBlock;
  parallel_for(blocks, threads, [&](Index block, int) {
    const Index begin = block * kGramBlock;
    const Index end = std::min(begin + kGramBlock, rows.size());
    gram_block(kernel, rows, begin, end, columns, 0, m, gram.data() + begin * m, m);
  });
}

}  // namespace trellis
