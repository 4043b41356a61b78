// How hidden values are predicted from known ones.
#pragma once

#include "trellis/base/names.h"

namespace trellis::generative {

enum class Decode {
  kMap,       // the jointly most probable values
  kPosterior  // each value most probable by itself: the fewest expected mistakes
};
constexpr auto names_of(Decode) {
  return Names{"decoding method", "map", "posterior"};
}

}  // namespace trellis::generative
