#include "peer_eigen_lu.h"

#include <Eigen/Dense>

namespace trellis::bench {

struct EigenLu::Memory {
  Eigen::Index n;
  Eigen::PartialPivLU<Eigen::MatrixXd> decomposition;
};

EigenLu::EigenLu(std::size_t n)
    : memory_(new Memory{static_cast<Eigen::Index>(n),
                         Eigen::PartialPivLU<Eigen::MatrixXd>(static_cast<Eigen::Index>(n))}) {}
EigenLu::~EigenLu() = default;

double EigenLu::determinant(const double* matrix) {
  memory_->decomposition.compute(Eigen::Map<const Eigen::MatrixXd>(matrix, memory_->n, memory_->n));
  return memory_->decomposition.determinant();
}

}  // namespace trellis::bench
