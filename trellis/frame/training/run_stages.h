// Makes the stages of a training run (stages.h) from its options.
#pragma once

#include <memory>
#include <string>

#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"

namespace trellis {

// `identity` is that of learn(); the choice, the candidates and the seed are added.
std::shared_ptr<Stages> make_stages(const LearnerChoice& choice, const TrainingOptions& options,
                                    const std::string& identity, const TrainEvents& events);

// The same for other trainings; `identity` is complete.
std::shared_ptr<Stages> make_stages(const CheckpointOptions& options, const std::string& identity,
                                    const TrainEvents& events);

}  // namespace trellis
