// Few documents through a kernel by SMO: all of its values are computed once
// (problem/kernels/gram_problem.h), for all folds and all settings. Those of the held-out documents
// are among them, so that judging costs nothing.
#pragma once

#include <memory>

#include "trellis/tasks/classify/document_set.h"
#include "trellis/tasks/classify/document_trainable.h"

namespace trellis::classify {

// Whether the table takes no more than some hundred megabytes. `dev` may be null.
bool fits_gram(const ClassifyData& data, const HeldOutSet* dev);

std::unique_ptr<DocumentTrainable> make_gram_trainable(const ClassifyData& data,
                                                       const HeldOutSet* dev,
                                                       const DocumentTrainableOptions& options);

}  // namespace trellis::classify
