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
  Index kernel_rank = 0;  // pivots at most; 0: as many as it takes
};

// No kernel at all; and, where there are at most 5000 documents and 200 features, at least half of
// whose values are not 0, RBFs with γ = 1/4, 1 and 4 times 1/m, m being the median squared distance
// of two documents (Caputo et al. 2002). A trainable of each: TrialsOptions with its kernel and
// rank, make_trials(). Depends on the data alone.
std::vector<KernelVariant> kernel_variants(const ClassifyData& data);

}  // namespace trellis::classify
