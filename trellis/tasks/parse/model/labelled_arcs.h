// The candidate arcs of a sentence, and the parts of its trees: each arc with each of its possible
// labels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/structure/trees/dependency_arcs.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/model/label_sets.h"

namespace trellis::parse {

struct LabelledArcs {
  DependencyArcs parts;               // labels of one arc are parallel
  std::vector<std::uint32_t> labels;  // by part, ascending within an arc
};

// `arcs` are sorted by modifier and then by head.
LabelledArcs label_arcs(std::span<const DependencyArc> arcs, const SentenceAtoms& atoms,
                        const LabelSets& sets);

}  // namespace trellis::parse
