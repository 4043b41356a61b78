// How hidden values are told from what is known.
#pragma once

#include "trellis/base/names.h"

namespace trellis::generative {

enum class Decode {
  kMap,       // those that are jointly the most probable
  kPosterior  // each by itself the most probable: the fewest mistakes to be expected
};
constexpr auto names_of(Decode) {
  return Names{"decoding method", "map", "posterior"};
}

}  // namespace trellis::generative
