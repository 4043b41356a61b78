// Arrays of small numbers in a checkpoint, as their bytes in memory.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"

namespace trellis::topics {

template <class T>
void put_array(Checkpoint& state, std::string_view name, std::span<const T> values) {
  state.put_text(name, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

template <class T>
std::vector<T> get_array(const Checkpoint& state, std::string_view name) {
  const std::string& bytes = state.text(name);
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

// A state that does not fit belongs to a checkpoint of another run.
template <class Restore>
void restore_from(const Restore& restore) {
  try {
    restore();
  } catch (const UsageError& error) {
    throw InputError("the checkpoint", 0, error.what());
  }
}

}  // namespace trellis::topics
