// The options of commands that read documents by a model.
#pragma once

#include "trellis/frame/command.h"
#include "trellis/tasks/topics/document_inference.h"

namespace trellis::topics {

// `bridges`: whether the call gives an option of bridges.
void add_inference_options(frame::Command& command, InferenceOptions& options, bool& bridges);

// Throws UsageError for options of bridges, unless the model is one of DiscLDA.
void require_bridges(const TopicModel& model, bool bridges);

}  // namespace trellis::topics
