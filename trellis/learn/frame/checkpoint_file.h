// Checkpoints on disk, in the container of models (data/model_file.h), so a truncated or foreign
// file is refused.
#pragma once

#include <string>

#include "trellis/learn/frame/checkpoint.h"

namespace trellis {

void write_checkpoint(const Checkpoint& checkpoint, const std::string& path);
Checkpoint read_checkpoint(const std::string& path);  // throws InputError

}  // namespace trellis
