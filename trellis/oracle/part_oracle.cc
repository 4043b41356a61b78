#include "trellis/oracle/part_oracle.h"

namespace trellis {

double PartOracle::inner_product(std::span<const double> v, std::span<const double> w) const {
  double sum = 0;
  for (Index j = 0; j < v.size(); ++j) sum += v[j] * w[j];
  return sum;
}

}  // namespace trellis
