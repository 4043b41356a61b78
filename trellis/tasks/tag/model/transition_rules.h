// The label sequences that a tag scheme allows, as the rules of a chain.
#pragma once

#include <span>
#include <string>

#include "trellis/formats/columns/tag_scheme.h"
#include "trellis/structure/sequences/chain_states.h"

namespace trellis::tag {

// The constraints with which a chain over these labels decodes only legal sequences. Throws
// UsageError for a label outside the scheme. In BIOES without O and S-labels, a sentence of one
// token has no legal sequence.
TransitionRules transition_rules(std::span<const std::string> labels, TagScheme scheme);

}  // namespace trellis::tag
