#include "trellis/generative/alignment/digamma.h"

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

double digamma(double x) {
  double below = 0;
  for (; x < 6; x += 1) below += 1 / x;
  const double r = 1 / x, r2 = r * r;
  const double series =
      r2 *
      (1.0 / 12 -
       r2 * (1.0 / 120 -
             r2 * (1.0 / 252 -
                   r2 * (1.0 / 240 - r2 * (1.0 / 132 - r2 * (691.0 / 32760 - r2 * (1.0 / 12)))))));
  return portable_log(x) - 0.5 * r - series - below;
}

}  // namespace trellis
