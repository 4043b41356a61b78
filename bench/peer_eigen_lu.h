// Eigen's LU decomposition behind a face without Eigen, so that it can be compiled as it likes
// best.
#pragma once

#include <cstddef>
#include <memory>

namespace trellis::bench {

class EigenLu {
 public:
  explicit EigenLu(std::size_t n);
  ~EigenLu();
  double determinant(const double* matrix);  // n × n, by rows

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace trellis::bench
