// The options of commands that read documents by a model.
#pragma once

#include "trellis/frame/command.h"
#include "trellis/tasks/topics/document_inference.h"

namespace trellis::topics {

void add_inference_options(frame::Command& command, InferenceOptions& options);

// Throws UsageError where something is said that is of another inference or kind of model.
void refuse_other_inferences(const TopicModel& model, const InferenceOptions& said);

}  // namespace trellis::topics
