// Which labels of a tag scheme may follow one another, as the rules of a chain.
#pragma once

#include <span>
#include <string>

#include "trellis/formats/columns/tag_scheme.h"
#include "trellis/structure/sequences/chain_states.h"

namespace trellis::tag {

// The constraints under which a chain over these labels decodes legal sequences only. Throws
// UsageError for a label that does not belong to the scheme. In BIOES, if neither O nor an S-label
// is among them, a sentence of one token has no legal sequence.
TransitionRules transition_rules(std::span<const std::string> labels, TagScheme scheme);

}  // namespace trellis::tag
