// What options of training mean: which stages there are, how long each is, and what a model and a
// checkpoint say of them.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {

bool learns(AlignerKind aligner);  // by EM
// Iterations of Model 1 by itself (model1.h).
Index model1_iterations_of(const TrainOptions& options);
// Iterations of EM over links, after those, and what it is of: fertility and gibbs go on from the
// HMM.
Index em_iterations_of(const TrainOptions& options);
AlignerKind em_stage_of(const TrainOptions& options);

void check(const TrainOptions& options);  // throws UsageError
// All that the bits of a model depend on.
std::string identity_of(const Bitext& bitext, const Vocabularies& words,
                        const TrainOptions& options, const AlignModel* start);
Value settings_of(const TrainOptions& options, bool started);  // from a model

}  // namespace trellis::align
