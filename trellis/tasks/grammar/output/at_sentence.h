// What is wrong with a sentence is told with its place in the file.
#pragma once

#include <string>

#include "trellis/base/error.h"
#include "trellis/base/types.h"

namespace trellis::grammar {

// use(); a UsageError of a sentence becomes an InputError of its line.
template <class Use>
auto at_sentence(const std::string& file, Index line, const Use& use) {
  try {
    return use();
  } catch (const UsageError& error) {
    throw InputError(file, line, error.what());
  }
}

}  // namespace trellis::grammar
