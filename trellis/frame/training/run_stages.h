// The stages of a training run (stages.h), by what a user said.
#pragma once

#include <memory>
#include <string>

#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"

namespace trellis {

// `identity` as learn() has it; the choice, the candidates and the seed are added to it.
std::shared_ptr<Stages> make_stages(const LearnerChoice& choice, const TrainingOptions& options,
                                    const std::string& identity, const TrainEvents& events);

}  // namespace trellis
