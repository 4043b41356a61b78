// Checkpoints on disk, in the container of models (data/model_file.h), so a truncated or foreign
// file is refused, and so is the checkpoint of a program with another version of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "trellis/learn/frame/checkpoint.h"

namespace trellis {

void write_checkpoint(const Checkpoint& checkpoint, const std::string& path);
Checkpoint read_checkpoint(const std::string& path);  // throws InputError
// The same, of what a file has inside; errors name it so.
Checkpoint checkpoint_from_bytes(std::span<const std::byte> bytes, const std::string& name);

}  // namespace trellis
