// Derives from the training options which stages there are, how long each one is, and what models
// and checkpoints record of the options.
#pragma once

#include <string>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {

bool learns(AlignerKind aligner);  // whether EM trains it
// Iterations of Model 1 alone (model1.h).
Index model1_iterations_of(const TrainOptions& options);
// Iterations of EM over links after those, and the aligner that EM trains: fertility and gibbs
// continue from the HMM.
Index em_iterations_of(const TrainOptions& options);
AlignerKind em_stage_of(const TrainOptions& options);

void check(const TrainOptions& options);  // throws UsageError
// Everything that determines the bits of a model.
std::string identity_of(const Bitext& bitext, const Vocabularies& words, const AlignModel* start);
Value settings_of(const TrainOptions& options, bool started);  // started: from a model

}  // namespace trellis::align
