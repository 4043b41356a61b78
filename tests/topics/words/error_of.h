// What an InputError says, for tests.
#pragma once

#include <string>

#include "trellis/base/error.h"

namespace trellis::testing {

// Of what the call throws; empty where it throws none.
template <class Call>
std::string input_error_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace trellis::testing
