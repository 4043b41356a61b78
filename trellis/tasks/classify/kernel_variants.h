// Kernels that are worth a try beside none. On few documents with few features that are all there,
// what is measured often bends: a user of LIBSVM then tries an RBF, and so can a choice of
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
  std::string name;  // "linear", or as --kernel has it
  std::optional<Kernel> kernel;
  std::vector<double> grid = {};  // of C; empty: the task's
};

// No kernel at all; and, where there are at most 5000 documents and 300 features, at least a tenth
// of whose values are not 0, RBFs with γ = 1/2, 2 and 8 times 1/m, m being the median squared
// distance of two documents (Caputo et al. 2002), and C from 1 on. A trainable of each:
// DocumentTrainableOptions with its kernel, make_trainable(). Depends on the data alone.
std::vector<KernelVariant> kernel_variants(const ClassifyData& data);

}  // namespace trellis::classify
