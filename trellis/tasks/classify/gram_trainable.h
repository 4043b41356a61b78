// Few documents with a kernel and SMO: all kernel values are computed once
// (problem/kernels/gram_problem.h) for all folds and settings. They include those of the held-out
// documents, so that evaluation costs nothing.
#pragma once

#include <memory>

#include "trellis/tasks/classify/document_set.h"
#include "trellis/tasks/classify/document_trainable.h"

namespace trellis::classify {

// Whether the table takes at most a few hundred megabytes. `dev` may be null.
bool fits_gram(const ClassifyData& data, const HeldOutSet* dev);

std::unique_ptr<DocumentTrainable> make_gram_trainable(const ClassifyData& data,
                                                       const HeldOutSet* dev,
                                                       const DocumentTrainableOptions& options);

}  // namespace trellis::classify
