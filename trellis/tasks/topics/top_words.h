// The top words of topics.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {

// For each topic the `count` words with the largest φ_wk, largest first; ties in the order of the
// vocabulary.
std::vector<std::vector<std::uint32_t>> top_words(const LdaModel& model, Index count);

}  // namespace trellis::topics
