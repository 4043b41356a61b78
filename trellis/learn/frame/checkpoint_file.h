// Checkpoints on disk, in the container of models (data/model_file.h), so a truncated or foreign
// file is refused, and so is a checkpoint with another version number.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "trellis/learn/frame/checkpoint.h"

namespace trellis {

void write_checkpoint(const Checkpoint& checkpoint, const std::string& path);
Checkpoint read_checkpoint(const std::string& path);  // throws InputError
// The same from the bytes of a file; error messages contain `name`.
Checkpoint checkpoint_from_bytes(std::span<const std::byte> bytes, const std::string& name);

}  // namespace trellis
