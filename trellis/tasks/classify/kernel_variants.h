// Kernels that are candidates in addition to no kernel. For few documents with few, dense features,
// decision boundaries are often curved: users of LIBSVM then try an RBF, and so does the choice of
// settings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/kernels/kernel.h"
#include "trellis/tasks/classify/document_set.h"

namespace trellis::classify {

struct KernelVariant {
  std::string name;  // "linear", or as in --kernel
  std::optional<Kernel> kernel;
  std::vector<double> grid = {};  // for C; empty: the task's
};

// No kernel; and if there are at most 5000 documents and 300 features, with at least 10 % of the
// values non-zero, RBFs with γ = 1/2, 2 and 8 times 1/m, where m is the median squared distance of
// two documents (Caputo et al. 2002), and C from 1 on. Each has a trainable: make_trainable() for
// DocumentTrainableOptions with its kernel. Depends only on the data.
std::vector<KernelVariant> kernel_variants(const ClassifyData& data);

}  // namespace trellis::classify
